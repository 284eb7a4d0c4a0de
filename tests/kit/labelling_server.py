"""The real `wikibias annotate serve` on a port of loopback, and requests without a network."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

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


@dataclass(frozen=True)
class Reply:
    """The answer of an application."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


def ask(
    app: Any, address: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> Reply:
    """Ask for an address of this machine; with a body, by POST and in small pieces.

    Names of headers may have _ for -; one that is not wanted is given as "".
    """
    parts = urlsplit(address)
    pieces = [] if body is None else [body[at : at + 4096] for at in range(0, len(body), 4096)]
    messages: list[dict[str, Any]] = []
    given = {"host": "127.0.0.1:8740"}
    if body is not None:
        given |= {"content-type": "application/json", "x-wikibias": "1"}
    given |= {name.replace("_", "-"): value for name, value in (headers or {}).items()}

    async def receive() -> dict[str, Any]:
        piece = pieces.pop(0) if pieces else b""
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET" if body is None else "POST",
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "root_path": "",
        "query_string": parts.query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items() if value],
    }
    asyncio.run(app(scope, receive, send))
    start, *rest = messages
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    return Reply(start["status"], found, b"".join(each["body"] for each in rest))
