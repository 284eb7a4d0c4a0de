"""How long tags stood, and where the row of edits began that took them out or put them in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from wikibias.records import Revision

_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class TagDuration:
    """For how long, in days and in revisions, the tag stood that stood longest of some.

    None where it has not been seen to come.
    """

    days: float | None
    revisions: int | None


class TagDurations:
    """Watches the known revisions of one page, oldest first."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[datetime, int]] = {}
        self._editor: str | None = None
        # Revisions and not their texts, which need not be decoded if no tag goes.
        self._last: Revision | None = None
        self._before_row: Revision | None = None

    def follow(self, revision: Revision, position: int, tags: Collection[str]) -> None:
        """Take the next revision, after all else was asked; `position` counts unknown ones too."""
        if tags or self._since:
            for tag in [tag for tag in self._since if tag not in tags]:
                del self._since[tag]
            for tag in tags:
                self._since.setdefault(tag, (revision.timestamp, position))
        self._turn(revision)
        self._last = revision

    def stood(self, revision: Revision, position: int, gone: Collection[str]) -> TagDuration:
        """Return how long tags had stood that the revision took out."""
        stood = [self._since[tag] for tag in gone if tag in self._since]
        seconds = [(revision.timestamp - since).total_seconds() for since, _ in stood]
        return TagDuration(
            days=max(seconds) / _DAY if seconds else None,
            revisions=max((position - n for _, n in stood), default=None),
        )

    def before_row(self, revision: Revision) -> Revision | None:
        """Return the one before the unbroken row of its editor's that `revision` ends."""
        self._turn(revision)
        return self._before_row

    def _turn(self, revision: Revision) -> None:
        """Begin a new row of revisions where the editor is another one, or hidden."""
        if revision.editor is None or revision.editor != self._editor:
            self._editor = revision.editor
            self._before_row = self._last
