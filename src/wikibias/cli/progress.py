"""Progress bars on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from wikibias.cli.console import Console
from wikibias.dumps.parts import Part, local_size
from wikibias.dumps.web.remote import Remote
from wikibias.execution.progress import ProgressCallback
from wikibias.messages import counted
from wikibias.pipeline.stages import named


@contextmanager
def progress(
    parts: Sequence[Part], *, quiet: bool, found: str = "transition"
) -> Iterator[ProgressCallback]:
    """Show a bar with bytes, pages and what was `found` in all parts, if stderr is a terminal."""
    console = Console(stderr=True)
    total = sum(map(local_size, parts))
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=16),
        TaskProgressColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[found]}"),
        TimeRemainingColumn(),
    )
    if quiet or not console.is_terminal:
        yield lambda part, stage, done, pages, transitions: None
        return
    with Progress(*columns, console=console, transient=True) as bar:
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
    console = Console(stderr=True)
    here = dict.fromkeys((file.name for file in files), 0)
    if quiet or not console.is_terminal:
        yield lambda name, size: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=16),
        TaskProgressColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("fetching", total=sum(file.size for file in files))

        def update(name: str, size: int) -> None:
            here[name] = size
            bar.update(task, completed=sum(here.values()))

        yield update
