"""Identity reverts: a revision whose checksum an earlier one had undoes all that lie between."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta

from wikibias.config import Reverts


class RevertDetector:
    """Watches the revisions of one page, oldest first, and tells which ones are undone.

    The window is `radius` revisions back, and `days` after the revision that is undone: what
    stood longer than that was accepted before somebody changed their mind.
    """

    def __init__(self, limits: Reverts) -> None:
        self._window: deque[tuple[int, str | None, datetime]] = deque(maxlen=limits.radius + 1)
        self._reach = timedelta(days=limits.days)

    def undone_by(self, rev_id: int, sha1: str | None, timestamp: datetime) -> list[int]:
        """Take the next revision; return the ids of the earlier ones it undoes, oldest first.

        A revision without a checksum (its text is not known) undoes nothing, and is undone
        with those around it. One with the same text as the restored one is not undone.
        """
        undone: list[int] = []
        if sha1 is not None:
            for earlier_id, earlier_sha1, earlier_timestamp in reversed(self._window):
                if earlier_sha1 == sha1:
                    undone.reverse()
                    break
                if timestamp - earlier_timestamp <= self._reach:
                    undone.append(earlier_id)
            else:
                undone = []
        self._window.append((rev_id, sha1, timestamp))
        return undone
