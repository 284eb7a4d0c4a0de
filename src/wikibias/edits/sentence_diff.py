"""Sentences that an edit removes and adds."""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from wikibias.edits.alignment import Links, align, places
from wikibias.records import Edit, Paragraph, Sentence, TagContext, Transition
from wikibias.text.cleaning import Rules, UnreadableError, visible_paragraphs
from wikibias.text.normalisation import comparison_key
from wikibias.text.plain_cleaning import plain_visible_paragraphs
from wikibias.text.segmentation import Segmenter
from wikibias.text.similarity import common_ends

# Of sentences of the tagged revision, those that its tags are about.
TargetFilter = Callable[[list[Sentence]], list[Sentence]]
# How many pairs of texts are remembered, and of how many characters.
_REMEMBERED_PAIRS = 2
_LONGEST_REMEMBERED = 500_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """An edit; where it is not readable, why, except for a text longer than a setting allows."""

    edit: Edit
    cause: str | None = None


def compare(
    transition: Transition,
    context: TagContext,
    rules: Rules,
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
    if tagged is None or other is None:
        return Comparison(replace(not_compared(transition, context), texts_missing=True))
    if transition.provenance.kind == "added":
        tagged, other = other, tagged
    short = len(tagged) + len(other) <= _LONGEST_REMEMBERED
    found = (_found if short else _found.__wrapped__)(tagged, other, rules, segmenter)
    removed, links = list(found.removed), found.links
    if target_filter is not None and removed:
        wanted = set(target_filter(removed))
        links = tuple(link for s, link in zip(removed, links, strict=True) if s in wanted)
        removed = [sentence for sentence in removed if sentence in wanted]
    edit = Edit(
        provenance=transition.provenance,
        context=context,
        removed=tuple(removed),
        added=found.added,
        unchanged=found.unchanged,
        same_text=found.same_text,
        after_redirect=redirect.match(other) is not None,
        after_chars=len(other),
        readable=found.readable,
        history=transition.history,
        share_of_page=found.share,
        links=links,
        added_links=found.added_links,
    )
    return Comparison(edit, found.cause)


class _Found(NamedTuple):
    """What two wikitexts have in common and what not; `cause` as in `Comparison`."""

    removed: tuple[Sentence, ...]
    added: tuple[Sentence, ...]
    unchanged: tuple[Sentence, ...]
    links: Links
    added_links: Links
    share: float | None
    same_text: bool
    readable: bool
    cause: str | None


@lru_cache(_REMEMBERED_PAIRS)
def _found(tagged: str, other: str, rules: Rules, segmenter: Segmenter) -> _Found:
    """Compare two wikitexts; an edit of several tags makes several transitions of the same two."""
    fault: UnreadableError | None = None
    try:
        before, after = [
            _keyed(visible_paragraphs(text, rules), segmenter) for text in (tagged, other)
        ]
    except UnreadableError as error:
        fault = error
        before, after = [
            _keyed([] if error.is_limit else plain_visible_paragraphs(text, rules), segmenter)
            for text in (tagged, other)
        ]
    here, there = matched(before.keys, after.keys)
    removed, _ = _parted(before.sentences, here)
    added, unchanged = _parted(after.sentences, there)
    stand = places(here, len(after.keys)), places(there, len(before.keys))
    links, added_links = align(removed, added, stand)
    return _Found(
        removed=tuple(removed),
        added=tuple(added),
        unchanged=tuple(unchanged),
        links=links,
        added_links=added_links,
        share=_share(removed, before.sentences),
        # Texts that are the same have the same keys.
        same_text=not (removed or added) and _texts(before) == _texts(after),
        readable=fault is None,
        cause=None if fault is None or fault.is_limit else str(fault),
    )


class _Side(NamedTuple):
    """The sentences of a wikitext, and their keys."""

    sentences: list[Sentence]
    keys: list[str]


def _keyed(paragraphs: Iterable[Paragraph], segmenter: Segmenter) -> _Side:
    sentences = segmenter.split(paragraphs)
    return _Side(sentences, [comparison_key(sentence) for sentence in sentences])


def _texts(side: _Side) -> Counter[str]:
    return Counter(sentence.text for sentence in side.sentences)


def _share(part: list[Sentence], whole: list[Sentence]) -> float | None:
    chars = sum(len(sentence.text) for sentence in whole)
    return sum(len(sentence.text) for sentence in part) / chars if chars else None


def not_compared(transition: Transition, context: TagContext) -> Edit:
    """Return the edit of a transition that cannot be worked out: unreadable, without sentences."""
    return Edit(
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


def without_sentences(edit: Edit) -> Edit:
    """Return an edit whose sentences do not fit into a table: unreadable."""
    return replace(
        edit,
        removed=(),
        added=(),
        unchanged=(),
        links=(),
        added_links=(),
        contexts=(),
        readable=False,
    )


def difference(
    left: list[Sentence], right: list[Sentence]
) -> tuple[list[Sentence], list[Sentence]]:
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
    start, behind = common_ends(left, right)
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


def _parted(
    sentences: Sequence[Sentence], matched: Sequence[int | None]
) -> tuple[list[Sentence], list[Sentence]]:
    """Return the sentences without a match, and those with one."""
    both = list(zip(sentences, matched, strict=True))
    return [s for s, match in both if match is None], [s for s, match in both if match is not None]
