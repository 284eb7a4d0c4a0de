"""Aligned sentences of an edit to sentence pairs: what the filters say of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wikibias.config.languages import Language
from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.edits.edited_spans import edited_spans
from wikibias.edits.pair_filters import (
    NEUTRAL,
    AlignedTexts,
    PairFilter,
    is_one_word_elsewhere,
    is_single_word,
    verdict,
)
from wikibias.records import Provenance, SentencePair
from wikibias.text.similarity import ratio

BIASED = "biased"
_REPEATED = "repeated"
_SLIP = "one_word_out_another_elsewhere"


def judged(
    texts: Sequence[tuple[str, str]],
    made: Provenance,
    filters: Sequence[PairFilter],
    funnel: Funnel,
    language: Language,
) -> Iterator[SentencePair]:
    """Yield the pairs of an edit that no filter drops, biased or neutral.

    An edit with the same source, or the same target, in two of its pairs gives none: its alignment
    is wrong.

    Args:
        texts: the sentences of the edit, each with its counterpart.
        made: the provenance of the edit.
        filters: in their order.
        funnel: counts the verdicts.
        language: that of the wiki.
    """
    if any(len(set(side)) < len(texts) for side in zip(*texts, strict=True)):
        funnel.verdicts[_REPEATED] += len(texts)
        return
    for number, sides in enumerate(texts):
        named = f"{made.wiki}-{made.after_rev_id}-{number}"
        pair = judged_pair(named, AlignedTexts(*sides), made, filters, funnel, language)
        if pair is not None:
            yield pair


def judged_pair(
    named: str,
    texts: AlignedTexts,
    made: Provenance,
    filters: Sequence[PairFilter],
    funnel: Funnel,
    language: Language | None,
    split: str = "",
) -> SentencePair | None:
    """Return the pair of two aligned sentences; None where a filter drops it.

    Args:
        named: what to call it.
        texts: the two sentences.
        made: the provenance of the edit.
        filters: in their order.
        funnel: counts the verdict.
        language: their language, where it is known.
        split: that it is in already.
    """
    found = verdict(texts, filters)
    funnel.verdicts[found or BIASED] += 1
    if found not in (None, NEUTRAL):
        return None
    is_biased = found is None
    if is_biased:
        slips = is_one_word_elsewhere(texts)
        funnel.more[_SLIP] = funnel.more.get(_SLIP, 0) + slips
    target = texts.target if is_biased else texts.source
    determiners = language.determiners if language is not None else ()
    return SentencePair(
        pair_id=named,
        source=texts.source,
        target=target,
        label="biased" if is_biased else "neutral",
        single_word=is_biased and is_single_word(texts),
        relation="rewritten" if is_biased else None,
        similarity=round(ratio(texts.source, target), 1),
        edits=edited_spans(texts.source, target, determiners) if is_biased else (),
        split=split,
        tier=None,
        tier_reasons=(),
        provenance=made,
    )
