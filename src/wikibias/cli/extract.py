"""`wikibias extract` and `wikibias detect`: from dumps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from wikibias.cli.options import run_options, shard_option
from wikibias.cli.run_file import config_option
from wikibias.cli.running import run_and_show, warn_of_odd_names
from wikibias.cli.stage_options import build_options, detect_options, diff_options, filter_options
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import find_parts
from wikibias.kits.command import BriefHelp
from wikibias.pipeline import stages
from wikibias.pipeline.plan import with_recorded
from wikibias.pipeline.settings import make_settings
from wikibias.pipeline.stages import Stage

# What people type; the rest is for a run file, or `--help-all`.
_COMMON = ["--lang", "-o", "--tagset", "--signal", "--filters", "--split", "--seed", "--workers"]
_COMMON += ["--restart", "--config"]


@click.command(cls=BriefHelp, common=_COMMON)
@detect_options
@diff_options
@filter_options
@build_options
@config_option
@shard_option
@run_options
def extract(**options: Any) -> int:
    """Build a corpus from full-history dumps: detect, diff, filter and build in one.

    DUMPS are files, folders (without those in them), patterns or URLs, or - for standard input;
    plain or compressed as bz2, 7z, gz, xz, lzma or zst. The same command again does only what is
    missing. Other dumps of the wiki, such as next month's, are added to what the folder holds, and
    pages keep their splits; with --restart all begins anew.

    \b
    Examples:
      wikibias extract --lang fr frwiki-20261101-pages-meta-history1.xml.bz2
      wikibias extract --lang en -o corpora/en-dry-run --limit 100 dumps/
      bzcat dump.xml.bz2 | wikibias extract --lang bg -
    """
    return _from_dumps(stages.STAGES, **options)


@click.command(cls=BriefHelp, common=_COMMON)
@detect_options
@config_option
@shard_option
@run_options
def detect(**options: Any) -> int:
    """Find edits in dumps: the first stage of extract.

    These are the edits that put tags in or took them out; with `--signal summary` those whose
    summary names the neutrality policy; and with the name of an intent, such as `--signal
    citation`, those that its rules tell. An intent of your own: wikibias docs intents.

    \b
    Example:
      wikibias detect --lang fr frwiki-20261101-pages-meta-history1.xml.bz2
    """
    return _from_dumps(stages.STAGES[:1], **options)


def _from_dumps(
    chosen: Sequence[Stage],
    *,
    dumps: tuple[str, ...],
    lang: str,
    out: Path | None,
    config_file: Path | None,
    workers: int,
    engine: str,
    scheduler: str | None,
    shard: str | None,
    restart: bool,
    quiet: bool,
    **choices: Any,
) -> int:
    settings = make_settings(lang, load_config(config_file), **choices)
    parts = find_parts(dumps)
    warn_of_odd_names(dumps)
    folder = out or Path("corpora") / lang
    if not restart:
        parts = with_recorded(folder, parts)
    return run_and_show(
        folder,
        parts,
        settings,
        chosen,
        workers=workers,
        engine=engine,
        scheduler=scheduler,
        shard=shard,
        restart=restart,
        quiet=quiet,
    )
