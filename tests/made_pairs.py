"""Sentence pairs for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from histories import history
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
