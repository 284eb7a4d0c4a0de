"""How long tags stood, and whether the one who took them out also mended the text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from wikibias.records import Revision
from wikibias.tags.matcher import Matcher

_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Deed:
    """What an edit that changed tags did beside, and how long those it took out had stood.

    `days` and `revisions` are of the tag that stood longest, None for an addition; the other two
    are None where that does not apply. `only_tags`:
    but for calls of tags and wrappers, and white space, the wikitext is as before.
    `edited_text`: the editor changed more than that, in this revision or in an unbroken row of
    their own right before it.
    """

    days: float | None
    revisions: int | None
    edited_text: bool | None
    only_tags: bool | None


class Standing:
    """Watches the known revisions of one page, oldest first."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._since: dict[str, tuple[datetime, int]] = {}
        self._editor: str | None = None
        # Revisions and not their texts, which need not be decoded if no tag goes.
        self._last: Revision | None = None
        self._before_row: Revision | None = None

    def follow(self, revision: Revision, position: int, tags: Collection[str]) -> None:
        """Take the next revision, after `deed` was asked; `position` counts unknown ones too."""
        if tags or self._since:
            for tag in [tag for tag in self._since if tag not in tags]:
                del self._since[tag]
            for tag in tags:
                self._since.setdefault(tag, (revision.timestamp, position))
        self._turn(revision)
        self._last = revision

    def deed(self, revision: Revision, position: int, gone: Collection[str]) -> Deed:
        """Return what a revision did that took out the tags `gone` or, with none, put some in."""
        self._turn(revision)
        stood = [self._since[tag] for tag in gone if tag in self._since]
        seconds = [(revision.timestamp - since).total_seconds() for since, _ in stood]
        after, before = self._bare(revision), self._bare(self._last)
        row = before if self._before_row is self._last else self._bare(self._before_row)
        return Deed(
            days=max(seconds) / _DAY if seconds else None,
            revisions=max((position - n for _, n in stood), default=None),
            edited_text=row != after,
            only_tags=before == after,
        )

    def _turn(self, revision: Revision) -> None:
        """Begin a new row of revisions where the editor is another one, or hidden."""
        if revision.editor is None or revision.editor != self._editor:
            self._editor = revision.editor
            self._before_row = self._last

    def _bare(self, revision: Revision | None) -> str:
        text = (revision.text if revision else None) or ""
        return " ".join(self._matcher.without_tags(text).split())
