"""Sentences of edits with an intent, and of featured articles, with what these edits tell.

An edit says what its editor did, not what else the sentence lacks: the rules of the other intents
find less than half of what they look for (Asthana et al. 2021, section 4), so that one of them did
not fire says nothing. A positive is therefore judged for the intent of its edit alone, and so is
what the same edit left alone or made. A featured article has been looked at as a whole: its
sentences are judged for all intents, but those with a reference not for `citation`, since they did
need one (section 5.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from wikibias.corpus.labelled.finds import NO_CONTEXT, Find
from wikibias.records import FEATURED_SIGNAL, Edit, SentenceContext

CITATION = "citation"
"""The intent that a reference answers."""
_POSITIVE, _OF_FEATURED, _MADE, _LEFT = range(4)


def intent_finds(edits: Iterable[Edit], labels: Sequence[str]) -> Iterator[Find]:
    """Yield the sentences of edits, those of other signals left out.

    Args:
        edits: of any signal, in order.
        labels: the names of the intents.
    """
    for edit in edits:
        signal = edit.provenance.signal
        if signal == FEATURED_SIGNAL:
            yield from _of_featured(edit, labels)
        elif signal in labels:
            yield from _of_edit(edit, (signal,))


def _of_edit(edit: Edit, label: tuple[str]) -> Iterator[Find]:
    source, made_of = edit.provenance, {}
    contexts: Iterable[SentenceContext] = edit.contexts or repeat(NO_CONTEXT)
    links = edit.links or repeat(None)
    for at, (sentence, link, context) in enumerate(
        zip(edit.removed, links, contexts, strict=False)
    ):
        if link is not None and link.relation == "rewritten":
            made_of[link.counterpart] = context
        yield Find(f"removed-{at}", sentence, label, label, None, _POSITIVE, source, context, link)
    for at, sentence in enumerate(edit.added):
        # Of one that is joined or new nobody can say that it answers the intent.
        if sentence.text in made_of:
            around = made_of[sentence.text]
            yield Find(f"added-{at}", sentence, (), label, "edited", _MADE, source, around)
    for at, sentence in enumerate(edit.unchanged):
        yield Find(f"unchanged-{at}", sentence, (), label, "unchanged", _LEFT, source)


def _of_featured(edit: Edit, labels: Sequence[str]) -> Iterator[Find]:
    source, every = edit.provenance, tuple(labels)
    but_citation = tuple(name for name in every if name != CITATION)
    contexts: Iterable[SentenceContext] = edit.contexts or repeat(NO_CONTEXT)
    for at, (sentence, context) in enumerate(zip(edit.unchanged, contexts, strict=False)):
        judged = but_citation if context.has_reference else every
        if judged:
            yield Find(
                f"featured-{at}", sentence, (), judged, "featured", _OF_FEATURED, source, context
            )
