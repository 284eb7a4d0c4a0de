"""Measures CPU, time and memory of commands, and formats Markdown tables.

Import it only in small processes: the peak memory of a child is never below that of its parent.
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from fault_checks.commands import children, contents

# The operating system reports peak memory in kilobytes (Linux) or bytes (macOS).
_PER_MB = 1 << 20 if sys.platform == "darwin" else 1 << 10
_SAMPLING_INTERVAL = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Command:
    """A command to measure.

    `input_from` is a command whose output is piped into it; the cost of that is not counted. With
    `total_memory`, the memory of all its processes is sampled. It runs in `folder`, with the
    variables of `environment` beside those of this process. What is `removed` is deleted before.
    """

    words: Sequence[str]
    input_from: Sequence[str] = ()
    total_memory: bool = False
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    removed: Sequence[Path] = ()


class CommandFailed(SystemExit):
    """A command to measure ended with an error; uncaught, it ends this program."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of CPU and of the clock, and peak memory in MB.

    CPU is user and system time of the process and its children. `memory` is that of the largest
    process, `total_memory` that of all processes at one moment, with shared pages counted once;
    None if it was not sampled.
    """

    cpu: float
    clock: float
    memory: float
    total_memory: float | None = None


def cpu(cost: Cost) -> float:
    """Return the seconds of CPU."""
    return cost.cpu


def clock(cost: Cost) -> float:
    """Return the seconds by the clock."""
    return cost.clock


def memory(cost: Cost) -> float:
    """Return the peak memory of the largest process, in MB."""
    return cost.memory


def measure(command: Command) -> Cost:
    """Run a command and return its cost.

    Raises:
        CommandFailed: It did not end with 0.
    """
    for path in command.removed:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    feeder = None
    if command.input_from:
        feeder = subprocess.Popen(command.input_from, stdout=subprocess.PIPE)
    began = time.monotonic()
    process = subprocess.Popen(
        command.words,
        stdin=subprocess.DEVNULL if feeder is None else feeder.stdout,
        stdout=subprocess.DEVNULL,
        cwd=command.folder,
        env=os.environ | command.environment,
    )
    if feeder is not None and feeder.stdout is not None:
        feeder.stdout.close()
    sampler = _MemorySampler(process.pid) if command.total_memory else None
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    total_memory = sampler.stop() if sampler is not None else None
    if feeder is not None:
        feeder.wait()
    if process.returncode:
        raise CommandFailed(f"failed with {process.returncode}: {' '.join(command.words)}")
    return Cost(usage.ru_utime + usage.ru_stime, elapsed, usage.ru_maxrss / _PER_MB, total_memory)


def in_turn(commands: Mapping[str, Command], rounds: int) -> dict[str, list[Cost]]:
    """Run each command once per round, so that noise affects all alike; print progress."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(1, rounds + 1):
        for name, command in commands.items():
            cost = measure(command)
            costs[name].append(cost)
            print(f"{number}/{rounds} {name}: {cost.cpu:.2f} s", file=sys.stderr, flush=True)
    return costs


def middle(costs: Sequence[Cost], what: Callable[[Cost], float]) -> float:
    """Return the median of one figure over all rounds."""
    return median(map(what, costs))


def ratio(
    costs: Sequence[Cost], base: Sequence[Cost], what: Callable[[Cost], float] = cpu
) -> float:
    """Return the median of the ratios of two costs of the same round."""
    return median(ratios(costs, base, what))


def ratios(
    costs: Sequence[Cost], base: Sequence[Cost], what: Callable[[Cost], float] = cpu
) -> list[float]:
    """Return the ratio of two costs of each round."""
    return [what(cost) / what(other) for cost, other in zip(costs, base, strict=True)]


def span(values: Sequence[float]) -> str:
    """Return the least and the greatest of some figures."""
    return f"{min(values):.2f}–{max(values):.2f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; all columns except the first are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


class _MemorySampler:
    """Samples the memory of a process and its descendants."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._peak = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()

    def stop(self) -> float | None:
        """Stop sampling and return the peak."""
        self._ended.set()
        self._thread.join()
        return self._peak or None

    def _sample(self) -> None:
        while not self._ended.wait(_SAMPLING_INTERVAL):
            self._peak = max(self._peak, sum(map(_memory, [self._pid, *children(self._pid)])))


def _memory(pid: int) -> float:
    lines = contents(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(b"Pss:")) / 1024
