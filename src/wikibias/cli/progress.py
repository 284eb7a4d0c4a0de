"""Progress bars on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from wikibias.dumps.parts import Part, local_size
from wikibias.dumps.web.remote import Remote
from wikibias.execution.progress import ProgressCallback, no_progress
from wikibias.messages import counted
from wikibias.pipeline.stages import named

if TYPE_CHECKING:
    from wikibias.cli.console import Console

# By these a user tells rich that what is no terminal shows what one does.
_TOLD = ("FORCE_COLOR", "TTY_COMPATIBLE")


def _terminal(*, quiet: bool) -> Console | None:
    """Return the terminal that a bar is to be drawn on, if stderr is one."""
    may_be = sys.stderr is not None and sys.stderr.isatty()
    if quiet or not (may_be or any(map(os.environ.get, _TOLD))):
        return None
    from wikibias.cli.console import Console  # 50 ms, which a run without a bar need not wait for

    console = Console(stderr=True)
    return console if console.is_terminal else None


@contextmanager
def progress(
    parts: Sequence[Part], *, quiet: bool, found: str = "transition"
) -> Iterator[ProgressCallback]:
    """Show a bar with bytes, pages and what was `found` in all parts, if stderr is a terminal."""
    console = _terminal(quiet=quiet)
    if console is None:
        yield no_progress
        return
    from rich import progress as drawn

    total = sum(map(local_size, parts))
    columns = (
        drawn.TextColumn("{task.description}"),
        drawn.BarColumn(bar_width=16),
        drawn.TaskProgressColumn(),
        drawn.DownloadColumn(),
        drawn.TextColumn("{task.fields[found]}"),
        drawn.TimeRemainingColumn(),
    )
    with drawn.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=total or None, found="")
        so_far: dict[str, tuple[int, int, int]] = {}
        # Kept up to date: to add up thousands of parts at each step would take the square of them.
        sums = [0, 0, 0]
        one_at_a_time = Lock()

        def update(part: str, stage: str, done: int, pages: int, transitions: int) -> None:
            with one_at_a_time:
                if stage == "detect":
                    before = so_far.get(part, (0, 0, 0))
                    so_far[part] = now = (done, pages, transitions)
                    for place, (old, new) in enumerate(zip(before, now, strict=True)):
                        sums[place] += new - old
                counts = f"{counted(sums[1], 'page')}, {counted(sums[2], found)}"
                doing = named(stage).progress
                bar.update(task, description=doing, completed=sums[0], found=counts)

        yield update


@contextmanager
def downloads(files: Sequence[Remote], *, quiet: bool) -> Iterator[Callable[[str, int], None]]:
    """Show one bar for all downloads, if stderr is a terminal."""
    console = _terminal(quiet=quiet)
    if console is None:
        yield lambda name, size: None
        return
    from rich import progress as drawn

    here = dict.fromkeys((file.name for file in files), 0)
    columns = (
        drawn.TextColumn("{task.description}"),
        drawn.BarColumn(bar_width=16),
        drawn.TaskProgressColumn(),
        drawn.DownloadColumn(),
        drawn.TransferSpeedColumn(),
        drawn.TimeRemainingColumn(),
    )
    with drawn.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("fetching", total=sum(file.size for file in files))

        def update(name: str, size: int) -> None:
            here[name] = size
            bar.update(task, completed=sum(here.values()))

        yield update
