"""Runs a command in a fork of this process, which has loaded what a new one would load again."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from wikibias.cli import main

_FORK = get_context("spawn") if sys.platform == "win32" else get_context("fork")
_WAITED = 30  # seconds


class Forked:
    """A command that runs in a folder, and what it says."""

    def __init__(self, folder: Path, said: Path, words: tuple[object, ...]) -> None:
        self._said = said
        self.process = _FORK.Process(target=_become, args=(folder, said, [*map(str, words)]))
        self.process.start()

    @property
    def out(self) -> str:
        """What stands on standard output so far."""
        return self._read("out")

    @property
    def err(self) -> str:
        return self._read("err")

    def _read(self, name: str) -> str:
        path = self._said / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def pid(self) -> int:
        """The number of its process, and of its group of processes."""
        assert self.process.pid
        return self.process.pid

    def signal(self, how: signal.Signals) -> None:
        os.kill(self.pid, how)

    def ended(self) -> int | None:
        """Wait for its end; return its exit code."""
        self.process.join(_WAITED)
        return self.process.exitcode


@contextmanager
def forked(*words: object, folder: Path = Path()) -> Iterator[Forked]:
    """Start a command; kill it if it still runs at the end of the `with` block."""
    with tempfile.TemporaryDirectory() as said:
        command = Forked(folder, Path(said), words)
        try:
            yield command
        finally:
            command.process.kill()
            command.process.join(_WAITED)


def _become(folder: Path, said: Path, words: list[str]) -> None:
    # Under nohup they would be ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.setsid()
    os.chdir(folder)
    for number, name in enumerate(("out", "err"), 1):
        stream = (said / name).open("w", encoding="utf-8", buffering=1)
        os.dup2(stream.fileno(), number)
        setattr(sys, f"std{name}", stream)
    main(words)
