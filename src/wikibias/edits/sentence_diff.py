"""Sentences that an edit removes and adds; those with an intent and of featured articles.

And the paragraphs that they stand in.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from wikibias import records
from wikibias.config.choices import Positive, signal_of
from wikibias.edits import alignment, sentence_context
from wikibias.edits.confidence import UNCHANGING
from wikibias.text import cleaning, similarity
from wikibias.text.segmentation import Segmenter, comparison_key

T = TypeVar("T")
# Of sentences of the tagged revision, those that its tags are about.
TargetFilter = Callable[[list[records.Sentence]], list[records.Sentence]]
# How many pairs of texts are remembered, and of how many characters.
_REMEMBERED_PAIRS = 2
_LONGEST_REMEMBERED = 500_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """An edit; where it is not readable, why, except for a text longer than a setting allows."""

    edit: records.Edit
    cause: str | None = None


def compare(
    transition: records.Transition,
    context: records.TagContext,
    rules: cleaning.Rules,
    segmenter: Segmenter,
    redirect: re.Pattern[str],
    target_filter: TargetFilter | None = None,
) -> Comparison:
    """Return the difference of the two revisions of a transition.

    It is the multiset difference of their sentences by `comparison_key`, in document order: what
    differs in case or punctuation alone, or has moved, is unchanged. `removed` are the sentences
    that only the tagged revision has, `added` those that only the other has; so for a tag that was
    added, "after" is the older revision. `target_filter` restricts `removed` to what the tags are
    about, after the sentences have been paired. If one text cannot be cleaned, both are cleaned by
    patterns alone, and the edit is not `readable`; without sentences where a text is longer than a
    setting allows, or not known.
    """
    tagged, other = transition.before_text, transition.after_text
    empty = not_compared(transition, context)
    if tagged is None or other is None:
        return Comparison(replace(empty, texts_missing=True))
    if transition.provenance.kind == "added":
        tagged, other = other, tagged
    short = len(tagged) + len(other) <= _LONGEST_REMEMBERED
    found, cause = (_found if short else _found.__wrapped__)(tagged, other, rules, segmenter)
    is_redirect = redirect.match(other) is not None
    edit = replace(empty, **found, after_redirect=is_redirect, after_chars=len(other))
    if target_filter is not None and edit.removed:
        wanted = set(target_filter(list(edit.removed)))
        both = [pair for pair in zip(edit.removed, edit.links, strict=True) if pair[0] in wanted]
        removed, links = zip(*both, strict=True) if both else ((), ())
        edit = replace(edit, removed=removed, links=links)
    return Comparison(edit, cause)


class _Side(NamedTuple):
    """The sentences of a wikitext, and their keys."""

    sentences: list[records.Sentence]
    keys: list[str]


@lru_cache(_REMEMBERED_PAIRS)
def _found(
    tagged: str, other: str, rules: cleaning.Rules, segmenter: Segmenter
) -> tuple[dict[str, Any], str | None]:
    """Return what of an edit two wikitexts tell, and the `cause` of its comparison.

    An edit of several tags makes several transitions of the same two.
    """
    sides, fault = _cleaned(tagged, other, rules)
    before, after = [_keyed(segmenter.split(side)) for side in sides]
    found = _compared(before, after)
    chars, gone = (sum(len(s.text) for s in side) for side in (before.sentences, found["removed"]))
    found |= {
        "share_of_page": gone / chars if chars else None,
        # Texts that are the same have the same keys.
        "same_text": not (found["removed"] or found["added"]) and _texts(before) == _texts(after),
        "readable": fault is None,
    }
    return found, None if fault is None or fault.is_limit else str(fault)


def _cleaned(
    tagged: str, other: str, rules: cleaning.Rules
) -> tuple[list[list[records.Paragraph]], cleaning.UnreadableError | None]:
    """Return the paragraphs of two wikitexts; and why by patterns alone, or none, if so."""
    try:
        return [cleaning.visible_paragraphs(text, rules) for text in (tagged, other)], None
    except cleaning.UnreadableError as error:
        if error.is_limit:
            return [[], []], error
        return [cleaning.plain_visible_paragraphs(text, rules) for text in (tagged, other)], error


def _compared(before: _Side, after: _Side) -> dict[str, Any]:
    """Return what only one of two sides has, what both have, and the links."""
    here, there = matched(before.keys, after.keys)
    removed, _ = _parted(before.sentences, here)
    added, unchanged = _parted(after.sentences, there)
    stand = alignment.places(here, len(after.keys)), alignment.places(there, len(before.keys))
    links, added_links = alignment.align(removed, added, stand)
    return {
        "removed": tuple(removed),
        "added": tuple(added),
        "unchanged": tuple(unchanged),
        "links": links,
        "added_links": added_links,
    }


def _keyed(sentences: list[records.Sentence]) -> _Side:
    return _Side(sentences, [comparison_key(sentence) for sentence in sentences])


def _texts(side: _Side) -> Counter[str]:
    return Counter(sentence.text for sentence in side.sentences)


def not_compared(transition: records.Transition, context: records.TagContext) -> records.Edit:
    """Return the edit of a transition that cannot be worked out: unreadable, without sentences."""
    return records.Edit(
        provenance=transition.provenance,
        context=context,
        removed=(),
        added=(),
        unchanged=(),
        same_text=False,
        after_redirect=False,
        after_chars=len(transition.after_text or ""),
        readable=False,
        history=transition.history,
    )


def without_sentences(edit: records.Edit) -> records.Edit:
    """Return an edit whose sentences do not fit into a table: unreadable."""
    names = "removed added unchanged links added_links contexts".split()
    nothing: dict[str, Any] = dict.fromkeys(names, ())
    return replace(edit, **nothing, readable=False)


def difference(
    left: list[records.Sentence], right: list[records.Sentence]
) -> tuple[list[records.Sentence], list[records.Sentence]]:
    """Return the sentences of `left` that `right` lacks, and those it has, as multisets."""
    return _parted(left, matches(map(comparison_key, left), map(comparison_key, right)))


def matches(left: Iterable[str], right: Iterable[str]) -> list[int | None]:
    """Return, for each key of `left`, the number of the same one in `right`, or None.

    Of several that are the same the first belongs to the first, and so on.
    """
    there: dict[str, deque[int]] = {}
    for number, key in enumerate(right):
        if key in there:
            there[key].append(number)
        else:
            there[key] = deque((number,))
    return [same.popleft() if (same := there.get(key)) else None for key in left]


def matched(left: Sequence[str], right: Sequence[str]) -> tuple[list[int | None], list[int | None]]:
    """Return `matches` from left to right and from right to left, of texts nearly the same."""
    start, behind = similarity.common_ends(left, right)
    ends = len(left) - behind, len(right) - behind
    middle = left[start : ends[0]], right[start : ends[1]]
    # A sentence at the end belongs to the same one, unless one side has more of it before.
    unequal = Counter(middle[0])
    unequal.subtract(middle[1])
    more = {key for key, number in unequal.items() if number}
    if not more.isdisjoint(left[ends[0] :]):
        middle, ends, behind = (left[start:], right[start:]), (len(left), len(right)), 0
    here: list[int | None] = [*range(start)]
    here += [None if to is None else start + to for to in matches(*middle)]
    here += range(ends[1], len(right))
    there: list[int | None] = [None] * len(right)
    for number, to in enumerate(here):
        if to is not None:
            there[to] = number
    return here, there


def _parted(items: Sequence[T], matched: Sequence[int | None]) -> tuple[list[T], list[T]]:
    """Return the items without a match, and those with one."""
    both = list(zip(items, matched, strict=True))
    return [s for s, match in both if match is None], [s for s, match in both if match is not None]


_SAME = 100.0


class Positives(NamedTuple):
    """What an edit did to the sentences of its changed lines.

    Attributes:
        removed: the positive sentences, as they stood before the edit.
        links: what became of each.
        contexts: what stood around each.
        added: the sentences that only the newer text has.
        added_links: what each was made from.
        unchanged: the sentences of these lines that are the same in both texts, and no positives.
        same_text: no visible sentence of these lines changed at all.
    """

    removed: tuple[records.Sentence, ...]
    links: tuple[records.Link, ...]
    contexts: tuple[records.SentenceContext, ...]
    added: tuple[records.Sentence, ...]
    added_links: tuple[records.Link, ...]
    unchanged: tuple[records.Sentence, ...]
    same_text: bool


def positives(
    lines: Sequence[records.ChangedLine], wanted: Positive, by: sentence_context.Tools
) -> Positives:
    """Return the positive sentences of changed lines, and the others.

    For `changed`, what differs in case, punctuation, spaces or numbers alone has not changed, nor
    has what moved within its line; a sentence that was deleted has. For `referenced`, a sentence
    has more references than before, at least one of which its line did not have; of several that
    were merged, it is the last.

    Raises:
        UnreadableError: a line cannot be cleaned.
    """
    found, first = list[Positives](), 0
    for line in lines:
        one = _of_line(line, wanted, by)
        links, added_links = _renumbered(one.links, first), _renumbered(one.added_links, first)
        found.append(one._replace(links=links, added_links=added_links))
        numbers = [int(link.pair_id) for link in links + added_links if link.pair_id]
        first = max(numbers, default=first - 1) + 1
    *names, _ = Positives._fields
    joined = {name: tuple(chain(*(getattr(one, name) for one in found))) for name in names}
    return Positives(**joined, same_text=all(one.same_text for one in found))


def _renumbered(links: Sequence[records.Link], first: int) -> tuple[records.Link, ...]:
    """Return the links of a line, whose pairs count from 0, with pairs that count from `first`."""
    return tuple(
        link._replace(pair_id=str(first + int(link.pair_id))) if link.pair_id else link
        for link in links
    )


class _LineSide(NamedTuple):
    """A side of a line: sentences, their keys, and which of the other side is the same, if any."""

    found: list[sentence_context.Placed]
    keys: list[str]
    same: list[int | None]

    def alone(self) -> list[int]:
        """Return the numbers of the sentences that the other side lacks."""
        return [number for number, same in enumerate(self.same) if same is None]


def _of_line(line: records.ChangedLine, wanted: Positive, by: sentence_context.Tools) -> Positives:
    before, after = (
        sentence_context.placed(sentence_context.whole_line(cleaning.without_comments(text)), by)
        for text in (line.before, line.after)
    )
    keys = [[comparison_key(each.sentence) for each in side] for side in (before, after)]
    here, there = matched(*keys)
    old, new = _LineSide(before, keys[0], here), _LineSide(after, keys[1], there)
    removed, added = old.alone(), new.alone()
    gone, come = [before[at].sentence for at in removed], [after[at].sentence for at in added]
    stand = alignment.places(here, len(after)), alignment.places(there, len(before))
    links, added_links = alignment.align(gone, come, stand)
    became = dict(zip(removed, links, strict=True))
    if wanted == "changed":
        # What has only moved, or changed in numbers, says the same in other words.
        chosen = {at: link for at, link in became.items() if link.relation not in UNCHANGING}
    else:
        made = dict(zip(added, added_links, strict=True))
        chosen = dict(_referenced(old, new, became, made))
    contexts = sentence_context.contexts_of(before, line.section)
    return Positives(
        removed=tuple(before[at].sentence for at in chosen),
        links=tuple(chosen.values()),
        contexts=tuple(contexts[at] for at in chosen),
        added=tuple(come),
        added_links=added_links,
        unchanged=tuple(
            each.sentence
            for each, same in zip(after, there, strict=True)
            if same is not None and same not in chosen
        ),
        same_text=[each.sentence.text for each in before] == [e.sentence.text for e in after],
    )


def _referenced(
    old: _LineSide, new: _LineSide, became: dict[int, records.Link], made: dict[int, records.Link]
) -> Iterator[tuple[int, records.Link]]:
    """Yield the sentences before the edit to which a reference was added, and what they became."""
    lacked = Counter(source for each in new.found for source in each.references)
    lacked.subtract(source for each in old.found for source in each.references)
    groups: dict[str, list[int]] = {}
    for at, link in became.items():
        if link.pair_id:
            groups.setdefault(link.pair_id, []).append(at)
    partners: dict[str, list[int]] = {}
    for at, link in made.items():
        partners.setdefault(link.pair_id, []).append(at)
    free = max(map(int, groups), default=-1)
    for at, same in enumerate(old.same):
        if same is not None:
            text = new.found[same].sentence.text
            link = records.Link(str(free + 1), text, "same_text", _SAME, "")
            sides = [at], [same]
        else:
            link = became[at]
            sides = groups.get(link.pair_id, [-1]), partners.get(link.pair_id, [])
            if sides[0][-1] != at:
                continue
        count = sum(len(old.found[number].references) for number in sides[0])
        references = [source for number in sides[1] for source in new.found[number].references]
        if len(references) > count and any(lacked[source] > 0 for source in references):
            free += same is not None
            yield at, link


def positive_sentences(
    transition: records.Transition,
    context: records.TagContext,
    wanted: Positive,
    by: sentence_context.Tools,
) -> Comparison:
    """Return an edit with an intent, with its positive sentences; see `positives`.

    The page is not known, so `after_chars` are those of the changed lines. Where a line cannot be
    cleaned, the edit is not `readable`, and without sentences.
    """
    empty = not_compared(transition, context)
    try:
        found = positives(transition.lines, wanted, by)
    except cleaning.UnreadableError as error:
        return Comparison(empty, None if error.is_limit else str(error))
    after_chars = sum(len(line.after) for line in transition.lines)
    edit = replace(empty, **found._asdict(), after_chars=after_chars, readable=True)
    return Comparison(edit)


def featured_sentences(
    transition: records.Transition, context: records.TagContext, by: sentence_context.Tools
) -> Comparison:
    """Return the state of a featured article, with all its sentences as unchanged ones."""
    empty = not_compared(transition, context)
    if transition.after_text is None:
        return Comparison(replace(empty, texts_missing=True))
    try:
        sentences, contexts = sentence_context.page_in_context(transition.after_text, by)
    except cleaning.UnreadableError as error:
        return Comparison(empty, None if error.is_limit else str(error))
    edit = replace(
        empty, unchanged=tuple(sentences), contexts=tuple(contexts), same_text=True, readable=True
    )
    return Comparison(edit)


class Part(NamedTuple):
    """A sentence of a paragraph, its role in the edit, and its link if it is changed."""

    role: records.Role
    sentence: records.Sentence
    link: records.Link | None


_Way = tuple[records.Role, tuple[records.Sentence, ...], tuple[records.Link, ...]]


def in_paragraphs(
    transition: records.Transition, edit: records.Edit, rules: cleaning.Rules, segmenter: Segmenter
) -> tuple[records.Edit, list[list[Part]]]:
    """Return an edit with paragraphs in place of sentences, and the sentences of each paragraph.

    Paragraphs are compared as sentences are. The second list has those of the removed paragraphs,
    of the added ones, then of the unchanged ones. A sentence that `target_filter` took out of
    `edit` counts as unchanged.

    Args:
        transition: with its texts.
        edit: its comparison, sentence by sentence.
        rules: by which it was cleaned.
        segmenter: by which it was split.
    """
    before, after = transition.before_text or "", transition.after_text or ""
    if edit.provenance.kind == "added":
        before, after = after, before
    left: records.Role = "unchanged"
    if signal_of(edit.provenance.signal).gives == "negatives":
        before, left = after, "featured"
    sides = [
        [(one, own) for one in side if (own := segmenter.split([one]))]
        for side in _cleaned(before, after, rules)[0]
    ]
    same = matched(*([comparison_key(s) for _, own in side for s in own] for side in sides))
    ways: Sequence[_Way] = (
        ("removed", edit.removed, edit.links),
        ("added", edit.added, edit.added_links),
    )
    parts: list[list[list[Part]]] = []
    for side, match, (role, sentences, links) in zip(sides, same, ways, strict=True):
        changed, matches = deque(zip(sentences, links, strict=True)), iter(match)
        parts.append([])
        for _, own in side:
            is_alone = [next(matches) is None for _ in own]
            parts[-1].append([*_parts(own, is_alone, (role, left), changed)])
    keyed = [_keyed([_as_sentence(one, own, segmenter) for one, own in side]) for side in sides]
    here, there = matched(*(side.keys for side in keyed))
    removed, _ = _parted(parts[0], here)
    added, unchanged = _parted(parts[1], there)
    return replace(edit, **_compared(*keyed)), [*removed, *added, *unchanged]


def _parts(
    sentences: Sequence[records.Sentence],
    is_alone: Sequence[bool],
    roles: tuple[records.Role, records.Role],
    changed: deque[tuple[records.Sentence, records.Link]],
) -> Iterator[Part]:
    """Yield sentences with the first role where they are `changed`, else with the second."""
    for sentence, alone in zip(sentences, is_alone, strict=True):
        if alone and changed and changed[0][0] == sentence:
            yield Part(roles[0], *changed.popleft())
        else:
            yield Part(roles[1], sentence, None)


def _as_sentence(
    paragraph: records.Paragraph, own: Sequence[records.Sentence], segmenter: Segmenter
) -> records.Sentence:
    norm = segmenter.normalise(paragraph.text)
    has_gap = any(sentence.has_gap for sentence in own)
    return records.Sentence(paragraph.text, norm, paragraph.block, has_gap)
