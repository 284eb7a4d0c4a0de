"""How the topics of a corpus are shared between its classes."""

from __future__ import annotations

import numpy as np

from made_edits import CHOICE, edit
from wikibias.corpus.candidates import read
from wikibias.corpus.main_topics import MainTopics
from wikibias.corpus.rows import Rows
from wikibias.corpus.topic_shares import topic_shares


def test_counts_by_topic_class_and_split() -> None:
    candidates = read([edit(removed=["A b", "C d", "E f"], added=["G h", "I j"])], CHOICE)
    topics = MainTopics(np.array([0, 1, 1, 0, 1], np.int8), [["mill"], ["choir"], []])
    rows = Rows(np.array([0, 1, 3, 4]), np.array([0, 0, 0, 2]), [None] * 4)
    mill, choir, none = topic_shares(candidates, topics, rows, np.array([2]))
    assert mill == {
        "words": ["mill"],
        "biased": {"train": 1, "dev": 0, "test": 0},
        "neutral": {"train": 1, "dev": 0, "test": 0},
        "left_out": 0,
    }
    assert choir["biased"] == {"train": 1, "dev": 0, "test": 0}
    assert choir["neutral"] == {"train": 0, "dev": 0, "test": 1}
    assert choir["left_out"] == 1
    assert (none["words"], none["left_out"], sum(none["biased"].values())) == ([], 0, 0)
