"""Topic models by name: ours, and one that another package adds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from outside import install
from wikibias.corpus.topic_counts import counted
from wikibias.corpus.topic_models import DEFAULT, TOPIC_MODELS
from wikibias.errors import UsageError
from wikibias.research.selection_bias.topics import fitted

CODE = """
import numpy as np

class Equal:
    def __init__(self, counts, topics):
        self.topics = topics
        self.word_weights = np.full((topics, counts.shape[1]), 1 / counts.shape[1])

    def shares(self, counts):
        return np.full((counts.shape[0], self.topics), 1 / self.topics)

def fit(counts, topics, seed):
    return Equal(counts, topics)
"""


def test_an_entry_point_adds_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, CODE, "[wikibias.topic_models]\nequal = outside:fit\n")
    names = TOPIC_MODELS.names()
    assert (names[0], names[-1]) == (DEFAULT, "equal")
    counts = counted(["mill river", "river village"], frozenset(), 1)
    topics = fitted(counts, 2, 0, 2, "equal")
    # Words of one weight stand in alphabetical order.
    assert topics.words == [["mill", "river"]] * 2
    assert np.array_equal(topics.shares, np.full((2, 2), 0.5))


def test_an_unknown_one_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown topic model 'lad'; did you mean 'lda'"):
        fitted(counted(["mill"], frozenset(), 1), 1, 0, 1, "lad")
