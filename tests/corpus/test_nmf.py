"""Topics of sentences by factorisation."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from wikibias.corpus.nmf import fit
from wikibias.corpus.topic_counts import counted, counts_of
from wikibias.corpus.topic_models import OF_SENTENCES, TOPIC_MODELS

TEXTS = ["mill river wheel", "river mill dam", "wheel dam mill"] * 6 + [
    "choir organ hymn",
    "hymn choir bell",
    "organ bell choir",
] * 6


def test_two_subjects_are_two_topics() -> None:
    counts = counted(TEXTS, ())
    model = TOPIC_MODELS[OF_SENTENCES](counts.matrix, 2, 0)
    main = model.shares(counts.matrix).argmax(axis=1)
    assert len({*main[:18].tolist()}) == len({*main[18:].tolist()}) == 1
    assert main[0] != main[-1]
    words = np.array(counts.vocabulary)[model.word_weights[main[0]].argsort()[-4:]]
    assert set(words.tolist()) == {"mill", "river", "wheel", "dam"}


@pytest.mark.parametrize("topics", [1, 2, 8, 30])
def test_rows_add_up_to_one_however_many_topics_there_are(topics: int) -> None:
    counts = counted(TEXTS, ())
    model = fit(counts.matrix, topics, 3)
    shares = model.shares(counts.matrix[:2])
    assert np.allclose(shares.sum(axis=1), 1)
    assert np.allclose(model.word_weights.sum(axis=1), 1)
    assert model.word_weights.shape == (topics, 8)


def test_a_text_without_a_known_word_has_equal_shares() -> None:
    counts = counted(TEXTS, ())
    shares = fit(counts.matrix, 4, 0).shares(counts_of(["ferry"], counts.vocabulary, ()))
    assert shares.tolist() == [[0.25] * 4]


def test_the_same_seed_gives_the_same() -> None:
    matrix = counted(TEXTS, ()).matrix
    first, again = (fit(matrix, 3, 5).shares(matrix) for _ in range(2))
    assert first.tobytes() == again.tobytes()


def test_sentences_of_one_word_only_are_no_trouble() -> None:
    matrix = counted([" ".join(["mill"] * number) for number in range(2, 240)], ()).matrix
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fit(matrix, 1, 0).shares(matrix).tolist() == [[1.0]] * matrix.shape[0]
