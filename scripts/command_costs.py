"""What commands cost, as the operating system counts it, and tables of that in Markdown.

To be imported by small processes: a child's peak memory is never below its parent's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

# How the operating system counts peak memory: Linux in kilobytes, macOS in bytes.
_PER_MB = 1 << 20 if sys.platform == "darwin" else 1 << 10
_PAUSE = 0.05  # seconds between two looks at the memory


@dataclass(frozen=True, slots=True)
class Command:
    """What to run.

    `fed`, if given, is a command whose output it reads, and whose cost does not count. With
    `together` the memory of all its processes is looked at, again and again.
    """

    words: Sequence[str]
    fed: Sequence[str] = ()
    together: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of CPU and by the clock, and peak memory in MB.

    CPU is user and system, of the process and all that it started. `memory` is that of its
    largest process, `together` of all of them at one moment, with shared pages counted once; None
    where nobody looked, or could look.
    """

    cpu: float
    clock: float
    memory: float
    together: float | None = None


Costs = Mapping[str, Sequence[Cost]]


def measure(command: Command) -> Cost:
    """Run a command and return what it cost; one that fails ends this program."""
    feeder = subprocess.Popen(command.fed, stdout=subprocess.PIPE) if command.fed else None
    began = time.monotonic()
    process = subprocess.Popen(
        command.words,
        stdin=subprocess.DEVNULL if feeder is None else feeder.stdout,
        stdout=subprocess.DEVNULL,
    )
    if feeder is not None and feeder.stdout is not None:
        feeder.stdout.close()
    watch = _Watch(process.pid) if command.together else None
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    together = watch.end() if watch is not None else None
    if feeder is not None:
        feeder.wait()
    if process.returncode:
        sys.exit(f"failed with {process.returncode}: {' '.join(command.words)}")
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(cpu, clock, usage.ru_maxrss / _PER_MB, together)


def in_turn(commands: Mapping[str, Command], rounds: int) -> dict[str, list[Cost]]:
    """Run each command once a round, so that all see the same noise; tell of it on the way."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(1, rounds + 1):
        for name, command in commands.items():
            cost = measure(command)
            costs[name].append(cost)
            print(f"{number}/{rounds} {name}: {cost.cpu:.2f} s", file=sys.stderr, flush=True)
    return costs


def middle(costs: Sequence[Cost], what: Callable[[Cost], float]) -> float:
    """Return the median of something over all rounds."""
    return median(map(what, costs))


def ratio(
    costs: Sequence[Cost], base: Sequence[Cost], what: Callable[[Cost], float] = lambda c: c.cpu
) -> float:
    """Return the median of the ratios, each of two costs of the same round."""
    return median(what(cost) / what(other) for cost, other in zip(costs, base, strict=True))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are of numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


class _Watch:
    """Looks at the memory of a process and of all that it started."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._peak = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def end(self) -> float | None:
        """Stop looking, and return the most that was seen."""
        self._ended.set()
        self._thread.join()
        return self._peak or None

    def _look(self) -> None:
        while not self._ended.wait(_PAUSE):
            self._peak = max(self._peak, sum(map(_memory, _family(self._pid))))


def _family(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        for listed in Path(f"/proc/{each}/task").glob("*/children"):
            found += map(int, _read(listed).split())
    return found


def _memory(pid: int) -> float:
    lines = _read(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # the process has ended, or this is not Linux
        return ""
