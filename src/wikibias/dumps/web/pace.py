"""Ends connections to servers that are too slow.

The time limit of a socket begins anew with every byte, so that a byte now and then holds it for
ever. What waits here is watched from another thread, which shuts the connection down.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# Seconds of waiting over which the rate is measured; as long as a socket may be silent. The head of
# an answer, and a single read, may take as long.
WINDOW = 30.0
# Bytes a second. A modem had more; a gigabyte would take eleven days.
LEAST_RATE = 1000


class Pace:
    """Watches one request and its answer; cuts its connection where it is too slow.

    `fault` says why it was cut off, or is empty.
    """

    def __init__(self, limit: float | None = None) -> None:
        """Begin to watch; with `limit`, the whole answer may take no more seconds than that."""
        self.fault = ""
        self._limit = limit
        self._begun = time.monotonic()
        self._since: float | None = None
        self._waited, self._arrived = 0.0, 0
        self._socket: socket.socket | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def take(self, connection: socket.socket) -> None:
        """Watch a connection, on which the head of the answer is awaited now."""
        self._socket, self._since = connection, time.monotonic()
        if self.fault:
            self.cut(self.fault)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Measure the time that the server needs, without that in which nobody waits for it."""
        begun = self._since = time.monotonic()
        try:
            yield
        finally:
            self._since = None
            self._waited += time.monotonic() - begun

    def is_too_slow(self, size: int) -> bool:
        """Count bytes of the answer; return whether it was cut off, or they come too slowly."""
        self._arrived += size
        if self._waited >= WINDOW:
            if size and self._arrived < LEAST_RATE * WINDOW:
                self.fault = f"the server sends less than {LEAST_RATE:,} bytes a second"
            self._waited, self._arrived = 0.0, 0
        return bool(self.fault)

    def cut(self, fault: str) -> None:
        """Shut the connection down, also while another thread waits for it."""
        self.fault = fault
        if self._socket is not None:
            with suppress(OSError):  # it may be closed already
                # Not the method of a TLS socket, which would not end the read of another thread.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def end(self) -> None:
        """Watch no longer."""
        self._ended.set()

    @property
    def has_ended(self) -> bool:
        """Whether nobody watches any longer."""
        return self._ended.is_set()

    def _watch(self) -> None:
        while not self._ended.wait(WINDOW / 20):
            now, since = time.monotonic(), self._since
            if self._limit is not None and now - self._begun > self._limit:
                self.cut(
                    f"the server takes more than {self._limit:.0f} seconds for this small file"
                )
                return
            if since is not None and now - since > WINDOW:
                self.cut(f"the server takes more than {WINDOW:.0f} seconds to answer")
                return
