"""Serves the labelling page until it is told to end; alone knows uvicorn."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn

from wikibias.errors import UsageError
from wikibias.research.annotation.labelling.guard import Guard

_SOON = 2  # seconds, for requests that are being answered when it ends
_MOST_AT_ONCE = 200  # connections
_ALL = ("0.0.0.0", "::")  # noqa: S104 (named, not listened on)


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Give a socket that listens; any free port where 0 is asked for.

    Raises:
        UsageError: the host is none of this machine, or the port is taken.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.create_server(address[:2], family=family)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host} port {port} ({error.strerror or error}); give another "
            "--port, such as 0 for any that is free, or another --host"
        ) from error
    with found:
        yield found


def address_of(found: socket.socket, guard: Guard) -> str:
    """Return what to open in a browser, with the token where one is needed."""
    port = found.getsockname()[1]
    host = socket.gethostname() if guard.host in _ALL else guard.host
    named = f"[{host}]" if ":" in host else host
    token = "" if guard.token is None else f"?token={guard.token}"
    return f"http://{named}:{port}/{token}"


def serve_until_told(app: Any, found: socket.socket) -> None:
    """Answer requests until Ctrl-C or `kill`."""
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SOON,
        limit_concurrency=_MOST_AT_ONCE,
    )
    # uvicorn ends first, then hands the signal on: `kill` is to end it as Ctrl-C does.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[found])
    finally:
        signal.signal(signal.SIGTERM, before)
