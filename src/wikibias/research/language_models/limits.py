"""How often, and how many at once, a server may be asked; all workers keep to it together.

After a refusal nobody asks until the server's own wait is over, and only half as many ask at once;
each good answer lets a little more through again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

LONGEST_WAIT = 900.0
"""Seconds; a server that asks for more is not waited for."""
_LONGEST_BACKOFF = 60.0


class Limits:
    """Lets workers through.

    Args:
        most: how many ask at once.
        first: seconds before the first retry; it doubles with each.
    """

    def __init__(self, most: int, first: float = 0.5) -> None:
        self._most, self._first = most, first
        self._allowed = float(most)
        self._at_work = 0
        self._not_before = 0.0
        self._changed = Condition()
        self._drawn = random.Random(0)  # noqa: S311 (spreads retries, guards nothing)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn to ask, and give it back at the end."""
        with self._changed:
            while (wait := self._wait()) is not None:
                self._changed.wait(wait)
            self._at_work += 1
        try:
            yield
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()

    def answered(self) -> None:
        """Note a good answer."""
        with self._changed:
            self._allowed = min(self._most, self._allowed + 1 / self._allowed)
            self._changed.notify_all()

    def refused(self, tries: int, asked: float = 0.0) -> float:
        """Note that the server is busy; return for how many seconds nobody asks it.

        Args:
            tries: how often this worker has been refused.
            asked: how many seconds the server wants to be left alone.
        """
        with self._changed:
            seconds = max(asked, self.backoff(tries))
            self._not_before = max(self._not_before, time.monotonic() + seconds)
            self._allowed = max(1.0, self._allowed / 2)
        return seconds

    def backoff(self, tries: int) -> float:
        """Return the seconds before a retry: twice as long each time, a little spread."""
        return float(
            min(_LONGEST_BACKOFF, self._first * 2 ** (tries - 1)) * self._drawn.uniform(1, 1.25)
        )

    def _wait(self) -> float | None:
        """Return how long to wait before looking again, or None where it is one's turn."""
        early = self._not_before - time.monotonic()
        if early > 0:
            return early
        return None if self._at_work < max(1, int(self._allowed)) else 60.0
