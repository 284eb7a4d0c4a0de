"""Progress of runs and downloads on the terminal, as bars or as lines."""

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from wikibias.cli.options import PROGRESS
from wikibias.dumps.parts import Part, local_size, passed_over
from wikibias.dumps.web import Remote
from wikibias.errors import counted
from wikibias.execution.processes import ProgressCallback
from wikibias.kits.command import is_quiet, warn
from wikibias.kits.terminal import echo
from wikibias.pipeline.stages import named

_log = logging.getLogger(PROGRESS)
# Seconds to the first line and between two: 30, later a twentieth of the time that has passed, and
# half an hour in the end, so that a run of weeks fills no disk.
_FIRST, _SHARE, _MOST = 30.0, 0.05, 1800.0
_LOOKS = 1.0
_UNITS = (("days", 86_400), ("h", 3600), ("min", 60), ("s", 1))


class Tally:
    """How far all parts are: the sums of what the last message of each says.

    Args:
        sizes: bytes of each part; 0 where not known, as of a pipe.
        found: what is found in them.
    """

    def __init__(self, sizes: Mapping[str, int], found: str) -> None:
        self.doing, self.read, self.pages, self.found, self.parts_read = "begins", 0, 0, 0, 0
        # What an earlier run has read takes no time now.
        self.read_before = 0
        self._sizes, self._what = sizes, found
        self.size = sum(sizes.values())
        self._so_far: dict[str, tuple[int, int, int]] = {}
        self._one_at_a_time = Lock()

    def update(self, part: str, stage: str, doing: str, now: tuple[int, int, int]) -> None:
        """Take a message: of a part, a stage, how it is called, and bytes, pages and found."""
        with self._one_at_a_time:
            self.doing = doing
            if stage != "detect":
                return
            # Kept up to date: to add up thousands of parts each time would take the square of them.
            size = self._sizes.get(part, 0)
            whole = 0 < size <= now[0]
            if part not in self._so_far and whole:
                self.read_before += now[0]
            before = self._so_far.get(part, (0, 0, 0))
            self._so_far[part] = now
            self.read += now[0] - before[0]
            self.pages += now[1] - before[1]
            self.found += now[2] - before[2]
            self.parts_read += whole - (0 < size <= before[0])

    @property
    def counts(self) -> str:
        """The pages, and what was found in them."""
        return f"{counted(self.pages, 'page')}, {counted(self.found, self._what)}"

    def line(self, seconds: float) -> str:
        """Return all of it in a line, with the rate since `seconds`, and the time that is left."""
        rate = (self.read - self.read_before) / max(seconds, 0.001)
        of_all = f" of {self.size / 1e6:,.1f}" if self.size else ""
        said = [
            f"{self.doing}: {self.parts_read:,} of {counted(len(self._sizes), 'part')} read",
            f"{self.read / 1e6:,.1f}{of_all} MB",
            self.counts,
            f"{rate / 1e6:,.2f} MB/s",
        ]
        if rate > 0 and self.read < self.size:
            said.append(f"about {_duration((self.size - self.read) / rate)} left")
        return ", ".join(said)


