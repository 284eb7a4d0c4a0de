"""Transition to edit: clean both revisions, split them, and compare their sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from wikibias.records import Edit, Sentence, TagContext, Transition
from wikibias.text.cleaning import Rules, UnreadableError, visible_text
from wikibias.text.segmentation import Segmenter

# Of sentences of the tagged revision, those that its tags are about.
TargetFilter = Callable[[list[Sentence]], list[Sentence]]


def compare(
    transition: Transition,
    context: TagContext,
    rules: Rules,
    segmenter: Segmenter,
    redirect: re.Pattern[str],
    target_filter: TargetFilter | None = None,
) -> Edit:
    """Return the difference of the two revisions of a transition.

    It is the multiset difference of their normalised sentences, in document order: what differs
    in case or punctuation alone, or has moved, is unchanged. `removed` are the sentences that
    only the tagged revision has, `added` those that only the other has; so for a tag that was
    added, "after" is the older revision. `target_filter` restricts `removed` to what the tags are
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
    if target_filter is not None and removed:
        removed = target_filter(removed)
    return Edit(
        provenance=transition.provenance,
        context=context,
        removed=tuple(removed),
        added=tuple(added),
        unchanged=tuple(unchanged),
        same_text=Counter(s.text for s in before) == Counter(s.text for s in after),
        after_redirect=redirect.match(other) is not None,
        after_chars=len(other),
        readable=readable,
    )


def difference(
    left: list[Sentence], right: list[Sentence]
) -> tuple[list[Sentence], list[Sentence]]:
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
