"""Revisions to transitions: where a tag is added or removed in the history of a page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from wikibias.config.choices import Per, SpanPolicy
from wikibias.config.thresholds import Reverts
from wikibias.errors import DumpError
from wikibias.mediawiki.accounts import without_names
from wikibias.mediawiki.checksums import is_intact
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.mediawiki.urls import diff_url
from wikibias.messages import cause_of
from wikibias.records import (
    History,
    Kind,
    Page,
    Pairing,
    Provenance,
    Revision,
    Site,
    Transition,
    Unreadable,
)
from wikibias.tags.matcher import Matcher
from wikibias.transitions.aftermath import Aftermath
from wikibias.transitions.edit_history import EditHistories, State
from wikibias.transitions.edit_sessions import EditSessions
from wikibias.transitions.reverts import RevertDetector
from wikibias.transitions.tag_duration import DAY, TagDuration, TagDurations
from wikibias.transitions.tag_spans import TagSpans

_PAIRINGS: Mapping[Kind, Pairing] = {"removed": "removal-edit", "added": "addition-edit"}
_NO_TAGS: Mapping[str, str] = {}
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


@dataclass(slots=True)
class _Pending:
    """A change of tags, with all that is known of it but what follows it."""

    kind: Kind
    pairing: Pairing
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
    aftermath: Aftermath = field(init=False)

    def __post_init__(self) -> None:
        self.aftermath = Aftermath(self.kind, self.tags, self.after.timestamp)


# Takes the revisions whose text does not match its checksum, of a page.
OnDamage = Callable[[Page, Revision], None]


def end_part(page: Page, revision: Revision) -> None:
    """End the part at a text that does not match its checksum.

    Raises:
        DumpError: always.
    """
    where = f"in page {page.title!r} in revision {revision.id}"
    raise DumpError(f"is damaged {where}: the text does not match its checksum; fetch it again")


def transitions(
    pages: Iterable[Page],
    origin: Origin,
    matcher: Matcher,
    *,
    per: Per,
    reverts: Reverts,
    skip: Callable[[Unreadable], None] | None = None,
    spans: SpanPolicy | None = None,
    on_damage: OnDamage = end_part,
) -> Iterator[Transition]:
    """Yield the transitions of all pages, in the order of the revisions that made them.

    With `spans`, tagged spans too, each when no revert can change it any more. What a page raises
    ends this page; with `skip`, which is told of it, the next page goes on. A transition of which a
    text does not match its checksum is left out, and the revision given to `on_damage`.

    Raises:
        DumpError: the dump is damaged.
    """
    for page in pages:
        watched = spans and TagSpans(skip_reverted=spans == "skip reverted", radius=reverts.radius)
        found = page_transitions(
            page, origin, matcher, per=per, reverts=reverts, spans=watched, on_damage=on_damage
        )
        try:
            yield from found
        except DumpError:
            raise
        except Exception as error:  # whatever a stranger's page may cause
            if skip is None:
                raise
            skip(Unreadable(page.title, page.id, None, cause_of(error)))


def page_transitions(
    page: Page,
    origin: Origin,
    matcher: Matcher,
    *,
    per: Per,
    reverts: Reverts,
    spans: TagSpans | None = None,
    on_damage: OnDamage = end_part,
) -> Iterator[Transition]:
    """Yield the transitions of one page (2019 paper, section 3.2, both ways and per tag).

    A revision whose text is not known neither starts nor ends a tag: the ones on both sides of
    it count as adjacent. Holds `reverts.radius` revisions, the transitions that a revert may still
    undo, and for each tag the hashes of the lines that stood before it.
    """
    watch = _Watch(page, origin, matcher, per, reverts, spans, on_damage)
    damage: Exception | None = None
    try:
        for position, revision in enumerate(page.revisions):
            # So it is with nearly all revisions of a wiki.
            if revision.tags == _NO_TAGS and watch.pass_by(position, revision):
                continue
            settled = watch.follow(position, revision)
            if settled:
                yield from settled
            if revision.has_text:
                watch.compare(position, revision)
    except Exception as error:
        # Damage found only now, in a text not decoded before, or whatever the page may cause; what
        # was found before it is complete.
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
        on_damage: OnDamage,
    ) -> None:
        self._page = page
        self._origin = origin
        self._matcher = matcher
        self._per = per
        self._radius = reverts.radius
        self._spans = spans
        self._detector = RevertDetector(reverts)
        self._durations = TagDurations()
        self._sessions = EditSessions()
        self._histories = EditHistories()
        self._pending: deque[_Pending] = deque()
        self._before: Revision | None = None
        self._before_position = -1
        self._tags: Mapping[str, str] = {}
        self._editors: dict[str, None] = {}
        self._on_damage = on_damage
        # The ids of the revisions whose text does not match its checksum.
        self._damaged: set[int] = set()

    def pass_by(self, position: int, revision: Revision) -> bool:
        """Take the next revision, which has no tag, unless more than that is to be watched."""
        if self._tags or self._pending or self._spans is not None:
            return False
        editor = revision.editor
        if editor not in self._editors and editor:
            self._know(editor)
        self._detector.pass_by(revision)
        self._sessions.follow(revision)
        self._before, self._before_position = revision, position
        return True

    def follow(self, position: int, revision: Revision) -> Iterable[Transition]:
        """Take the next revision; return the transitions that nothing can change any more."""
        editor = revision.editor
        if editor not in self._editors and editor:
            self._know(editor)
        if not self._pending and self._spans is None:
            self._detector.pass_by(revision)
            return ()
        undone = self._detector.undone_by(revision)
        settled = self._settle(position, revision, undone)
        if self._spans is not None:
            self._spans.undo(undone)
            settled += self._of_spans(self._spans, position)
        return settled

    def compare(self, position: int, revision: Revision) -> None:
        """Compare the revision, whose text is known, with the one before it."""
        tags = self._tags_of(revision)
        if tags != self._tags:
            for waiting in self._pending:
                waiting.aftermath.see(tags, revision.timestamp)
            self._note(position, revision, tags)
        self._durations.follow(revision, position, tags)
        self._sessions.follow(revision)
        if self._spans is not None:
            self._spans.see(revision, tags, position)
        self._before, self._before_position, self._tags = revision, position, tags

    def end(self) -> Iterator[Transition]:
        """Yield the transitions that are left at the end of the page."""
        for waiting in self._pending:
            yield self._settled(waiting)
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
        before = None if self._before is None else State(self._before, self._tags)
        after = State(revision, tags)
        base = self._sessions.base(revision)
        base_text = None if base is self._before else _text_of(base)
        if not self._are_intact(self._before, revision, None if base is self._before else base):
            return
        history = self._histories.of_edit(
            before, after, position - self._before_position - 1, reversed(self._detector.window)
        )
        for kind, changed in _changes(before, after, self._per):
            removed = changed if kind == "removed" else ()
            duration = self._durations.of(revision, position, removed)
            swapped = history.tags_swapped_in if kind == "removed" else ()
            self._pending.append(
                self._change(
                    kind,
                    _PAIRINGS[kind],
                    changed,
                    before,
                    after,
                    duration,
                    position,
                    replace(history, tags_swapped_in=swapped),
                    base_text,
                )
            )

    def _change(
        self,
        kind: Kind,
        pairing: Pairing,
        tags: Sequence[str],
        before: State | None,
        after: State,
        duration: TagDuration,
        position: int,
        history: History,
        session_base_text: str | None = None,
    ) -> _Pending:
        carrier = after if kind == "added" or before is None else before
        old, new, origin = before.revision if before else None, after.revision, self._origin
        return _Pending(
            kind=kind,
            pairing=pairing,
            tags=tuple(tags),
            aliases=tuple(carrier.tags[tag] for tag in tags),
            before=old,
            after=new,
            before_text=_text_of(old),
            after_text=_text_of(new),
            session_base_text=session_base_text,
            # Now and not when it is settled: by then other editors may be known.
            comment=new.comment
            if origin.with_editors
            else without_names(new.comment, origin.namespaces, self._editors),
            duration=duration,
            position=position,
            history=history,
        )

    def _are_intact(self, *revisions: Revision | None) -> bool:
        """Return whether all texts match their checksums; report those that do not, once."""
        found = True
        for revision in revisions:
            if revision is None or is_intact(revision):
                continue
            found = False
            if revision.id not in self._damaged:
                self._damaged.add(revision.id)
                self._on_damage(self._page, revision)
        return found

    def _settle(
        self, position: int, revision: Revision, undone: Collection[int]
    ) -> list[Transition]:
        for waiting in self._pending:
            if waiting.after.id in undone:
                waiting.aftermath.undo(revision.timestamp)
        settled = []
        self._histories.settled.clear()
        while self._pending and self._pending[0].position < position - self._radius:
            settled.append(self._settled(self._pending.popleft()))
        return settled

    def _of_spans(self, spans: TagSpans, position: int | None) -> Iterator[Transition]:
        for span in spans.settled(position):
            first = State(span.first.revision, span.first.tags)
            end = State(span.end.revision, span.end.tags)
            if not self._are_intact(first.revision, end.revision):
                continue
            took = (end.revision.timestamp - first.revision.timestamp).total_seconds()
            position = span.end.position
            duration = TagDuration(took / DAY, position - span.first.position)
            # An edit that leaves other tags is no transition per any.
            history = self._histories.settled.get(end.revision.id) or History(
                parent_rev_id=end.revision.parent_id, tags_left=tuple(sorted(end.tags))
            )
            change = self._change(
                "removed", "tagged-span", span.tags, first, end, duration, position, history
            )
            yield self._made(change, history)

    def _settled(self, change: _Pending) -> Transition:
        last = None if self._before is change.after else self._before
        until = last.timestamp if last else None
        history = change.aftermath.added_to(change.history, until)
        if change.kind == "removed":
            self._histories.settled[change.after.id] = history
        return self._made(change, history)

    def _made(self, change: _Pending, history: History) -> Transition:
        page, origin, old, new = self._page, self._origin, change.before, change.after
        provenance = Provenance(
            wiki=origin.site.wiki,
            lang=origin.lang,
            part=origin.part,
            page_id=page.id,
            page_title=page.title,
            namespace=page.namespace,
            kind=change.kind,
            tags=change.tags,
            aliases=change.aliases,
            before_rev_id=old.id if old else None,
            after_rev_id=new.id,
            before_timestamp=old.timestamp if old else None,
            after_timestamp=new.timestamp,
            comment=change.comment,
            editor_kind=new.editor_kind,
            reverted=change.aftermath.reverted,
            diff_url=diff_url(origin.site.base, old.id if old else None, new.id),
            tagset_version=origin.tagset_version,
            pairing=change.pairing,
            signal="tag",
            days_tagged=change.duration.days,
            revisions_tagged=change.duration.revisions,
            by_bot=new.editor_kind == "bot",
            editor=new.editor if origin.with_editors else None,
        )
        return Transition(
            provenance, change.before_text, change.after_text, change.session_base_text, history
        )


def _text_of(revision: Revision | None) -> str:
    return (revision.text or "") if revision else ""


def _changes(before: State | None, after: State, per: Per) -> Iterator[tuple[Kind, list[str]]]:
    old: Mapping[str, str] = before.tags if before else {}
    gone = sorted(old.keys() - after.tags.keys())
    new = sorted(after.tags.keys() - old.keys())
    if per == "any" and old and after.tags:
        return
    if gone:
        yield "removed", gone
    if new:
        yield "added", new
