"""Runs the command line under limits, and tells what is wrong with how it ended."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Any

from fault_checks.checks import Try

Words = tuple[object, ...]
# The last two say how many workers.
EXTRACT: Words = ("extract", "-q", "--lang", "en", "--workers", 1)
DETECT: Words = ("detect", *EXTRACT[1:])
# Megabytes of address space, of which threads reserve more than they use.
ADDRESSES = 6000
_UNLIKE_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_A_FAULT = re.compile(r"unexpected|a bug in wikibias|a fault of wikibias|Traceback \(most")
_PEAK = re.compile(rb"VmHWM:\s+(\d+) kB")
_LIMITED = 'ulimit -c 0; ulimit -v "$1"; ulimit -t "$2"; shift 2; exec "$@"'


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: exit code, output, seconds of CPU, and peak memory in MB.

    `code` is below 0 for a signal, and None if it took too long. CPU is that of all its processes,
    memory that of the largest.
    """

    code: int | None
    out: str
    err: str
    cpu: float
    memory: float

    @property
    def error(self) -> str:
        """The first line of what it said of an error, else its last line."""
        lines = self.err.strip().splitlines() or [""]
        return next((line for line in lines if line.startswith("Error")), lines[-1])[:120]

    def problem(self, codes: Collection[int] = (0, 1)) -> str | None:
        """Return what is wrong with any end: it took too long, died, or blamed itself."""
        if self.code is None:
            return f"did not end ({self.cpu:.0f} s of CPU)"
        if self.code < 0:
            return f"died of {signal.Signals(-self.code).name}"
        if _A_FAULT.search(self.err):
            return f"said: {self.error}"
        if self.code not in codes:
            return f"exit code {self.code}: {self.error}"
        return None

    def drawn(self) -> str | None:
        """Return the control characters that reached the terminal, if any did."""
        found = _UNLIKE_TEXT.findall(self.out + self.err)
        return f"control characters in the output: {sorted(set(found))!a}" if found else None


class Running:
    """A command that runs in a session of its own, so that all of its processes can be ended."""

    def __init__(
        self,
        *words: object,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdin: Path | None = None,
        addresses: int = ADDRESSES,
        cpu: float = 1000,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._files = [Path(self._folder.name) / name for name in ("out", "err")]
        limited = ["sh", "-c", _LIMITED, "sh", str(1024 * addresses), str(round(cpu))]
        out, err = self._files
        with (
            Path(stdin or os.devnull).open("rb") as given,
            out.open("wb") as o,
            err.open("wb") as e,
        ):
            self.process = subprocess.Popen(
                [*limited, sys.executable, "-m", "wikibias", *map(os.fsencode, map(str, words))],
                stdin=given,
                stdout=o,
                stderr=e,
                cwd=cwd,
                env={**os.environ, **(env or {})},
                start_new_session=True,
            )

    def wait(self, seconds: float) -> Ended:
        """Wait for its end; end it if it takes longer."""
        until, code, memory = time.monotonic() + seconds, None, 0.0
        while True:
            memory = max(memory, *map(_peak, [self.process.pid, *children(self.process.pid)]))
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status) if time.monotonic() < until else None
                break
            if time.monotonic() >= until:
                self.end()
                _, _, usage = os.wait4(self.process.pid, 0)
                break
            time.sleep(0.01)
        self.process.returncode = -9 if code is None else code
        self.end()
        texts = [path.read_bytes()[: 1 << 24].decode(errors="replace") for path in self._files]
        self._folder.cleanup()
        cpu = usage.ru_utime + usage.ru_stime
        return Ended(code, texts[0], texts[1], cpu, memory or usage.ru_maxrss / 1024)

    def end(self) -> None:
        """Kill what is left of its session."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def workers(self, number: int, seconds: float = 30) -> list[int]:
        """Wait until it has so many worker processes, and return their ids."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and _words(self.process.pid):
            found = [pid for pid in children(self.process.pid) if b"spawn_main" in _words(pid)]
            if len(found) >= number:
                return found
            time.sleep(0.02)
        return []


def wikibias(
    *words: object,
    seconds: float = 120,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: Path | None = None,
    addresses: int = ADDRESSES,
    cpu: float = 1000,
) -> Ended:
    """Run a command to its end, for at most so many seconds, of CPU too, and megabytes."""
    running = Running(*words, cwd=cwd, env=env, stdin=stdin, addresses=addresses, cpu=cpu)
    return running.wait(seconds)


def each(
    tried: Mapping[str, Words], judged: Callable[[Ended], tuple[str, bool]], **how: Any
) -> Iterator[Try]:
    """Run commands to their ends, by the name of each, and judge how they ended."""
    for name, words in tried.items():
        yield Try(name, *judged(wikibias(*words, **how)))


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that these have."""
    found = [pid]
    for each in found:
        # Not `Path.glob`, which fails where the process ends meanwhile.
        for listed in glob(f"/proc/{each}/task/*/children"):  # noqa: PTH207
            found += map(int, contents(Path(listed)).split())
    return found[1:]


def _words(pid: int) -> bytes:
    return contents(Path(f"/proc/{pid}/cmdline"))


def contents(path: Path) -> bytes:
    """Return what a file of `/proc` holds; nothing where its process has ended."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _peak(number: int) -> float:
    """Return the peak memory of a process in MB, without that of ours, from which it was forked.

    0 where the system does not tell, or the process has ended.
    """
    found = _PEAK.search(contents(Path(f"/proc/{number}/status")))
    return int(found[1]) / 1024 if found else 0.0
