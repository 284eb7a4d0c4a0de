"""Revisions to transitions: where a tag comes or goes in the history of a page."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from wikibias.config.thresholds import Reverts
from wikibias.errors import DumpError
from wikibias.mediawiki.accounts import without_names
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.mediawiki.urls import diff_url
from wikibias.records import Kind, Page, Pairing, Provenance, Revision, Site, Transition
from wikibias.tags.matcher import Matcher
from wikibias.transitions.reverts import RevertDetector
from wikibias.transitions.tag_duration import TagDuration, TagDurations
from wikibias.transitions.tag_spans import TagSpan, TagSpans

Per = Literal["tag", "any"]
SpanPolicy = Literal["skip reverted", "all"]
_PAIRINGS: Mapping[Kind, Pairing] = {"removed": "removal-edit", "added": "addition-edit"}
# How many of a page's last editors to know by name, to keep their names out of summaries.
_EDITORS = 200


@dataclass(frozen=True, slots=True)
class Origin:
    """What all transitions of one part share."""

    site: Site
    lang: str
    part: str
    tagset_version: str
    namespaces: Namespaces
    with_editors: bool = False


@dataclass(frozen=True, slots=True)
class _State:
    """A revision whose text is known, and the tags in it."""

    revision: Revision
    tags: Mapping[str, str]


@dataclass(slots=True)
class _Pending:
    """A transition that a coming revision may still revert."""

    transition: Transition
    position: int
    reverted: bool = field(default=False)


def transitions(
    pages: Iterable[Page],
    origin: Origin,
    matcher: Matcher,
    *,
    per: Per,
    reverts: Reverts,
    spans: SpanPolicy | None = None,
) -> Iterator[Transition]:
    """Yield the transitions of all pages, in the order of the revisions that made them.

    With `spans`, tagged spans too, each when no revert can change it any more.
    """
    for page in pages:
        watched = spans and TagSpans(skip_reverted=spans == "skip reverted", radius=reverts.radius)
        yield from page_transitions(page, origin, matcher, per=per, reverts=reverts, spans=watched)


def page_transitions(
    page: Page,
    origin: Origin,
    matcher: Matcher,
    *,
    per: Per,
    reverts: Reverts,
    spans: TagSpans | None = None,
) -> Iterator[Transition]:
    """Yield the transitions of one page (2019 paper, section 3.2, both ways and per tag).

    A revision whose text is not known neither starts nor ends a tag: the ones on both sides of
    it count as adjacent. Holds two revisions, and the transitions that a revert within
    `reverts.radius` revisions may still undo; for `spans`, as many revisions too.
    """
    watch = _Watch(page, origin, matcher, per, reverts, spans)
    damage: DumpError | None = None
    try:
        for position, revision in enumerate(page.revisions):
            settled = watch.follow(position, revision)
            if settled:
                yield from settled
            if revision.has_text:
                watch.compare(position, revision)
    except DumpError as error:
        # Found only now, in a text that was not decoded before; what came earlier is whole.
        damage = error
    yield from watch.end()
    if damage is not None:
        raise damage


class _Watch:
    """Watches the revisions of one page, oldest first."""

    def __init__(
        self,
        page: Page,
        origin: Origin,
        matcher: Matcher,
        per: Per,
        reverts: Reverts,
        spans: TagSpans | None,
    ) -> None:
        self._page = page
        self._origin = origin
        self._matcher = matcher
        self._per = per
        self._radius = reverts.radius
        self._spans = spans
        self._detector = RevertDetector(reverts)
        self._standing = TagDurations()
        self._pending: deque[_Pending] = deque()
        self._before: Revision | None = None
        self._tags: Mapping[str, str] = {}
        self._editors: dict[str, None] = {}

    def follow(self, position: int, revision: Revision) -> Iterable[Transition]:
        """Take the next revision; return the transitions that nothing can change any more."""
        editor = revision.editor
        if editor not in self._editors and editor:
            self._know(editor)
        if not self._pending and self._spans is None:
            self._detector.pass_by(revision)
            return ()
        undone = self._detector.undone_by(revision)
        settled = self._settle(position, undone)
        if self._spans is not None:
            self._spans.undo(undone)
            settled += self._of_spans(self._spans, position)
        return settled

    def compare(self, position: int, revision: Revision) -> None:
        """Compare the revision, whose text is known, with the one before it."""
        tags = self._tags_of(revision)
        if tags != self._tags:
            self._note(position, revision, tags)
        self._standing.follow(revision, position, tags)
        if self._spans is not None:
            self._spans.see(revision, tags, position)
        self._before, self._tags = revision, tags

    def end(self) -> Iterator[Transition]:
        """Yield the transitions that are left at the end of the page."""
        for waiting in self._pending:
            yield _settled(waiting)
        if self._spans is not None:
            yield from self._of_spans(self._spans, None)

    def _know(self, editor: str) -> None:
        self._editors[editor] = None
        if len(self._editors) > _EDITORS:
            del self._editors[next(iter(self._editors))]

    def _tags_of(self, revision: Revision) -> Mapping[str, str]:
        if revision.tags is not None:
            return revision.tags
        if self._before is not None and revision.repeats(self._before):
            return self._tags
        return self._matcher.tags(revision.text or "")

    def _note(self, position: int, revision: Revision, tags: Mapping[str, str]) -> None:
        before = None if self._before is None else _State(self._before, self._tags)
        after = _State(revision, tags)
        begun = self._standing.before_row(revision)
        row_text = None if begun is self._before else (begun.text or "" if begun else "")
        for kind, changed in _changes(before, after, self._per):
            stood = self._standing.stood(revision, position, changed if kind == "removed" else ())
            made = _transition(
                self._page, self._origin, kind, changed, before, after, self._editors, stood
            )
            self._pending.append(_Pending(replace(made, row_text=row_text), position))

    def _settle(self, position: int, undone: Collection[int]) -> list[Transition]:
        for waiting in self._pending:
            if waiting.transition.provenance.after_rev_id in undone:
                waiting.reverted = True
        settled = []
        while self._pending and self._pending[0].position < position - self._radius:
            settled.append(_settled(self._pending.popleft()))
        return settled

    def _of_spans(self, spans: TagSpans, position: int | None) -> Iterator[Transition]:
        for span in spans.settled(position):
            yield _of_span(span, self._page, self._origin, self._editors)


def _changes(before: _State | None, after: _State, per: Per) -> Iterator[tuple[Kind, list[str]]]:
    old: Mapping[str, str] = before.tags if before else {}
    gone = sorted(old.keys() - after.tags.keys())
    new = sorted(after.tags.keys() - old.keys())
    if per == "any" and old and after.tags:
        return
    if gone:
        yield "removed", gone
    if new:
        yield "added", new


def _transition(
    page: Page,
    origin: Origin,
    kind: Kind,
    tags: list[str],
    before: _State | None,
    after: _State,
    editors: Collection[str],
    stood: TagDuration,
) -> Transition:
    carrier = after if kind == "added" or before is None else before
    revision = after.revision
    old = before.revision if before else None
    provenance = Provenance(
        wiki=origin.site.wiki,
        lang=origin.lang,
        part=origin.part,
        page_id=page.id,
        page_title=page.title,
        namespace=page.namespace,
        kind=kind,
        tags=tuple(tags),
        aliases=tuple(carrier.tags[tag] for tag in tags),
        before_rev_id=old.id if old else None,
        after_rev_id=revision.id,
        before_timestamp=old.timestamp if old else None,
        after_timestamp=revision.timestamp,
        comment=revision.comment
        if origin.with_editors
        else without_names(revision.comment, origin.namespaces, editors),
        editor_kind=revision.editor_kind,
        editor=revision.editor if origin.with_editors else None,
        reverted=False,
        diff_url=diff_url(origin.site.base, old.id if old else None, revision.id),
        tagset_version=origin.tagset_version,
        pairing=_PAIRINGS[kind],
        days_tagged=stood.days,
        revisions_tagged=stood.revisions,
        by_bot=revision.editor_kind == "bot",
    )
    return Transition(provenance, (old.text or "") if old else "", revision.text or "")


def _settled(pending: _Pending) -> Transition:
    if not pending.reverted:
        return pending.transition
    provenance = replace(pending.transition.provenance, reverted=True)
    return replace(pending.transition, provenance=provenance)


def _of_span(span: TagSpan, page: Page, origin: Origin, editors: Collection[str]) -> Transition:
    first = _State(span.first.revision, span.first.tags)
    end = _State(span.end.revision, span.end.tags)
    took = end.revision.timestamp - first.revision.timestamp
    stood = TagDuration(took.total_seconds() / 86400, span.end.position - span.first.position)
    made = _transition(page, origin, "removed", list(span.tags), first, end, editors, stood)
    return replace(made, provenance=replace(made.provenance, pairing="tagged-span"))
