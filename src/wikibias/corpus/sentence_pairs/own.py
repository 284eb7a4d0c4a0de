"""Sentence pairs by the rules of wikibias: any script, several sentences and blocks, tiers."""

from __future__ import annotations

from collections.abc import Iterator

from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.corpus.sentence_pairs.harvest import Harvest
from wikibias.records import SentencePair


def own_pairs(harvest: Harvest, funnel: Funnel) -> Iterator[SentencePair]:
    """Yield the pairs of the edits that were found by their summary or by a tag.

    Each pair comes without a split. `funnel.counts` gets the keys of edits (`single_block`,
    `passed`), `funnel.stages` where each edit ended, `funnel.verdicts` what became of aligned
    sentences; the keys of pairs are counted by who writes them.
    """
    yield from ()
