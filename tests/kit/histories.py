"""Synthetic page histories of short texts, for tests of transitions and reverts."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from wikibias.config.choices import Per, SpanPolicy
from wikibias.config.thresholds import Reverts
from wikibias.mediawiki.revisions import base36_sha1
from wikibias.mediawiki.titles import Namespaces
from wikibias.records import Page, ReadRevision, Revision, Site, Transition
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
