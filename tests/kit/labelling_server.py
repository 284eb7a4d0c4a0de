"""The real `wikibias annotate serve` on a port of loopback, and requests without a network."""

import asyncio
import json
import re
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from command_to_kill import Forked, forked


@dataclass
class Serving:
    """A server that runs, and the address that it showed."""

    command: Forked
    address: str

    @property
    def port(self) -> str:
        found = re.search(r":(\d+)/", self.address)
        assert found
        return found[1]

    def end(self, how: signal.Signals) -> tuple[int | None, str]:
        """End the server; return its exit code and what it said since it showed its address."""
        self.command.signal(how)
        code = self.command.ended()
        return code, self.command.out.partition("\n")[2] + self.command.err


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Serving]:
    """Start the command in a folder; end it in any case."""
    with forked("annotate", "serve", *words, folder=folder) as command:
        while "\n" not in command.out and command.process.is_alive():
            time.sleep(0.01)
        found = re.search(r"http://\S+", command.out)
        assert found, command.out + command.err
        yield Serving(command, found[0])


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
