"""Progress bars on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

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
    so_far = {"": (0, 0, 0)}
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

        def update(part: str, stage: str, done: int, pages: int, transitions: int) -> None:
            if stage == "detect":
                so_far[part] = (done, pages, transitions)
            bytes_done, pages_done, number = (sum(c) for c in zip(*so_far.values(), strict=True))
            counts = f"{counted(pages_done, 'page')}, {counted(number, found)}"
            bar.update(task, description=named(stage).progress, completed=bytes_done, found=counts)

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
