"""The topics of a corpus for people: their words, the keywords nearest to them, and examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.keywords import KeywordList
from wikibias.research.selection_bias.metrics import FIGURES, scores
from wikibias.research.selection_bias.similarity.table import SimilarityTable
from wikibias.research.selection_bias.topics import Topics

WORDS, NEAREST, EXAMPLES = 20, 5, 3
"""How many words, keywords of each list, and sentences stand for a topic."""
_LONGEST, _BEGIN = 500, 40  # characters of a sentence, and of its begin


def described(
    documents: Documents,
    topics: Topics,
    lists: Sequence[KeywordList],
    table: SimilarityTable,
    words: int,
) -> Iterator[dict[str, Any]]:
    """Yield what a page tells of each topic, that of the largest share first.

    Args:
        documents: that the topics were fitted on.
        topics: of one seed.
        lists: of keywords.
        table: how alike they are to the words of topics.
        words: how many words of a topic are compared. A pair without a similarity counts as 0.
    """
    shares = topics.shares.mean(axis=0)
    order = np.argsort(-shares, kind="stable")
    for number, place in enumerate(order.tolist(), 1):
        own = topics.words[place]
        compared = {
            each.name: _compared(own[:words], each.words, table) for each in lists if each.words
        }
        yield {
            "corpus": documents.name,
            "topic": number,
            "share": float(shares[place]),
            "share_by_label": _by_label(documents, topics.shares[:, place]),
            "words": own[:WORDS],
            **{
                part: {name: found[part] for name, found in compared.items()}
                for part in ("nearest", "cells", "b1", "mean_max", "max")
            },
            "examples": _examples(documents.texts, topics.shares[:, place]),
        }


def _compared(
    words: Sequence[str], keywords: Sequence[str], table: SimilarityTable
) -> dict[str, Any]:
    found = np.nan_to_num(table.of(words, keywords), nan=0.0)
    figures = dict(zip(FIGURES, scores([found], "zero").by_topic[0].tolist(), strict=True))
    best = found.max(axis=0)
    nearest = [
        {
            "keyword": keywords[place],
            "word": words[int(found[:, place].argmax())],
            "similarity": float(best[place]),
        }
        for place in np.argsort(-best, kind="stable")[:NEAREST].tolist()
        if best[place] > 0
    ]
    return {
        "nearest": nearest,
        "cells": found.mean(axis=0).tolist(),
        "b1": figures["b1"],
        "mean_max": figures["mean_max"],
        "max": figures["max"],
    }


def _by_label(documents: Documents, shares: NDArray[np.float64]) -> Mapping[str, float] | None:
    """Return the mean share of a topic in documents of each label; None where none is known."""
    labels = np.array(documents.facts.get("label", ()), dtype=object)
    names = sorted({label for label in labels.tolist() if label})
    if not names:
        return None
    return {name: float(shares[labels == name].mean()) for name in names}


def _examples(texts: Sequence[str], shares: NDArray[np.float64]) -> list[str]:
    """Return sentences that are most of a topic; of those that begin alike, as versions do, one."""
    found: dict[str, str] = {}
    for row in np.argsort(-shares, kind="stable").tolist():
        if len(found) == EXAMPLES:
            break
        text = texts[row]
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        found.setdefault(text[:_BEGIN], shown)
    return list(found.values())
