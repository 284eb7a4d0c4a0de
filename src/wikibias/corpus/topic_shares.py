"""How the topics of a corpus are shared between its classes, split by split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.corpus.candidates import REMOVED, Candidates, Flags, Ints
from wikibias.corpus.rows import Rows

if TYPE_CHECKING:
    from wikibias.corpus.main_topics import MainTopics


def topic_shares(
    candidates: Candidates, topics: MainTopics, rows: Rows, lost: Ints
) -> list[dict[str, Any]]:
    """Return for each topic its words, how many of either class each split has, and how many not.

    Args:
        candidates: all sentences.
        topics: of these.
        rows: the corpus.
        lost: biased ones that are not in it, as there was no neutral one of their topic.
    """
    of_row, is_biased = topics.of[rows.number], candidates.role[rows.number] == REMOVED
    of_lost = np.bincount(topics.of[lost], minlength=len(topics.words)).tolist()

    def of_splits(which: Flags) -> dict[str, int]:
        numbers = np.bincount(rows.split[which], minlength=len(SPLITS)).tolist()
        return dict(zip(SPLITS, numbers, strict=True))

    return [
        {
            "words": list(words),
            "biased": of_splits((of_row == number) & is_biased),
            "neutral": of_splits((of_row == number) & ~is_biased),
            "left_out": of_lost[number],
        }
        for number, words in enumerate(topics.words)
    ]
