"""Revisions to transitions: where a tag is added or removed in the history of a page."""

from collections.abc import Callable, Iterable, Iterator

from wikibias.config.choices import Per, SpanPolicy
from wikibias.config.thresholds import Reverts
from wikibias.errors import DumpError
from wikibias.messages import cause_of
from wikibias.records import Page, Revision, Transition, Unreadable
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import FeaturedMatcher
from wikibias.transitions.featured import FeaturedTimes
from wikibias.transitions.page_tracker import NO_TAGS, OnDamage, PageTracker, TagSpans, end_part
from wikibias.transitions.pending import Origin
from wikibias.transitions.summaries import IntentsFound, IntentSource, SummarySource

_ARTICLES = 0


def transitions(
    pages: Iterable[Page],
    origin: Origin,
    matcher: Matcher | None,
    *,
    per: Per,
    reverts: Reverts,
    skip: Callable[[Unreadable], None] | None = None,
    spans: SpanPolicy | None = None,
    on_damage: OnDamage = end_part,
    summaries: SummarySource | None = None,
    intents: IntentSource | None = None,
    marks: FeaturedMatcher | None = None,
) -> Iterator[Transition]:
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
            skip(Unreadable(page.title, page.id, None, cause_of(error)))


class _Contained:
    """Finds the intents of the edits of a page; one that raises something has none, and is told."""

    def __init__(
        self, source: IntentSource, page: Page, skip: Callable[[Unreadable], None]
    ) -> None:
        self._judge, self._page, self._skip = source.judge, page, skip

    def judge(self, before: Revision, after: Revision) -> IntentsFound | None:
        try:
            return self._judge(before, after)
        except DumpError:
            raise
        except Exception as error:  # whatever a stranger's wikitext may cause
            page = self._page
            self._skip(Unreadable(page.title, page.id, after.id, cause_of(error)))
            return None


def _page_transitions(
    page: Page,
    watch: PageTracker,
    featured: FeaturedTimes | None,
    summaries: SummarySource | None,
    intents: IntentSource | None,
    matcher: Matcher | None,
) -> Iterator[Transition]:
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
