"""From probabilities to labels."""

from __future__ import annotations

import numpy as np

from wikibias.research.spans.decoding import best_threshold, decode, top_word
from wikibias.research.spans.sentences import Tagged


def test_neighbours_make_one_span_unless_another_begins() -> None:
    words = np.array([[0.4, 0.2], [0.1, 0.5], [0.6, 0.1], [0.1, 0.1], [0.1, 0.5]])
    assert decode(words, 0.5) == ["B-bias", "I-bias", "B-bias", "O", "B-bias"]
    assert decode(words, 0.65) == ["O", "O", "B-bias", "O", "O"]
    assert decode(np.zeros((0, 2)), 0.5) == []


def test_the_first_of_the_most_likely_words() -> None:
    assert top_word(np.array([[0.1, 0.1], [0.3, 0.3], [0.6, 0]])) == 1
    assert top_word(np.zeros((0, 2))) is None


def test_the_threshold_that_marks_what_is_gold() -> None:
    dev = [Tagged(("a", "b", "c"), ("O", "B-bias", "O"))] * 5
    words = [np.array([[0.2, 0.1], [0.5, 0.1], [0.1, 0.1]])] * 5
    threshold, scores = best_threshold(dev, words)
    assert 0.3 < threshold <= 0.6
    assert scores["exact"]["f1"] == 1
    assert best_threshold([], [])[0] == 1
