"""Runs stages from the command line: progress, interrupts, the tables at the end."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import click

from wikibias.cli.progress import progress
from wikibias.cli.run_summary import show_result
from wikibias.cli.terminal import echo
from wikibias.cli.warnings import warn
from wikibias.dumps.parts import Part, passed_over
from wikibias.messages import counted, printable
from wikibias.pipeline import runner
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.shard import Shard
from wikibias.pipeline.stage import Stage

_INTERRUPTED = "Interrupted. The same command does what is left; what is whole is not done again."
# Windows knows no closing of a terminal.
_ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


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
) -> int:
    """Run stages, show what came out, and return the exit code."""
    share = None if shard is None else Shard.parse(shard)
    shown = parts if share is None else share.of_parts(parts)
    with interruptible(), progress(shown, quiet=quiet) as on_progress:
        result = runner.run(
            folder,
            parts,
            settings,
            stages,
            restart=restart,
            shard=share,
            workers=Workers(workers, engine, scheduler),
            command=_typed(),
            on_progress=on_progress,
            on_failure=_show_traceback if _debugs() else runner.no_failure,
        )
    if share is not None and not shown:
        echo(f"Shard {shard} has no part: there are only {counted(len(parts), 'part')}.")
        return 0
    return show_result(folder, result, quiet=quiet)


def _debugs() -> bool:
    return bool(click.get_current_context().find_root().obj.get("debug"))


def _show_traceback(part: Part, traceback: str) -> None:
    click.echo(printable(f"{part.name}: {traceback}", keep="\n"), err=True)


def _typed() -> list[str]:
    """Return the command as typed, but for --restart and --shard: what `status` advises."""
    words = iter(click.get_current_context().find_root().obj["arguments"])
    kept = ["wikibias"]
    for word in words:
        if word == "--shard":
            next(words, None)
        elif word != "--restart" and not word.startswith("--shard="):
            kept.append(word)
    return kept


def warn_of_odd_names(dumps: Sequence[str]) -> None:
    """Say which files of the folders given are not taken for dumps, though they may be."""
    odd = passed_over(dumps)
    if odd:
        warn(
            f"passed over {counted(len(odd), 'file')} not named as dumps are (*.xml, *.xml.bz2, "
            f"*.xml.7z, ...), the first {odd[0]}; what is a dump all the same, give by its name"
        )


@contextmanager
def interruptible() -> Iterator[None]:
    """Let `kill` and a closed terminal end a run as Ctrl-C does.

    Workers are stopped, nothing is left half-written, and one line says so. What is ignored, as by
    `nohup`, stays so.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        # A terminal that closes may tell twice, and tidying up is not to be stopped.
        for ending in before:
            signal.signal(ending, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {ending: signal.getsignal(ending) for ending in _ENDINGS}
    before = {ending: how for ending, how in before.items() if how != signal.SIG_IGN}
    for ending in before:
        signal.signal(ending, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be gone
            echo(_INTERRUPTED, err=True)
        raise SystemExit(130) from None
    finally:
        for ending, how in before.items():
            # Once one has come, all are ignored until this process has ended.
            if signal.getsignal(ending) is interrupt:
                signal.signal(ending, how)
