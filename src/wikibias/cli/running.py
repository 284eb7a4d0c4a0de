"""Runs stages from the command line: progress, and the tables at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from wikibias.cli import dry_run
from wikibias.cli.ending import interruptible
from wikibias.cli.progress import progress
from wikibias.cli.status import show_result
from wikibias.dumps.parts import Part, passed_over
from wikibias.kits.command import typed, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted, printable
from wikibias.pipeline import runner
from wikibias.pipeline.dispatch import Shard, Workers
from wikibias.pipeline.plan import Request
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.stages import Stage


def run_and_show(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    stages: Sequence[Stage],
    *,
    restart: bool,
    quiet: bool,
    workers: int,
    engine: str,
    scheduler: str | None,
    shard: str | None = None,
    tables: bool = True,
) -> int:
    """Run stages, show what came out (without `tables` only faults), and return the exit code."""
    share = None if shard is None else Shard.parse(shard)
    where = Workers(workers, engine, scheduler)
    if dry_run.is_wanted():
        return dry_run.show(Request(folder, parts, settings, stages, restart, share), where)
    shown = parts if share is None else share.of_parts(parts)
    with interruptible(), progress(shown, quiet=quiet) as on_progress:
        result = runner.run(
            folder,
            parts,
            settings,
            stages,
            restart=restart,
            shard=share,
            workers=where,
            command=typed(values=["--shard"], flags=["--restart"]),  # what `status` advises
            on_progress=on_progress,
            on_note=runner.no_note if quiet else _show_note,
            on_failure=_show_traceback if _debugs() else runner.no_failure,
        )
    if share is not None and not shown:
        echo(f"Shard {shard} has no part: there are only {counted(len(parts), 'part')}.")
        return 0
    return show_result(folder, result, quiet=quiet or not tables)


def _debugs() -> bool:
    return bool(click.get_current_context().find_root().obj.get("debug"))


def _show_traceback(part: Part, traceback: str) -> None:
    click.echo(printable(f"{part.name}: {traceback}", keep="\n"), err=True)


def _show_note(line: str) -> None:
    echo(line, err=True)


def warn_of_odd_names(dumps: Sequence[str]) -> None:
    """Say which files of the folders given are not taken for dumps, though they may be."""
    odd = passed_over(dumps)
    if odd:
        warn(
            f"passed over {counted(len(odd), 'file')} not named as dumps are (*.xml, *.xml.bz2, "
            f"*.xml.7z, ...), the first {odd[0]}; what is a dump all the same, give by its name"
        )
