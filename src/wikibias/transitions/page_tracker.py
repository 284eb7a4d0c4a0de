"""State of a page: its last revisions, edit sessions, tagged intervals, pending transitions."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from wikibias import records
from wikibias.config import choices, thresholds
from wikibias.errors import DumpError
from wikibias.mediawiki import is_intact, without_names
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import FeaturedMatcher
from wikibias.transitions import pending


class EditSessions:
    """Follows the edit sessions of a page; sees the known revisions, oldest first.

    Each revision of a hidden editor is a session of its own.
    """

    def __init__(self) -> None:
        self._editor: str | None = None
        # Revisions and not their texts, which are decoded only if a tag changes.
        self._last: records.Revision | None = None
        self._base: records.Revision | None = None

    def follow(self, revision: records.Revision) -> None:
        """Take the next revision."""
        editor = revision.editor
        if editor is None or editor != self._editor:
            self._base = self._last
            self._editor = editor
        self._last = revision

    def base(self, revision: records.Revision) -> records.Revision | None:
        """Return the revision before the session that the next `revision` belongs to."""
        same = revision.editor is not None and revision.editor == self._editor
        return self._base if same else self._last


@dataclass(frozen=True, slots=True)
class TagSpan:
    """Tags that one revision added and another one removed."""

    tags: tuple[str, ...]
    first: pending.Seen
    end: pending.Seen


class TagSpans(pending.Revertible):
    """Watches the known revisions of one page, oldest first.

    With `skip_reverted`, a revision that an identity revert undid neither begins nor ends a span;
    so each one waits until no revert within `radius` revisions can reach it any more.
    """

    def __init__(self, *, skip_reverted: bool, radius: int) -> None:
        super().__init__(radius)
        self._skip = skip_reverted
        self._open: dict[str, pending.Seen] = {}

    def see(self, revision: records.Revision, tags: Mapping[str, str], position: int) -> None:
        """Take the next revision."""
        self.waiting.append(pending.Seen(revision, tags, position))

    def ended(self, position: int | None = None) -> Iterator[TagSpan]:
        """Yield the spans that ended, as known at `position`, or at the end of the page."""
        for seen in self.settled(position):
            if not (self._skip and seen.undone):
                yield from self._step(seen)

    def _step(self, seen: pending.Seen) -> Iterator[TagSpan]:
        ended: dict[int, list[str]] = {}
        for tag in sorted(self._open.keys() - seen.tags.keys()):
            ended.setdefault(self._open[tag].position, []).append(tag)
        for position in sorted(ended):
            tags = tuple(ended[position])
            yield TagSpan(tags, self._open[tags[0]], seen)
            for tag in tags:
                del self._open[tag]
        for tag in seen.tags:
            self._open.setdefault(tag, seen)


NO_TAGS: Mapping[str, str] = {}
_UNTAGGED = pending.TagDuration(None, None)
# How many of a page's last editors to know by name, to keep their names out of summaries.
_EDITORS = 200


# Takes the revisions whose text does not match its checksum, of a page.
OnDamage = Callable[[records.Page, records.Revision], None]


def end_part(page: records.Page, revision: records.Revision) -> None:
    """End the part at a text that does not match its checksum.

    Raises:
        DumpError: always.
    """
    where = f"in page {page.title!r} in revision {revision.id}"
    raise DumpError(f"is damaged {where}: the text does not match its checksum; fetch it again")


@dataclass(eq=False)
class PageTracker:
    """Watches the revisions of one page, oldest first.

    `last` is the last one taken. `marks` are looked for by somebody else, but what the reader has
    found of them stands among the tags.
    """

    _page: records.Page
    _origin: pending.Origin
    _matcher: Matcher | None
    _per: choices.Per
    _reverts: thresholds.Reverts
    _spans: TagSpans | None
    _on_damage: OnDamage
    _marks: FeaturedMatcher | None

    def __post_init__(self) -> None:
        self._detector = pending.RevertDetector(self._reverts)
        self._durations = pending.TagDurations()
        self._sessions = EditSessions()
        self._restores = pending.Restores()
        # What is known in the end of the removals settled last, by the newer revision: the history
        # of a tagged span is that of the edit that ended it.
        self._removals: dict[int, records.History] = {}
        self._pending: deque[pending.PendingTransition] = deque()
        self.last: records.Revision | None = None
        # The last one whose text is known.
        self._before: records.Revision | None = None
        self._before_position = -1
        self._tags: Mapping[str, str] = {}
        self._editors: dict[str, None] = {}
        # The ids of the revisions whose text does not match its checksum.
        self._damaged: set[int] = set()
        # The last one found intact: of edits with intents in a row it is the next one's older side.
        self._intact: records.Revision | None = None

    def pass_by(self, position: int, revision: records.Revision) -> bool:
        """Take the next revision, which has no tag, unless more than that is to be watched."""
        if self._tags or self._pending or self._spans is not None or not revision.has_text:
            return False
        editor = revision.editor
        if editor not in self._editors and editor:
            self._know(editor)
        self._detector.pass_by(revision)
        self._sessions.follow(revision)
        self.last = self._before = revision
        self._before_position = position
        return True

    def follow(self, position: int, revision: records.Revision) -> Iterable[records.Transition]:
        """Take the next revision; return the transitions that nothing can change any more."""
        editor = revision.editor
        if editor not in self._editors and editor:
            self._know(editor)
        if not self._pending and self._spans is None:
            self._detector.pass_by(revision)
            return ()
        undone = self._detector.undone_by(revision)
        for waiting in self._pending:
            if waiting.after.id in undone:
                waiting.aftermath.undo(revision.timestamp)
        settled = []
        self._removals.clear()
        while self._pending and self._pending[0].position < position - self._reverts.radius:
            settled.append(self._settled(self._pending.popleft()))
        if self._spans is not None:
            self._spans.undo(undone)
            settled += self._span_transitions(self._spans, position)
        return settled

    def compare(self, position: int, revision: records.Revision) -> None:
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

    def note_summary(self, position: int, revision: records.Revision) -> None:
        """Note that the summary of the revision says what is looked for."""
        before = self.last
        if not self._are_intact(before, revision):
            return
        history = self._untagged_history(revision)
        change = self._change("summary-edit", "summary", before, revision, position, history)
        self._pending.append(change)

    def note_intents(
        self, position: int, revision: records.Revision, found: records.IntentsFound
    ) -> None:
        """Note the intents of the edit that made the revision."""
        before = self.last
        if before is None or not self._are_intact(before, revision):
            return
        history = self._untagged_history(revision)
        for intent, lines in found.intents.items():
            about = self._change("intent-edit", intent, before, revision, position, history)
            about.transition = replace(about.transition, lines=lines, facts=found.facts)
            self._pending.append(about)

    def end(self) -> Iterator[records.Transition]:
        """Yield the transitions that are left at the end of the page."""
        for waiting in self._pending:
            yield self._settled(waiting)
        if self._spans is not None:
            yield from self._span_transitions(self._spans, None)

    def _know(self, editor: str) -> None:
        self._editors[editor] = None
        if len(self._editors) > _EDITORS:
            del self._editors[next(iter(self._editors))]

    def _tags_of(self, revision: records.Revision) -> Mapping[str, str]:
        if self._matcher is None:
            return NO_TAGS
        if revision.tags is not None:
            return revision.tags if self._marks is None else self._marks.apart(revision.tags)
        if self._before is not None and revision.repeats(self._before):
            return self._tags
        return self._matcher.tags(revision.text or "")

    def _note(self, position: int, revision: records.Revision, tags: Mapping[str, str]) -> None:
        before, old = self._before, self._tags
        base = self._sessions.base(revision)
        base_text = None if base is before else _text_of(base)
        if not self._are_intact(before, revision, None if base is before else base):
            return
        gone, new = sorted(old.keys() - tags.keys()), sorted(tags.keys() - old.keys())
        restored = None
        if before is not None:
            earlier = reversed(self._detector.window)
            restored = self._restores.restored_by(revision, before, gone, earlier)
            self._restores.follow(before, gone, new)
        if self._per == "any" and old and tags:
            return
        sides: tuple[tuple[records.Pairing, list[str], Mapping[str, str]], ...] = (
            ("removal-edit", gone, old),
            ("addition-edit", new, tags),
        )
        for pairing, changed, names in sides:
            if not changed:
                continue
            history = records.History(
                parent_rev_id=revision.parent_id,
                restores_rev_id=restored.rev_id if restored else None,
                restores_nearly=bool(restored and restored.nearly),
                revisions_between=position - self._before_position - 1,
                tags_left=tuple(sorted(old.keys() & tags.keys())),
                tags_swapped_in=tuple(new) if changed is gone else (),
            )
            aliases = {tag: names[tag] for tag in changed}
            stood = self._durations.of(revision, position, changed)
            about = self._change(
                pairing, "tag", before, revision, position, history, aliases, stood, base_text
            )
            self._pending.append(about)

    def _untagged_history(self, revision: records.Revision) -> records.History:
        # The revision itself is the last one in the window.
        restored = pending.restored_by(revision, self._detector.window)
        return records.History(parent_rev_id=revision.parent_id, restores_rev_id=restored)

    def _change(
        self,
        pairing: records.Pairing,
        signal: records.Signal,
        before: records.Revision | None,
        after: records.Revision,
        position: int,
        history: records.History,
        aliases: Mapping[str, str] = NO_TAGS,
        stood: pending.TagDuration = _UNTAGGED,
        session_base_text: str | None = None,
    ) -> pending.PendingTransition:
        origin, comment, older = self._origin, after.comment, before.id if before else None
        if not origin.with_editors:
            # Now and not when it is settled: by then other editors may be known.
            comment = without_names(comment, origin.namespaces, self._editors)
        kind: records.Kind = "added" if pairing == "addition-edit" else "removed"
        provenance = origin.provenance(
            self._page,
            after,
            older,
            kind=kind,
            tags=tuple(aliases),
            aliases=tuple(aliases.values()),
            before_rev_id=older,
            before_timestamp=before.timestamp if before else None,
            comment=comment,
            reverted=False,
            pairing=pairing,
            signal=signal,
            days_tagged=stood.days,
            revisions_tagged=stood.revisions,
        )
        texts: dict[str, Any] = {"before_text": None, "after_text": None}
        # Of an edit with an intent the lines stand in place of the texts.
        sides = {} if pairing == "intent-edit" else {"before": before, "after": after}
        for side, made in sides.items():
            text = texts[f"{side}_text"] = _text_of(made)
            # By its checksum a text that is not known can be told elsewhere.
            texts[f"{side}_sha1"] = made.checksum if made and text is None else None
        base = session_base_text
        transition = records.Transition(
            provenance, None, session_base_text=base, history=history, **texts
        )
        return pending.PendingTransition(transition, after, position)

    def _are_intact(self, *revisions: records.Revision | None) -> bool:
        """Return whether all texts match their checksums; report those that do not, once."""
        found = True
        for revision in revisions:
            if revision is None or revision is self._intact:
                continue
            if is_intact(revision):
                self._intact = revision
                continue
            found = False
            if revision.id not in self._damaged:
                self._damaged.add(revision.id)
                self._on_damage(self._page, revision)
        return found

    def _span_transitions(
        self, spans: TagSpans, position: int | None
    ) -> Iterator[records.Transition]:
        for span in spans.ended(position):
            first, end = span.first.revision, span.end.revision
            if not self._are_intact(first, end):
                continue
            took = (end.timestamp - first.timestamp).total_seconds()
            position = span.end.position
            # An edit that leaves other tags is no transition per any.
            history = self._removals.get(end.id) or records.History(
                parent_rev_id=end.parent_id, tags_left=tuple(sorted(span.end.tags))
            )
            aliases = {tag: span.first.tags[tag] for tag in span.tags}
            stood = pending.TagDuration(took / pending.DAY, position - span.first.position)
            made = self._change("tagged-span", "tag", first, end, position, history, aliases, stood)
            yield made.transition

    def _settled(self, change: pending.PendingTransition) -> records.Transition:
        made = change.transition.provenance
        seen = self.last if made.signal == "summary" else self._before
        last = None if seen is change.after else seen
        until = last.timestamp if last else None
        history = change.aftermath.added_to(change.transition.history, until)
        if made.pairing == "removal-edit":
            self._removals[made.after_rev_id] = history
        return change.settled(history)


def _text_of(revision: records.Revision | None) -> str | None:
    return revision.text if revision else ""
