"""What becomes of a change of tags in the revisions that follow it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from wikibias.records import History, Kind
from wikibias.transitions.tag_duration import DAY


@dataclass(slots=True)
class Aftermath:
    """Watches what follows an edit of this time that added or removed these tags.

    `reverted` says that an identity revert undid it, `tag_back` when a removed tag was back, and
    `ended` when the edit was taken back in either way; an addition, by the removal of a tag.
    """

    kind: Kind
    tags: tuple[str, ...]
    time: datetime
    reverted: bool = False
    tag_back: datetime | None = None
    ended: datetime | None = None

    def undo(self, time: datetime) -> None:
        """Note that a revision of this time undid the edit."""
        self.reverted = True
        self.ended = self.ended or time

    def see(self, tags: Collection[str], time: datetime) -> None:
        """Take the tags of a later revision."""
        if self.kind == "added":
            is_back = not all(tag in tags for tag in self.tags)
        else:
            is_back = any(tag in tags for tag in self.tags)
            if is_back:
                self.tag_back = self.tag_back or time
        if is_back:
            self.ended = self.ended or time

    def added_to(self, history: History, last: datetime | None) -> History:
        """Return the history of the edit with what followed it.

        `last` is the time of the last later revision that was seen, None without one.
        """
        return replace(
            history,
            tag_back_days=self._days(self.tag_back),
            survived_days=self._days(self.ended or last),
        )

    def _days(self, until: datetime | None) -> float | None:
        # The clock of a wiki may have gone back.
        return None if until is None else max(0.0, (until - self.time).total_seconds() / DAY)
