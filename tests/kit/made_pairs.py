"""Sentence pairs for tests."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from histories import history
from wikibias.config.thresholds import Build
from wikibias.corpus.sentence_pairs.harvest import Funnel, write_pairs
from wikibias.edits.word_diff import edited_spans
from wikibias.records import SentencePair

PROVENANCE = history(["{{POV}} a", "a"])[1].provenance


def pair(number: int = 1, page: int = 1, **facts: Any) -> SentencePair:
    """Return a biased pair of a page, or with `label="neutral"` one without a change."""
    neutral = facts.get("label") == "neutral"
    target = f"Orchard {number} lies on the northern slope above the river."
    made = SentencePair(
        pair_id=f"inventedenwiki-{number}",
        source=target if neutral else target.replace("Orchard", "The splendid orchard"),
        target=target,
        label="biased",
        single_word=False,
        relation=None if neutral else "rewritten",
        similarity=100.0 if neutral else 90.0,
        edits=(),
        split="",
        tier=None,
        tier_reasons=(),
        provenance=replace(PROVENANCE, page_id=page, after_rev_id=number),
    )
    return replace(made, **facts)


def written_pairs(folder: Path, number: int, **facts: Any) -> Path:
    """Write so many biased pairs, and a neutral one for each third, and return the folder."""

    def pairs() -> Iterator[SentencePair]:
        for each in range(100, 100 + number):  # all of a length
            made = pair(each, page=each, **facts)
            spans = edited_spans(made.source, made.target)
            yield replace(made, edits=spans)
            if each % 3 == 1:
                yield pair(number + each, page=each, label="neutral")

    funnel = Funnel()
    funnel.counts.update(matched=90, reverts=7, pover=2, kept=81, single_block=70, passed=60)
    funnel.stages.update({"passed": 60, "no changed block": 11})
    write_pairs(
        folder,
        pairs(),
        funnel,
        shares=Build(),
        seed=0,
        facts={"format": "sentence pairs", "rules": "wnc"},
        overwrite=True,
    )
    return folder
