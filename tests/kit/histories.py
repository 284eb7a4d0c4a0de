"""Synthetic page histories of short texts, their transitions, and a table of these in a result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from wikibias.config.choices import Per, SpanPolicy
from wikibias.config.thresholds import Reverts
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.mediawiki import Namespaces, base36_sha1
from wikibias.records import Page, ReadRevision, Revision, Site, TagContext, Transition
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset
from wikibias.transitions.detection import transitions
from wikibias.transitions.pending import Origin

START = datetime(2020, 1, 1, tzinfo=UTC)
SITE = Site(wiki="enwiki", base="https://en.wikipedia.org/wiki/Main_Page", lang="en", namespaces={})
NAMESPACES = Namespaces.of({})
ORIGIN = Origin(
    site=SITE, lang="en", part="p", tagset_version="v", namespaces=NAMESPACES, with_editors=False
)
MATCHER = Matcher(load_tagset("npov", "en"), NAMESPACES)


def revisions(
    texts: Sequence[str | None],
    hours: Sequence[float] | None = None,
    editors: Sequence[str | None] | None = None,
) -> list[Revision]:
    """Return revisions 1, 2, ... an hour apart, or at the given hours; None is unknown text."""
    at = hours or range(len(texts))
    names = editors or ["E"] * len(texts)
    return [
        ReadRevision(
            id=number,
            timestamp=START + timedelta(hours=hour),
            text=text,
            checksum=None if text is None else base36_sha1(text),
            comment="",
            editor=name,
            editor_kind="registered",
        )
        for number, (text, hour, name) in enumerate(zip(texts, at, names, strict=True), start=1)
    ]


def history(
    texts: Sequence[str | None],
    hours: Sequence[float] | None = None,
    *,
    editors: Sequence[str | None] | None = None,
    per: Per = "tag",
    reverts: Reverts | None = None,
    spans: SpanPolicy | None = None,
) -> list[Transition]:
    """Return the transitions of a page with these texts; `editors` names who wrote each text."""
    made = revisions(texts, hours, editors)
    pages = iter([Page(7, "P", 0, iter(made))])
    limits = reverts or Reverts()
    return list(transitions(pages, ORIGIN, MATCHER, per=per, reverts=limits, spans=spans))


_CONTEXT = TagContext(scope=(), section=(), pointed_at=(), edited_text=None, only_tags=None)


@dataclass(frozen=True)
class Told:
    """The texts of a page, and when it got each of them, in hours after `histories.START`."""

    id: int
    title: str
    texts: Sequence[str | None]
    hours: Sequence[float] | None = None
    namespace: int = 0
    first_parent: int | None = None

    def page(self) -> Page:
        """Return the page, whose revisions have numbers of their own."""
        made = revisions(self.texts, self.hours)
        numbered = [
            replace(r, id=self.id * 1000 + r.id) for r in made if isinstance(r, ReadRevision)
        ]
        numbered[0] = replace(numbered[0], parent_id=self.first_parent)
        return Page(self.id, self.title, self.namespace, iter(numbered))


def transitions_of(
    pages: Iterable[Told], *, per: Per = "tag", spans: SpanPolicy | None = None
) -> list[Transition]:
    """Return what `detect` finds in the pages."""
    found = (told.page() for told in pages)
    return list(transitions(found, ORIGIN, MATCHER, per=per, reverts=Reverts(), spans=spans))


def write_transitions(
    folder: Path,
    part: str,
    found: Iterable[Transition],
    *,
    newest: datetime | None = None,
    page_ids: tuple[int, int] | None = None,
) -> Path:
    """Write transitions as those of a part into a result folder, and return the folder."""
    target = folder / "transitions" / f"{part}.parquet"
    target.parent.mkdir(parents=True, exist_ok=True)
    meta: dict[str, object] = {"newest": newest.isoformat()} if newest else {}
    if page_ids:
        meta |= {"wiki": ORIGIN.site.wiki, "first_page": page_ids[0], "last_page": page_ids[1]}
    with writing(target, TRANSITIONS_TABLE, lambda: meta) as table:
        for made in found:
            text = made.before_text, made.after_text
            table.write(Transition(made.provenance, _CONTEXT, *text, history=made.history))
    return folder
