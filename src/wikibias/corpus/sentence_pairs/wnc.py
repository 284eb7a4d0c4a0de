"""Sentence pairs by the rules of the Wiki Neutrality Corpus (Pryzant et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator

from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.corpus.sentence_pairs.harvest import Harvest
from wikibias.records import SentencePair


def wnc_pairs(harvest: Harvest, funnel: Funnel) -> Iterator[SentencePair]:
    """Yield the pairs of the edits that were found by their summary."""
    yield from ()
