"""Identity reverts: a revision with the text of an earlier one undoes all that lie between."""

from __future__ import annotations

from collections import deque
from collections.abc import Reversible
from datetime import timedelta

from wikibias.config.thresholds import Reverts
from wikibias.records import Revision


class RevertDetector:
    """Watches the revisions of one page, oldest first, and tells which ones are undone.

    The window is `radius` revisions back, and `days` after the revision that is undone: what
    stood longer than that was accepted before somebody changed their mind.
    """

    def __init__(self, limits: Reverts) -> None:
        self._window: deque[Revision] = deque(maxlen=limits.radius + 1)
        self._reach = timedelta(days=limits.days)

    @property
    def window(self) -> Reversible[Revision]:
        """The last revisions taken, oldest first."""
        return self._window

    def pass_by(self, revision: Revision) -> None:
        """Take the next revision where nobody asks what it undoes."""
        self._window.append(revision)

    def undone_by(self, revision: Revision) -> list[int]:
        """Take the next revision; return the ids of the earlier ones it undoes, oldest first.

        A revision whose text is not known undoes nothing, and is undone
        with those around it. One with the same text as the restored one is not undone.
        """
        found = self._undone(revision) if revision.has_text else []
        self._window.append(revision)
        return found

    def _undone(self, revision: Revision) -> list[int]:
        undone: list[int] = []
        for earlier in reversed(self._window):
            if revision.repeats(earlier):
                undone.reverse()
                return undone
            if revision.timestamp - earlier.timestamp <= self._reach:
                undone.append(earlier.id)
        return []
