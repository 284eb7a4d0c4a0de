"""Pairs of a file, as the pair filters judge them: those of a published corpus must all stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wikibias.config.languages import Language
from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.corpus.sentence_pairs.harvest import RulesName
from wikibias.corpus.sentence_pairs.judging import judged_pair
from wikibias.corpus.sentence_pairs.reading import Warn, read_pairs
from wikibias.edits.pair_filters import OWN_FILTERS, WNC_FILTERS, AlignedTexts, other_meanings
from wikibias.errors import WikibiasError
from wikibias.kits.schemas import Table
from wikibias.records import Provenance, SentencePair

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
