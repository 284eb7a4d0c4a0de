"""Progress: bars on a terminal, and lines in the log."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from wikibias.cli.progress_lines import Tally, lines
from wikibias.dumps.parts import Part, local_size
from wikibias.dumps.web.remote import Remote
from wikibias.execution.progress import ProgressCallback
from wikibias.messages import counted
from wikibias.pipeline.stages import named

if TYPE_CHECKING:
    from wikibias.kits.console import Console

# By these a user tells rich that what is no terminal shows what one does.
_TOLD = ("FORCE_COLOR", "TTY_COMPATIBLE")


def bar_console(*, quiet: bool) -> Console | None:
    """Return the terminal that a bar is to be drawn on, if stderr is one."""
    may_be = sys.stderr is not None and sys.stderr.isatty()
    if quiet or not (may_be or any(map(os.environ.get, _TOLD))):
        return None
    from wikibias.kits.console import Console  # 50 ms, which a run without a bar need not wait for

    console = Console(stderr=True)
    return console if console.is_terminal else None


@contextmanager
def progress(
    parts: Sequence[Part], *, quiet: bool, found: str = "transition"
) -> Iterator[ProgressCallback]:
    """Show bytes, pages and what was `found` in all parts: a bar on a terminal, else lines."""
    tally = Tally({part.name: local_size(part) for part in parts}, found)
    with lines(tally.line), _bar(tally, quiet=quiet) as show:

        def update(part: str, stage: str, done: int, pages: int, transitions: int) -> None:
            tally.update(part, stage, named(stage).progress, (done, pages, transitions))
            show()

        yield update


@contextmanager
def _bar(tally: Tally, *, quiet: bool) -> Iterator[Callable[[], None]]:
    console = bar_console(quiet=quiet)
    if console is None:
        yield lambda: None
        return
    from rich import progress as drawn

    columns = (
        drawn.TextColumn("{task.description}"),
        drawn.BarColumn(bar_width=16),
        drawn.TaskProgressColumn(),
        drawn.DownloadColumn(),
        drawn.TextColumn("{task.fields[found]}"),
        drawn.TimeRemainingColumn(),
    )
    with drawn.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=tally.size or None, found="")
        one_at_a_time = Lock()

        def show() -> None:
            with one_at_a_time:
                bar.update(task, description=tally.doing, completed=tally.read, found=tally.counts)

        yield show


@contextmanager
def downloads(files: Sequence[Remote], *, quiet: bool) -> Iterator[Callable[[str, int], None]]:
    """Show all downloads: one bar on a terminal, else lines."""
    here = dict.fromkeys((file.name for file in files), 0)
    total = sum(file.size for file in files)
    # What lies in `here` at first was fetched by an earlier run.
    earlier: dict[str, int] = {}

    def line(seconds: float) -> str:
        arrived = sum(here.values())
        rate = (arrived - sum(earlier.values())) / max(seconds, 0.001)
        whole = sum(here[file.name] >= file.size for file in files)
        return (
            f"fetching: {whole:,} of {counted(len(files), 'file')} here, "
            f"{arrived / 1e6:,.1f} of {total / 1e6:,.1f} MB, {rate / 1e6:,.2f} MB/s"
        )

    with lines(line), _download_bar(total, quiet=quiet) as show:

        def update(name: str, size: int) -> None:
            earlier.setdefault(name, size)
            here[name] = size
            show(sum(here.values()))

        yield update


@contextmanager
def answers(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show of how many revisions a wiki has told: a bar on a terminal, else lines."""
    now = [0, 0]

    def line(seconds: float) -> str:
        return f"asking the wiki: {now[0]:,} of {counted(now[1], 'revision')} known"

    with lines(line), _answer_bar(quiet=quiet) as show:

        def update(known: int, wanted: int) -> None:
            now[:] = known, wanted
            show(known, wanted)

        yield update


@contextmanager
def _answer_bar(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    console = bar_console(quiet=quiet)
    if console is None:
        yield lambda known, wanted: None
        return
    from rich import progress as drawn

    columns = (
        drawn.TextColumn("{task.description}"),
        drawn.BarColumn(bar_width=16),
        drawn.MofNCompleteColumn(),
        drawn.TimeRemainingColumn(),
    )
    with drawn.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("asking the wiki", total=None)
        yield lambda known, wanted: bar.update(task, completed=known, total=wanted)


@contextmanager
def _download_bar(total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    console = bar_console(quiet=quiet)
    if console is None:
        yield lambda size: None
        return
    from rich import progress as drawn

    columns = (
        drawn.TextColumn("{task.description}"),
        drawn.BarColumn(bar_width=16),
        drawn.TaskProgressColumn(),
        drawn.DownloadColumn(),
        drawn.TransferSpeedColumn(),
        drawn.TimeRemainingColumn(),
    )
    with drawn.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("fetching", total=total)
        yield lambda size: bar.update(task, completed=size)
