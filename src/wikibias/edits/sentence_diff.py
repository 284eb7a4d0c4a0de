"""Transition to edit: clean both revisions, split them, and compare their sentences."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from wikibias.edits.alignment import align
from wikibias.edits.likeness import places
from wikibias.records import Edit, Paragraph, Sentence, TagContext, Transition
from wikibias.text.cleaning import Rules, UnreadableError, visible_paragraphs
from wikibias.text.normalisation import comparison_key
from wikibias.text.plain_cleaning import plain_visible_paragraphs
from wikibias.text.segmentation import Segmenter

# Of sentences of the tagged revision, those that its tags are about.
TargetFilter = Callable[[list[Sentence]], list[Sentence]]


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
    setting allows.
    """
    tagged, other = transition.before_text, transition.after_text
    if transition.provenance.kind == "added":
        tagged, other = other, tagged
    shown, fault = _shown(tagged, other, rules)
    before, after = map(segmenter.split, shown)
    keys = [comparison_key(s) for s in before], [comparison_key(s) for s in after]
    here, there = matches(*keys), matches(*keys[::-1])
    removed, _ = _parted(before, here)
    added, unchanged = _parted(after, there)
    stand = places(here, len(after)), places(there, len(before))
    links, added_links = align(removed, added, stand)
    share = _share(removed, before)
    if target_filter is not None and removed:
        wanted = set(target_filter(removed))
        links = tuple(link for s, link in zip(removed, links, strict=True) if s in wanted)
        removed = [sentence for sentence in removed if sentence in wanted]
    edit = Edit(
        provenance=transition.provenance,
        context=context,
        removed=tuple(removed),
        added=tuple(added),
        unchanged=tuple(unchanged),
        same_text=Counter(s.text for s in before) == Counter(s.text for s in after),
        after_redirect=redirect.match(other) is not None,
        after_chars=len(other),
        readable=fault is None,
        history=transition.history,
        share_of_page=share,
        links=links,
        added_links=added_links,
    )
    return Comparison(edit, None if fault is None or fault.is_limit else str(fault))


def _shown(
    tagged: str, other: str, rules: Rules
) -> tuple[tuple[list[Paragraph], list[Paragraph]], UnreadableError | None]:
    """Return what a reader sees of two wikitexts, and why if they cannot be cleaned as usual."""
    try:
        return (visible_paragraphs(tagged, rules), visible_paragraphs(other, rules)), None
    except UnreadableError as error:
        if error.is_limit:
            return ([], []), error
        plain = plain_visible_paragraphs(tagged, rules), plain_visible_paragraphs(other, rules)
        return plain, error


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
        after_chars=len(transition.after_text),
        readable=False,
        history=transition.history,
    )


def without_sentences(edit: Edit) -> Edit:
    """Return an edit whose sentences do not fit into a table: unreadable."""
    return replace(
        edit, removed=(), added=(), unchanged=(), links=(), added_links=(), readable=False
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


def _parted(
    sentences: Sequence[Sentence], matched: Sequence[int | None]
) -> tuple[list[Sentence], list[Sentence]]:
    """Return the sentences without a match, and those with one."""
    both = list(zip(sentences, matched, strict=True))
    return [s for s, match in both if match is None], [s for s, match in both if match is not None]
