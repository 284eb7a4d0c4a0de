"""Aligned sentences of an edit to sentence pairs: what the filters say of each."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from wikibias.config.languages import Language
from wikibias.corpus.sentence_pairs.harvest import Funnel, RulesName
from wikibias.corpus.sentence_pairs.reading import Warn, read_pairs
from wikibias.edits.filters import Confidence
from wikibias.edits.pair_filters import (
    NEUTRAL,
    OWN_FILTERS,
    WNC_FILTERS,
    AlignedTexts,
    PairFilter,
    is_one_word_elsewhere,
    is_single_word,
    other_meanings,
    verdict,
)
from wikibias.edits.word_diff import edited_spans
from wikibias.errors import WikibiasError
from wikibias.kits.schemas import Table
from wikibias.records import Label, Link, Provenance, SentencePair
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
    if found is None:
        slips = is_one_word_elsewhere(texts)
        funnel.more[_SLIP] = funnel.more.get(_SLIP, 0) + slips
    label: Label = "biased" if found is None else "neutral"
    return sentence_pair(named, texts, label, made, language, split=split)


def sentence_pair(
    named: str,
    texts: AlignedTexts,
    label: Label,
    made: Provenance,
    language: Language | None,
    *,
    link: Link | None = None,
    sure: Confidence | None = None,
    split: str = "",
) -> SentencePair:
    """Return a pair with what is to be said of it; of a neutral one the source is both sides.

    Args:
        named: what to call it.
        texts: the two sentences.
        label: whether the edit changed the first for neutrality.
        made: the provenance of the edit.
        language: of the sentences, where it is known.
        link: how the alignment found the second.
        sure: how far it can be trusted.
        split: that it is in already.
    """
    is_biased = label == "biased"
    target = texts.target if is_biased else texts.source
    determiners = language.determiners if language is not None else ()
    relation = link.relation if link else "rewritten"
    return SentencePair(
        pair_id=named,
        source=texts.source,
        target=target,
        label=label,
        single_word=is_biased and is_single_word(texts),
        relation=relation if is_biased else None,
        similarity=link.similarity if link else round(ratio(texts.source, target), 1),
        edits=edited_spans(texts.source, target, determiners) if is_biased else (),
        split=split,
        tier=sure.tier if sure else None,
        tier_reasons=sure.reasons if sure else (),
        provenance=made,
    )


_PROVENANCE = Table("provenance", Provenance)


def judged_file(
    path: Path,
    rules: RulesName,
    funnel: Funnel,
    *,
    source: str | None = None,
    target: str | None = None,
    group: str | None = None,
    language: Language | None = None,
    warn: Warn | None = None,
) -> Iterator[SentencePair]:
    """Yield the pairs of a file that no filter drops, biased or neutral.

    Of where they come from nothing is known but the file, and the revision or page that they share
    a fold with.

    Args:
        path: the file; see `read_pairs`.
        rules: whose filters.
        funnel: counts the verdicts; the funnel begins here.
        source: the column of the biased sentences.
        target: that of the neutral ones.
        group: that of the pages or revisions.
        language: for words of other meaning.
        warn: takes a line about rows without a pair.

    Raises:
        UsageError: the file is not there, or has no such column.
        WikibiasError: a row cannot be read, or there is none.
    """
    filters = WNC_FILTERS if rules == "wnc" else OWN_FILTERS
    meanings = other_meanings(language) if language is not None else None
    read = 0
    for found in read_pairs(
        path, source=source, target=target, group=group, neutral=True, warn=warn
    ):
        read += 1
        shared = found.group or ""
        made = _PROVENANCE.record_of(
            {
                "wiki": "",
                "lang": language.code if language else None,
                "part": path.name,
                "page_title": shared,
                "after_rev_id": int(shared) if shared.isdecimal() and len(shared) < 19 else None,
            }
        )
        texts = AlignedTexts(found.source, found.target, meanings)
        pair = judged_pair(found.pair_id, texts, made, filters, funnel, language, found.split or "")
        if pair is not None:
            yield pair
    if not read:
        raise WikibiasError(f"{path}: no pair in it")
    funnel.more["pairs_read"] = read
