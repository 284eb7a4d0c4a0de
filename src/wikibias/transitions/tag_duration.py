"""How long tags have stood on a page."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from wikibias.records import Revision

DAY = 86400.0  # seconds


@dataclass(frozen=True, slots=True)
class TagDuration:
    """How long the tag stood, in days and in revisions; of several tags, the longest.

    None where the revision that added the tag has not been seen.
    """

    days: float | None
    revisions: int | None


class TagDurations:
    """Remembers since when each tag of a page stands; sees the known revisions, oldest first."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[datetime, int]] = {}

    def follow(self, revision: Revision, position: int, tags: Collection[str]) -> None:
        """Take the next revision and its tags; `position` counts revisions without text too."""
        if not tags and not self._since:
            return
        for tag in [tag for tag in self._since if tag not in tags]:
            del self._since[tag]
        for tag in tags:
            self._since.setdefault(tag, (revision.timestamp, position))

    def of(self, revision: Revision, position: int, removed: Collection[str]) -> TagDuration:
        """Return how long the tags that `revision` removes have stood; ask before `follow`."""
        stood = [self._since[tag] for tag in removed if tag in self._since]
        seconds = [(revision.timestamp - since).total_seconds() for since, _ in stood]
        return TagDuration(
            days=max(seconds) / DAY if seconds else None,
            revisions=max((position - n for _, n in stood), default=None),
        )
