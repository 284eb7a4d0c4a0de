"""Waits before retries, longer each time, and gives up in the end."""

from __future__ import annotations

from collections.abc import Callable

from wikibias.dumps.web.pace import LEAST_RATE, WINDOW
from wikibias.errors import FetchError

TRIES = 8
# A wrong address should fail soon.
TRIES_AT_FIRST = 4
_LONGEST_BACKOFF, _LONGEST_WAIT = 60, 900


class Backoff:
    """Waits before each retry of one file; gives up after several without progress."""

    def __init__(self, pause: Callable[[float], None], url: str, most: int = TRIES) -> None:
        """Begin with no tries; `pause` waits."""
        self._pause = pause
        self._url = url
        self._most = most
        self._tries = 0
        self._furthest = 0

    def reached(self, at: int) -> None:
        """Count the retries from 0 again if clearly more of the file than before has arrived.

        So much is what the least rate gives in one window: some bytes at each try would hold us.
        """
        if at >= self._furthest + LEAST_RATE * WINDOW:
            self._furthest, self._tries = at, 0

    def wait(self, reason: str, asked: float = 0.0) -> None:
        """Wait before a retry, at least as many seconds as the server asked for.

        Raises:
            FetchError: there were too many retries, or the server asks for too long a wait.
        """
        self._tries += 1
        if self._tries >= self._most or asked > _LONGEST_WAIT:
            # A server may ask for thousands of years.
            minutes = f"{min(asked / 60, 1e6):.0f} minutes"
            wait = f", and asks to wait {minutes}" if asked > _LONGEST_WAIT else ""
            raise FetchError(
                f"{self._url}: {reason}{wait}; run the same command again later: "
                "it goes on where it stopped"
            )
        self._pause(max(asked, min(2.0 ** (self._tries - 1), _LONGEST_BACKOFF)))
