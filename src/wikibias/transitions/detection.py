"""Transitions of pages: where a tag is added or removed, and the times of featured marks.

A mark that stood for less than `LEAST_DAYS` counts for nothing, nor does one whose edit was undone.
An edit that was undone neither puts a mark in nor takes it away, so that a page that somebody
blanked for a minute stays featured.

Of each featured time one state of the page is taken: the one that stood longest of those that carry
the mark and were not undone, of several the first. Who reads a featured article reviews it, and
what all of them left alone for longest is what they agreed on; vandalism never stands for long, and
nor does what an editor corrects a minute later.

What still stands at the end of a page stood until the date in the name of the dump, or that before
which revisions count; without a name's date, until the last revision of the page.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from wikibias import records
from wikibias.config import choices, thresholds
from wikibias.dumps.parts import dump_date
from wikibias.errors import DumpError, cause_of
from wikibias.mediawiki import is_intact
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import FeaturedMatcher
from wikibias.transitions.page_tracker import NO_TAGS, OnDamage, PageTracker, TagSpans, end_part
from wikibias.transitions.pending import DAY, Origin, RevertDetector, Revertible, Seen
from wikibias.transitions.summaries import IntentSource, SummarySource

LEAST_DAYS = 14
"""For so long a mark must have stood: what nobody decided on goes within days."""
_NOT_SEEN = timedelta(0)


@dataclass(slots=True)
class _Time:
    """A featured time: the edit that began it, and the state that stood longest so far."""

    rev_id: int
    timestamp: datetime
    position: int
    state: Seen | None = None


class FeaturedTimes:
    """Watches the revisions of one page, oldest first.

    Of a page without a mark it keeps no more than the last revisions, as many as a revert may go
    back.
    """

    def __init__(
        self,
        page: records.Page,
        origin: Origin,
        marks: FeaturedMatcher,
        reverts: thresholds.Reverts,
        on_damage: Callable[[records.Page, records.Revision], None],
    ) -> None:
        self._page, self._origin, self._marks = page, origin, marks
        self._on_damage = on_damage
        self._detector = RevertDetector(reverts)
        self._recent = Revertible(reverts.radius)
        self._waiting = self._recent.waiting
        self._open: _Time | None = None
        self._last: records.Revision | None = None
        self._last_marks: Mapping[str, str] = {}
        dumped = _day(dump_date(origin.part))
        self._dumped = min(dumped, origin.end or dumped) if dumped else None

    def see(self, position: int, revision: records.Revision) -> Iterator[records.Transition]:
        """Take the next revision; yield the featured times that ended for good."""
        marks = self._marks_of(revision)
        before, self._last = self._last, revision
        if not (marks or self._waiting or self._open):
            self._detector.pass_by(revision)
            return
        self._recent.undo(self._detector.undone_by(revision))
        if self._waiting and before is self._waiting[-1].revision:
            self._waiting[-1].stood = max(revision.timestamp - before.timestamp, _NOT_SEEN)
        if revision.has_text:
            self._waiting.append(Seen(revision, marks, position))
        for seen in self._recent.settled(position):
            yield from self._step(seen)
        if self._open is None and not any(seen.tags for seen in self._waiting):
            self._waiting.clear()

    def end(self, *, is_whole: bool = True) -> Iterator[records.Transition]:
        """Yield the featured times that are left at the end of the page, or where it is damaged."""
        if self._last is None:
            return
        until = self._last.timestamp
        if is_whole and self._dumped is not None:
            until = max(until, self._dumped)
        if self._waiting and self._waiting[-1].revision is self._last:
            self._waiting[-1].stood = until - self._last.timestamp
        for seen in self._waiting:
            yield from self._step(seen)
        yield from self._closed(until, None)

    def _marks_of(self, revision: records.Revision) -> Mapping[str, str]:
        if not revision.has_text:
            return {}
        if revision.tags is not None:
            found: Mapping[str, str] = self._marks.among(revision.tags) if revision.tags else {}
        elif self._last is not None and revision.repeats(self._last):
            found = self._last_marks
        else:
            found = self._marks.tags(revision.text or "")
        self._last_marks = found
        return found

    def _step(self, seen: Seen) -> Iterator[records.Transition]:
        if seen.undone:
            return
        revision = seen.revision
        if not seen.tags:
            yield from self._closed(revision.timestamp, seen.position)
            return
        if self._open is None:
            self._open = _Time(revision.id, revision.timestamp, seen.position)
        best = self._open.state
        if best is None or seen.stood > best.stood:
            self._open.state = self._kept(seen) or best

    def _kept(self, seen: Seen) -> Seen | None:
        """Return a revision with its text alone, not with the chunk of the dump it came in."""
        made = seen.revision
        if not is_intact(made):
            self._on_damage(self._page, made)
            return None
        copied = records.ReadRevision(
            id=made.id,
            timestamp=made.timestamp,
            text=made.peek(),
            checksum=made.checksum,
            comment="",
            editor=made.editor,
            editor_kind=made.editor_kind,
            parent_id=made.parent_id,
        )
        return Seen(copied, seen.tags, seen.position, seen.stood)

    def _closed(self, until: datetime, position: int | None) -> Iterator[records.Transition]:
        """End the featured time that is open; at the end of the page, `position` is None."""
        time, self._open = self._open, None
        if time is None or time.state is None:
            return
        days = (until - time.timestamp).total_seconds() / DAY
        if days >= LEAST_DAYS:
            revisions = None if position is None else position - time.position
            yield self._snapshot(time, time.state, days, revisions)

    def _snapshot(
        self, time: _Time, state: Seen, days: float, revisions: int | None
    ) -> records.Transition:
        page, origin, new = self._page, self._origin, state.revision
        # Of the edit that put the mark in there is nothing to show beside itself.
        older = None if time.rev_id == new.id else time.rev_id
        provenance = origin.provenance(
            page,
            new,
            older,
            kind="added",
            tags=tuple(state.tags),
            aliases=tuple(state.tags.values()),
            before_rev_id=time.rev_id,
            before_timestamp=time.timestamp,
            # What the summary of this state says has nothing to do with the mark.
            comment="",
            reverted=False,
            pairing="featured-span",
            signal=choices.FEATURED.name,
            days_tagged=days,
            revisions_tagged=revisions,
        )
        stood = state.stood.total_seconds() / DAY
        history = records.History(parent_rev_id=new.parent_id, survived_days=stood)
        return records.Transition(provenance, None, "", new.text, history=history)


def _day(date: str | None) -> datetime | None:
    """Return the begin of a day such as 20261101; None where that is none."""
    try:
        return datetime.strptime(date or "", "%Y%m%d").replace(tzinfo=UTC)
    except ValueError:
        return None


_ARTICLES = 0


def transitions(
    pages: Iterable[records.Page],
    origin: Origin,
    matcher: Matcher | None,
    *,
    per: choices.Per,
    reverts: thresholds.Reverts,
    skip: Callable[[records.Unreadable], None] | None = None,
    spans: choices.SpanPolicy | None = None,
    on_damage: OnDamage = end_part,
    summaries: SummarySource | None = None,
    intents: IntentSource | None = None,
    marks: FeaturedMatcher | None = None,
) -> Iterator[records.Transition]:
    """Yield the transitions of all pages, in the order of the revisions that made them.

    The matcher finds the tags, `summaries` the edits whose summary says what is looked for,
    `intents` those with an intent, `marks` featured articles; each may be missing. With `spans`,
    tagged spans too, each when no revert can change it any more. What a page raises ends this page;
    with `skip`, which is told of it, the next page goes on, and an edit that raises something while
    it is asked for its intents is left out alone. A transition of which a text does not
    match its checksum is left out, and the revision given to `on_damage`.

    Raises:
        DumpError: the dump is damaged.
    """
    for page in pages:
        looks_for_tags = origin.looks_for_tags_in(page)
        matches = matcher if looks_for_tags else None
        watched = spans and TagSpans(skip_reverted=spans == "skip reverted", radius=reverts.radius)
        watch = PageTracker(page, origin, matches, per, reverts, watched, on_damage, marks)
        featured = None
        if marks is not None and page.namespace == _ARTICLES:
            featured = FeaturedTimes(page, origin, marks, reverts, on_damage)
        judged = intents if looks_for_tags else None
        if judged is not None and skip is not None:
            judged = _Contained(judged, page, skip)
        found = _page_transitions(
            page, watch, featured, summaries and summaries.of(page), judged, matches
        )
        try:
            yield from found
        except DumpError:
            raise
        except Exception as error:  # whatever a stranger's page may cause
            if skip is None:
                raise
            skip(records.Unreadable(page.title, page.id, None, cause_of(error)))


class _Contained:
    """Finds the intents of the edits of a page; one that raises something has none, and is told."""

    def __init__(
        self, source: IntentSource, page: records.Page, skip: Callable[[records.Unreadable], None]
    ) -> None:
        self._judge, self._page, self._skip = source.judge, page, skip

    def judge(
        self, before: records.Revision, after: records.Revision
    ) -> records.IntentsFound | None:
        try:
            return self._judge(before, after)
        except DumpError:
            raise
        except Exception as error:  # whatever a stranger's wikitext may cause
            page = self._page
            self._skip(records.Unreadable(page.title, page.id, after.id, cause_of(error)))
            return None


def _page_transitions(
    page: records.Page,
    watch: PageTracker,
    featured: FeaturedTimes | None,
    summaries: SummarySource | None,
    intents: IntentSource | None,
    matcher: Matcher | None,
) -> Iterator[records.Transition]:
    """Yield the transitions of one page (2019 paper, section 3.2, both ways and per tag).

    A revision whose text is not known neither starts nor ends a tag: the ones on both sides of
    it count as adjacent. An edit found by its summary or by an intent is compared with the revision
    before it in the dump, by an intent only where both texts are known. Holds the revisions that a
    revert may reach, the transitions that one may still undo, and for each tag the hashes of the
    lines that stood before it.
    """
    damage: Exception | None = None
    try:
        for position, revision in enumerate(page.revisions):
            if featured is not None:
                yield from featured.see(position, revision)
            verdict = None if summaries is None else summaries.judge(revision)
            found = None
            if intents is not None and watch.last is not None:
                found = intents.judge(watch.last, revision)
            # So it is with nearly all revisions of a wiki.
            if (
                verdict is None
                and found is None
                and (matcher is None or revision.tags == NO_TAGS)
                and watch.pass_by(position, revision)
            ):
                continue
            settled = watch.follow(position, revision)
            if settled:
                yield from settled
            if revision.has_text:
                watch.compare(position, revision)
            if verdict == "kept":
                watch.note_summary(position, revision)
            if found is not None:
                watch.note_intents(position, revision, found)
            watch.last = revision
    except Exception as error:
        # Damage found only now, in a text not decoded before, or whatever the page may cause; what
        # was found before it is complete.
        damage = error
    yield from watch.end()
    if featured is not None:
        yield from featured.end(is_whole=damage is None)
    if damage is not None:
        raise damage
