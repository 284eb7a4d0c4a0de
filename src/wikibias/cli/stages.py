"""`wikibias diff`, `filter`, `build`: a command for each stage that goes on in a result folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from wikibias.cli import dry_run
from wikibias.cli.options import run_options, shard_option
from wikibias.cli.run_file import config_option
from wikibias.cli.running import run_and_show
from wikibias.cli.stage_options import STAGE_OPTIONS
from wikibias.config.thresholds import load_config
from wikibias.errors import UsageError
from wikibias.kits.command import folder_argument
from wikibias.pipeline import manifest, stages
from wikibias.pipeline.settings import with_stage
from wikibias.pipeline.stages import Stage

# What reads the labels of a file of answers, of a package that is not imported here.
_READ_LABELS = ("wikibias.research.cli.judged_build", "read_labels")
_HELP = """{description}: stage {number} of extract.

\b
Example:
  wikibias {name} {example}corpora/fr
"""


def command(name: str) -> click.Command:
    """Return the command of a stage."""
    stage = stages.named(name)
    number = stages.STAGES.index(stage) + 1
    run: Callable[..., Any] = partial(_go_on, stage)
    shard = [shard_option] if stage.is_per_part else []
    own = STAGE_OPTIONS.get(name, ())
    for option in (run_options, *shard, config_option, *own, folder_argument):
        run = option(run)
    text = _HELP.format(
        description=stage.description, number=number, name=name, example=stage.example
    )
    return click.command(name, help=text)(run)


def _go_on(
    stage: Stage,
    *,
    folder: Path,
    config_file: Path | None,
    restart: bool,
    quiet: bool,
    **choices: Any,
) -> int:
    found = manifest.load_recorded(folder)
    where = {name: choices.pop(name) for name in ("workers", "engine", "scheduler")}
    shard = choices.pop("shard", None)
    judged = None
    if stage.name == "build":
        answers = {name: choices.pop(name) for name in ("tasks", "columns")}
        if isinstance(labels := choices["labels"], Path):
            module, read_labels = _READ_LABELS
            judged = getattr(import_module(module), read_labels)(labels, **answers)
            choices["labels"] = None
        elif any(value is not None for value in answers.values()):
            raise UsageError("--tasks and --columns go with --labels FILE, a file of answers")
    old = manifest.settings_of(folder, found)
    settings = with_stage(old, stage.name, load_config(config_file), **choices)
    status = run_and_show(
        folder,
        manifest.parts_of(found),
        settings,
        [stage],
        restart=restart,
        quiet=quiet,
        shard=shard,
        tables=judged is None,
        **where,
    )
    if judged is not None and not status and not dry_run.is_wanted():
        judged.build(folder, quiet=quiet)
    return status
