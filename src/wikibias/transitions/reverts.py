"""Identity reverts: a revision with the text of an earlier one undoes all that lie between."""

from __future__ import annotations

from collections import deque
from collections.abc import Reversible
from datetime import timedelta
from itertools import islice

from wikibias.config.thresholds import Reverts
from wikibias.mediawiki.checksums import base36_sha1
from wikibias.records import Revision

# A text that the dump lost may have the checksum of nothing.
_OF_NOTHING = base36_sha1("")


class RevertDetector:
    """Watches the revisions of one page, oldest first, and tells which ones are undone.

    The window is `radius` revisions back, and `days` after the revision that is undone: what
    stood longer than that was accepted before somebody changed their mind.
    """

    def __init__(self, limits: Reverts) -> None:
        self._window: deque[Revision] = deque(maxlen=limits.radius + 1)
        self._reach = timedelta(days=limits.days)
        # Those of the window, once they were asked for.
        self._keys: deque[str | int | None] = deque(maxlen=limits.radius + 1)

    @property
    def window(self) -> Reversible[Revision]:
        """The last revisions taken, oldest first."""
        return self._window

    def pass_by(self, revision: Revision) -> None:
        """Take the next revision where nobody asks what it undoes."""
        self._window.append(revision)
        self._keys.clear()

    def undone_by(self, revision: Revision) -> list[int]:
        """Take the next revision; return the ids of the earlier ones it undoes, oldest first.

        A revision of which neither text nor checksum is known undoes nothing, and is undone with
        those around it. One with the same text as the restored one is not undone.
        """
        key = revision.text_key
        found = self._undone(revision) if _is_known(revision) and self._may_hold(key) else []
        self._window.append(revision)
        self._keys.append(key)
        return found

    def _may_hold(self, key: str | int | None) -> bool:
        """Return whether a text with this key may be in the window.

        To compare two revisions takes as long as looking for a key among all.
        """
        if len(self._keys) < len(self._window):
            self._keys.clear()
            self._keys.extend(earlier.text_key for earlier in self._window)
        others = self._keys
        return key is None or key in others or any(type(other) is not type(key) for other in others)

    def _undone(self, revision: Revision) -> list[int]:
        for place, earlier in enumerate(reversed(self._window)):
            if _is_same(revision, earlier):
                later = islice(self._window, len(self._window) - place, None)
                return [r.id for r in later if revision.timestamp - r.timestamp <= self._reach]
        return []


def restored_by(revision: Revision, earlier: Reversible[Revision]) -> int | None:
    """Return the id of the newest of the earlier revisions that has the text of `revision`.

    The earlier ones are the last of the page, `revision` itself the last of them. One that has the
    text of the revision just before it restores nothing.
    """
    others = list(islice(reversed(earlier), 1, None))
    if not others or _is_same(revision, others[0]):
        return None
    return next((other.id for other in others if _is_same(revision, other)), None)


def _is_known(revision: Revision) -> bool:
    return revision.has_text or revision.checksum not in (None, "", _OF_NOTHING)


def _is_same(one: Revision, other: Revision) -> bool:
    """Return whether two revisions have the same text; checksums tell where texts are missing."""
    if one.has_text and other.has_text:
        return one.repeats(other)
    return _is_known(one) and _is_known(other) and one.checksum == other.checksum