class Pace:
    """When a line is due; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun = self._last = clock()

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return self._clock() - self._begun

    def due(self) -> bool:
        """Return whether a line is due; then the time until the next one begins."""
        since = self._clock() - self._last
        if since < min(_MOST, max(_FIRST, _SHARE * self.seconds)):
            return False
        self._last += since
        return True


@contextmanager
def lines(line: Callable[[float], str], pace: Pace | None = None) -> Iterator[None]:
    """Log a line now and then while this lasts, from a thread, so that a silence shows as one.

    Args:
        line: returns it, for so many seconds since the beginning.
        pace: says when.
    """
    pace, ended = pace or Pace(), Event()

    def look() -> None:
        while not ended.wait(_LOOKS):
            if pace.due():
                _log.info("%s", line(pace.seconds))

    watcher = Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _duration(seconds: float) -> str:
    unit, length = next((each for each in _UNITS if seconds >= 2 * each[1]), _UNITS[-1])
    return f"{seconds / length:,.0f} {unit}"


# By these a user tells rich that what is no terminal shows what one does.
_TERMINAL_ANYWAY = ("FORCE_COLOR", "TTY_COMPATIBLE")


@contextmanager
def bar(description: str, total: int | None, *columns: str) -> Iterator[Callable[..., None]]:
    """Draw a bar if stderr is a terminal, and not with `--quiet`.

    What it gives takes the values of rich's `update`.

    Args:
        description: what is done, at the left.
        total: how much there is to do; None where not known.
        columns: what stands behind the bar, in order: `share`, `bytes`, `speed`, `count`, or the
            name of a text that `update` is given.
    """
    may_be = sys.stderr is not None and sys.stderr.isatty()
    if is_quiet() or not (may_be or any(map(os.environ.get, _TERMINAL_ANYWAY))):
        yield lambda **values: None
        return
    from rich import progress as drawn  # 50 ms, which a run without a bar need not wait for

    from wikibias.kits.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda **values: None
        return
    known: dict[str, type[drawn.ProgressColumn]] = {
        "share": drawn.TaskProgressColumn,
        "bytes": drawn.DownloadColumn,
        "speed": drawn.TransferSpeedColumn,
        "count": drawn.MofNCompleteColumn,
    }
    texts: dict[str, Any] = {name: "" for name in columns if name not in known}
    shown = [
        drawn.TextColumn("{task.description}", markup=False),
        drawn.BarColumn(bar_width=16),
        *(
            known[n]() if n in known else drawn.TextColumn(f"{{task.fields[{n}]}}", markup=False)
            for n in columns
        ),
        drawn.TimeRemainingColumn(),
    ]
    with drawn.Progress(*shown, console=console, transient=True) as drawing:
        task = drawing.add_task(description, total=total, **texts)
        yield lambda **values: drawing.update(task, **values)


@contextmanager
def progress(parts: Sequence[Part], *, found: str = "transition") -> Iterator[ProgressCallback]:
    """Show bytes, pages and what was `found` in all parts: a bar on a terminal, else lines."""
    tally = Tally({part.name: local_size(part) for part in parts}, found)
    drawn = bar("reading", tally.size or None, "share", "bytes", "found")
    with lines(tally.line), drawn as show:

        def update(part: str, stage: str, done: int, pages: int, transitions: int) -> None:
            tally.update(part, stage, named(stage).progress, (done, pages, transitions))
            show(description=tally.doing, completed=tally.read, found=tally.counts)

        yield update


@contextmanager
def downloads(files: Sequence[Remote]) -> Iterator[Callable[[str, int], None]]:
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

    with lines(line), bar("fetching", total, "share", "bytes", "speed") as show:

        def update(name: str, size: int) -> None:
            earlier.setdefault(name, size)
            here[name] = size
            show(completed=sum(here.values()))

        yield update


@contextmanager
def answers(unit: str = "revision") -> Iterator[Callable[[int, int], None]]:
    """Show of how many revisions, or pages, a wiki has told: a bar on a terminal, else lines."""
    now = [0, 0]

    def line(seconds: float) -> str:
        return f"asking the wiki: {now[0]:,} of {counted(now[1], unit)} known"

    with lines(line), bar("asking the wiki", None, "count") as show:

        def update(known: int, wanted: int) -> None:
            now[:] = known, wanted
            show(completed=known, total=wanted)

        yield update


def warn_of_odd_names(dumps: Sequence[str]) -> None:
    """Say which files of the folders given are not taken for dumps, though they may be."""
    odd = passed_over(dumps)
    if odd:
        warn(
            f"passed over {counted(len(odd), 'file')} not named as dumps are (*.xml, *.xml.bz2, "
            f"*.xml.7z, ...), the first {odd[0]}; what is a dump all the same, give by its name"
        )


_MOST_SHOWN = 20


def show_downloads(files: Sequence[Remote], folder: Path) -> None:
    """Show what a fetch would download."""
    echo("Dry run: nothing is downloaded.")
    show_first([f"{file.url} ({in_bytes(file.size)})" for file in files])
    echo(f"Writes {counted(len(files), 'file')} into {folder}/.")


def show_first(lines: Sequence[str]) -> None:
    """Show the first of some lines of a dry run, and how many more there are."""
    for line in lines[:_MOST_SHOWN]:
        echo(f"  {line}")
    if len(lines) > _MOST_SHOWN:
        echo(f"  and {len(lines) - _MOST_SHOWN:,} more")


def in_bytes(size: int) -> str:
    """Return a size in GB, of a small one in MB."""
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.2f} MB"
