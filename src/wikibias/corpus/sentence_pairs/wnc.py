"""Sentence pairs by the rules of the Wiki Neutrality Corpus (Pryzant et al. 2020).

An edit must have changed one line and nothing else, and left the number of its sentences as it was.
Sentences are split by our own rules, before the text is made lower case; the scripts use NLTK's.
"""

from __future__ import annotations

from collections.abc import Iterator

from wikibias.corpus.sentence_pairs.blocks import blocks
from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.corpus.sentence_pairs.harvest import Harvest
from wikibias.corpus.sentence_pairs.judging import judged
from wikibias.corpus.sentence_pairs.wnc_alignment import counterparts
from wikibias.corpus.sentence_pairs.wnc_cleaning import cleaned
from wikibias.edits.pair_filters import WNC_FILTERS, tokens
from wikibias.errors import UsageError
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.records import SentencePair, TransitionRow
from wikibias.text.segmentation import Segmenter

PASSED = "passed"
_UNKNOWN = "text not known"


def wnc_pairs(harvest: Harvest, funnel: Funnel) -> Iterator[SentencePair]:
    """Yield the pairs of the edits that were found by their summary.

    Raises:
        UsageError: there are none, or of none both texts are known.
    """
    funnel.counts.update(harvest.summaries)
    funnel.counts.update(dict.fromkeys(("single_block", PASSED), 0))
    segmenter = Segmenter(harvest.language)
    for row in harvest.rows(TRANSITIONS_TABLE):
        if row.provenance.signal != "summary":
            continue
        stage, line = _changed_line(row)
        if line is not None:
            funnel.counts["single_block"] += 1
            stage, texts = _aligned(*line, segmenter)
            yield from judged(texts, row.provenance, WNC_FILTERS, funnel, harvest.language)
        funnel.stages[stage] += 1
    funnel.counts[PASSED] = funnel.stages[PASSED]
    _check(harvest, funnel)


def _check(harvest: Harvest, funnel: Funnel) -> None:
    """Say what to do where no edit could be looked at.

    Raises:
        UsageError: see `wnc_pairs`.
    """
    harvest.refuse_unknown(funnel.stages, _UNKNOWN)
    if not funnel.stages and not harvest.summaries:
        raise UsageError(
            f"{harvest.folder} holds no edits found by their summary; run `wikibias detect "
            "--signal summary` on the dumps, into a folder of its own"
        )


def _changed_line(row: TransitionRow) -> tuple[str, tuple[str, str] | None]:
    """Return the line that an edit changed, before and after, if it changed nothing else.

    With it goes the stage that the edit has come to.
    """
    before, after = row.before_text, row.after_text
    if row.provenance.before_rev_id is None:
        return "no previous revision", None
    if before is None or after is None:
        return _UNKNOWN, None
    found = blocks(before, after)
    if not found.changed:
        return "no change" if before == after else "no changed block", None
    if found.deleted or found.added:
        return "purely deleted or added block", None
    only = found.changed[0] if len(found.changed) == 1 else None
    return PASSED if only else "more than one changed block", only


def _aligned(before: str, after: str, segmenter: Segmenter) -> tuple[str, list[tuple[str, str]]]:
    """Return the sentences of a changed line, each with its counterpart, and the stage."""
    texts = cleaned(before), cleaned(after)
    if not all(texts):
        return "empty after cleaning", []
    sides = [[each.lower() for each in segmenter.sentences(text)] for text in texts]
    if len(sides[0]) != len(sides[1]):
        return "number of sentences differs", []
    chosen = counterparts(*([tokens(each) for each in side] for side in sides))
    return PASSED, [(source, sides[1][at]) for source, at in zip(sides[0], chosen, strict=True)]
