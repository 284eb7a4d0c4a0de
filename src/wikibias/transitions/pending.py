"""Pending transitions: later tag changes, and how long a tag stood."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from wikibias.mediawiki.titles import Namespaces, diff_url
from wikibias.records import (
    ChangedLine,
    EditFact,
    History,
    Kind,
    Page,
    Pairing,
    Provenance,
    Revision,
    Signal,
    Site,
    Transition,
)

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


@dataclass(slots=True)
class Followup:
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


@dataclass(frozen=True, slots=True)
class Origin:
    """What all transitions of one part share.

    Tags are looked for in the pages of `tag_namespaces`; None for all pages.
    """

    site: Site
    lang: str
    part: str
    tagset_version: str
    namespaces: Namespaces
    with_editors: bool = False
    tag_namespaces: tuple[int, ...] | None = None

    def looks_for_tags_in(self, page: Page) -> bool:
        """Return whether tags are looked for in a page."""
        return self.tag_namespaces is None or page.namespace in self.tag_namespaces

    def provenance(
        self, page: Page, revision: Revision, older: int | None, **facts: Any
    ) -> Provenance:
        """Return the provenance of a transition whose newer revision is given.

        `older` is the other revision of its diff; `facts` are the fields that tell of the edit.
        """
        return Provenance(
            wiki=self.site.wiki,
            lang=self.lang,
            part=self.part,
            page_id=page.id,
            page_title=page.title,
            namespace=page.namespace,
            after_rev_id=revision.id,
            after_timestamp=revision.timestamp,
            editor_kind=revision.editor_kind,
            diff_url=diff_url(self.site.base, older, revision.id),
            tagset_version=self.tagset_version,
            by_bot=revision.editor_kind == "bot",
            editor=revision.editor if self.with_editors else None,
            **facts,
        )


@dataclass(slots=True)
class PendingTransition:
    """An edit that changed tags, whose summary says what is looked for, or that has an intent.

    All is known of it but what follows it.
    """

    kind: Kind
    pairing: Pairing
    signal: Signal
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    before: Revision | None
    after: Revision
    before_text: str | None
    after_text: str | None
    session_base_text: str | None
    comment: str
    duration: TagDuration
    position: int
    history: History
    lines: tuple[ChangedLine, ...] = ()
    facts: tuple[EditFact, ...] = ()
    aftermath: Followup = field(init=False)

    def __post_init__(self) -> None:
        self.aftermath = Followup(self.kind, self.tags, self.after.timestamp)

    @property
    def by_summary(self) -> bool:
        """Whether its summary is what it was found by."""
        return self.signal == "summary"

    @property
    def by_intent(self) -> bool:
        """Whether it has an intent; then its lines stand in place of the texts."""
        return self.pairing == "intent-edit"

    def made(self, page: Page, origin: Origin, history: History) -> Transition:
        """Return the transition that it is, with what the history of the page tells in the end."""
        old, new = self.before, self.after
        provenance = origin.provenance(
            page,
            new,
            old.id if old else None,
            kind=self.kind,
            tags=self.tags,
            aliases=self.aliases,
            before_rev_id=old.id if old else None,
            before_timestamp=old.timestamp if old else None,
            comment=self.comment,
            reverted=self.aftermath.reverted,
            pairing=self.pairing,
            signal=self.signal,
            days_tagged=self.duration.days,
            revisions_tagged=self.duration.revisions,
        )
        return Transition(
            provenance,
            None,
            self.before_text,
            self.after_text,
            self.session_base_text,
            history,
            None if self.by_intent else _checksum(old, self.before_text),
            None if self.by_intent else _checksum(new, self.after_text),
            self.lines,
            self.facts,
        )


def _checksum(revision: Revision | None, text: str | None) -> str | None:
    """Return the checksum of a text that is not known, by which it can be told elsewhere."""
    return revision.checksum if revision is not None and text is None else None
