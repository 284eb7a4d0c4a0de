"""`wikibias diff`, `filter` and `build`: the later stages, each on a result folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from wikibias.cli.options import (
    build_options,
    config_option,
    diff_options,
    filter_options,
    folder_argument,
    run_options,
)
from wikibias.cli.running import run_and_show
from wikibias.config.thresholds import load_config
from wikibias.pipeline import manifest, settings
from wikibias.pipeline.runner import recorded


@click.command(short_help="Stage 2: compare the sentences.")
@folder_argument
@diff_options
@config_option
@run_options
def diff(**options: Any) -> int:
    """Compare the sentences before and after each removal: the second stage of extract.

    \b
    Example:
      wikibias diff corpora/fr
    """
    return _go_on("diff", **options)


@click.command("filter", short_help="Stage 3: kept, or why not.")
@folder_argument
@filter_options
@config_option
@run_options
def filter_(**options: Any) -> int:
    """Give each edit its verdict, kept or the reason why not: the third stage of extract.

    \b
    Example:
      wikibias filter --reverts keep corpora/fr
    """
    return _go_on("filter", **options)


@click.command(short_help="Stage 4: label, balance, split.")
@folder_argument
@build_options
@config_option
@run_options
def build(**options: Any) -> int:
    """Label, balance and split the sentences of the kept edits: the last stage of extract.

    \b
    Example:
      wikibias build --seed 7 --restart corpora/fr
    """
    return _go_on("build", **options)


def _go_on(
    stage: str,
    *,
    folder: Path,
    config_file: Path | None,
    workers: int,
    engine: str,
    scheduler: str | None,
    restart: bool,
    quiet: bool,
    **choices: Any,
) -> int:
    found = recorded(folder)
    old = manifest.settings_of(folder, found)
    new = settings.make_settings(
        old.detect.lang, load_config(config_file), tagset=old.detect.tagset, **choices
    )
    asked = replace(old, **{stage: getattr(new, stage)})
    return run_and_show(
        folder,
        manifest.parts_of(found),
        asked,
        (stage,),
        workers=workers,
        engine=engine,
        scheduler=scheduler,
        restart=restart,
        quiet=quiet,
    )
