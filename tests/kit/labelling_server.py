"""The real `wikibias annotate serve`, in a process of its own, on a port of loopback."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_WAITED = 30  # seconds


@dataclass
class Serving:
    """A server that runs, and the address that it showed."""

    process: subprocess.Popen[bytes]
    address: str

    @property
    def port(self) -> str:
        found = re.search(r":(\d+)/", self.address)
        assert found
        return found[1]

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """End the server; return its exit code and what it said since it began."""
        self.process.send_signal(how)
        said, wrong = self.process.communicate(timeout=_WAITED)
        return self.process.returncode, (said + wrong).decode()


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Serving]:
    """Start the command in a folder; end it in any case."""
    process = subprocess.Popen(
        [sys.executable, "-m", "wikibias", "annotate", "serve", *words],
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What a buffer reads ahead of the first line, `communicate` would not find again.
        bufsize=0,
    )
    try:
        assert process.stdout
        line = process.stdout.readline().decode()
        found = re.search(r"http://\S+", line)
        if found is None:
            raise AssertionError(line + process.communicate(timeout=_WAITED)[1].decode())
        yield Serving(process, found[0])
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
