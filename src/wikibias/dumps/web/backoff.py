"""Waits before retries, longer each time, and gives up in the end."""

from __future__ import annotations

import logging
from collections.abc import Callable

from wikibias.dumps.web.pace import LEAST_RATE, WINDOW
from wikibias.errors import FetchError, UnreachableError

TRIES = 8
# A wrong address should fail soon.
TRIES_AT_FIRST = 4
# Without a network, a server that nobody has reached yet will not answer soon.
TRIES_UNREACHED = 2
_LONGEST_BACKOFF, _LONGEST_WAIT = 60, 900
GOES_ON = "run the same command again later: it goes on where it stopped"
_log = logging.getLogger(__name__)


class Backoff:
    """Waits before each retry of one file; gives up after several without progress."""

    def __init__(
        self,
        pause: Callable[[float], None],
        url: str,
        most: int = TRIES,
        remedy: str = GOES_ON,
    ) -> None:
        """Begin with no tries; `pause` waits, and `remedy` is what to do in the end."""
        self._pause = pause
        self._url = url
        self._most = most
        self._remedy = remedy
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
            raise FetchError(f"{self._url}: {reason}{wait}; {self._remedy}")
        seconds = max(asked, min(2.0 ** (self._tries - 1), _LONGEST_BACKOFF))
        which = f"{self._tries + 1} of {self._most}"
        _log.warning(
            "Waits %.0f s, then tries again (%s): %s: %s", seconds, which, self._url, reason
        )
        self._pause(seconds)

    def wait_unreached(self, server: str, reason: str) -> None:
        """Wait before a retry where the server has never been reached.

        Raises:
            UnreachableError: there were some retries.
        """
        self._most = min(self._most, TRIES_UNREACHED)
        if self._tries + 1 >= self._most:
            raise UnreachableError(
                f"{server} cannot be reached ({reason}); check the network, the proxy "
                "(HTTPS_PROXY) and the address"
            )
        self.wait(reason)
