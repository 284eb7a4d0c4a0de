"""Changes on their way to transitions: found, but what follows them is still to be seen."""

from __future__ import annotations

from dataclasses import dataclass, field

from wikibias.mediawiki.namespaces import Namespaces
from wikibias.mediawiki.urls import diff_url
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
from wikibias.transitions.aftermath import Aftermath
from wikibias.transitions.tag_duration import TagDuration


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


@dataclass(slots=True)
class Change:
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
    aftermath: Aftermath = field(init=False)

    def __post_init__(self) -> None:
        self.aftermath = Aftermath(self.kind, self.tags, self.after.timestamp)

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
        provenance = Provenance(
            wiki=origin.site.wiki,
            lang=origin.lang,
            part=origin.part,
            page_id=page.id,
            page_title=page.title,
            namespace=page.namespace,
            kind=self.kind,
            tags=self.tags,
            aliases=self.aliases,
            before_rev_id=old.id if old else None,
            after_rev_id=new.id,
            before_timestamp=old.timestamp if old else None,
            after_timestamp=new.timestamp,
            comment=self.comment,
            editor_kind=new.editor_kind,
            reverted=self.aftermath.reverted,
            diff_url=diff_url(origin.site.base, old.id if old else None, new.id),
            tagset_version=origin.tagset_version,
            pairing=self.pairing,
            signal=self.signal,
            days_tagged=self.duration.days,
            revisions_tagged=self.duration.revisions,
            by_bot=new.editor_kind == "bot",
            editor=new.editor if origin.with_editors else None,
        )
        return Transition(
            provenance,
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
