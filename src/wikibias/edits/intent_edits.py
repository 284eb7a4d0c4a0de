"""Edits with an intent, and states of featured articles, with their sentences."""

from __future__ import annotations

from dataclasses import replace

from wikibias.config.choices import Positive
from wikibias.edits.positives import positives
from wikibias.edits.references import ReferenceFinder
from wikibias.edits.sentence_context import page_in_context
from wikibias.edits.sentence_diff import Comparison, not_compared
from wikibias.records import TagContext, Transition
from wikibias.text.cleaning import Rules, UnreadableError
from wikibias.text.segmentation import Segmenter


def positive_sentences(
    transition: Transition,
    context: TagContext,
    wanted: Positive,
    rules: Rules,
    segmenter: Segmenter,
    finder: ReferenceFinder,
) -> Comparison:
    """Return an edit with an intent, with its positive sentences; see `positives`.

    The page is not known, so `after_chars` are those of the changed lines. Where a line cannot be
    cleaned, the edit is not `readable`, and without sentences.
    """
    empty = not_compared(transition, context)
    try:
        found = positives(transition.lines, wanted, rules, segmenter, finder)
    except UnreadableError as error:
        return Comparison(empty, None if error.is_limit else str(error))
    edit = replace(
        empty,
        removed=found.removed,
        added=found.added,
        unchanged=found.unchanged,
        same_text=found.same_text,
        after_chars=sum(len(line.after) for line in transition.lines),
        readable=True,
        links=found.links,
        added_links=found.added_links,
        contexts=found.contexts,
    )
    return Comparison(edit)


def featured_sentences(
    transition: Transition,
    context: TagContext,
    rules: Rules,
    segmenter: Segmenter,
    finder: ReferenceFinder,
) -> Comparison:
    """Return the state of a featured article, with all its sentences as unchanged ones."""
    empty = not_compared(transition, context)
    if transition.after_text is None:
        return Comparison(replace(empty, texts_missing=True))
    try:
        found = page_in_context(transition.after_text, rules, segmenter, finder)
    except UnreadableError as error:
        return Comparison(empty, None if error.is_limit else str(error))
    sentences, contexts = found
    edit = replace(
        empty, unchanged=tuple(sentences), contexts=tuple(contexts), same_text=True, readable=True
    )
    return Comparison(edit)
