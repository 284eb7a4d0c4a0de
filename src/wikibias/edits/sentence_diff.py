"""Transition to edit: clean both revisions, split them, and compare their sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from wikibias.records import Edit, Transition
from wikibias.text.cleaning import Rules, UnreadableError, visible_text
from wikibias.text.segmentation import Segmenter, Split

# Of a tagged text, its tags and its sentences, those that the tags are about.
Within = Callable[[str, Sequence[str], list[Split]], list[Split]]


def compare(
    transition: Transition,
    rules: Rules,
    segmenter: Segmenter,
    redirect: re.Pattern[str],
    within: Within | None = None,
) -> Edit:
    """Return the difference of the two revisions of a transition.

    It is the multiset difference of their normalised sentences, in document order: what differs
    in case or punctuation alone, or has moved, is unchanged. `removed` are the sentences that
    only the tagged revision has, `added` those that only the other has; so for a tag that was
    put in, "after" is the older revision. `within` restricts `removed` to what the tags are
    about. A text that cannot be cleaned gives an edit without sentences that is not `readable`.
    """
    tagged, other = transition.before_text, transition.after_text
    if transition.provenance.kind == "added":
        tagged, other = other, tagged
    readable = True
    try:
        before = segmenter.split(visible_text(tagged, rules))
        after = segmenter.split(visible_text(other, rules))
    except UnreadableError:
        before, after, readable = [], [], False
    removed, _ = difference(before, after)
    added, unchanged = difference(after, before)
    if within is not None and removed:
        removed = within(tagged, transition.provenance.tags, removed)
    return Edit(
        provenance=transition.provenance,
        removed=tuple(s.text for s in removed),
        added=tuple(s.text for s in added),
        unchanged=tuple(s.text for s in unchanged),
        same_text=Counter(s.text for s in before) == Counter(s.text for s in after),
        after_redirect=redirect.match(other) is not None,
        after_chars=len(other),
        readable=readable,
    )


def difference(left: list[Split], right: list[Split]) -> tuple[list[Split], list[Split]]:
    """Return the sentences of `left` that `right` lacks, and those it has, as multisets."""
    there = Counter(sentence.norm for sentence in right)
    lacking, shared = [], []
    for sentence in left:
        if there[sentence.norm] > 0:
            there[sentence.norm] -= 1
            shared.append(sentence)
        else:
            lacking.append(sentence)
    return lacking, shared
