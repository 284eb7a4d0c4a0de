"""Cramér's V of topics and labels, by hand, and against chance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wikibias.research.selection_bias.association import association, cramers_v


def test_v_by_hand() -> None:
    topics = np.repeat([0, 1], 10)
    labels = np.array([True] * 8 + [False] * 2 + [True] * 2 + [False] * 8)
    # Expected are 5 in each of 4 cells, found 8, 2, 2 and 8: chi-squared is 4 * 9 / 5.
    assert cramers_v(topics, labels) == pytest.approx(math.sqrt(7.2 / 20))


def test_v_of_all_and_of_none() -> None:
    topics = np.array([0, 0, 1, 1, 2, 2])
    assert cramers_v(topics, topics == 0) == pytest.approx(1)
    assert cramers_v(topics, np.array([True, False] * 3)) == pytest.approx(0)
    assert cramers_v(topics, np.ones(6, dtype=bool)) == 0
    assert cramers_v(np.zeros(6, dtype=np.int64), topics == 0) == 0


def test_a_label_that_goes_with_topics_within_pages_is_no_chance() -> None:
    pages, topics = np.repeat(np.arange(40), 4), np.tile([0, 0, 1, 1], 40)
    found = association(topics, topics == 0, pages, draws=99, seed=0)
    assert found["cramers_v"] == pytest.approx(1)
    assert found["chance"]["p"] == 0.01
    assert found["chance"]["high"] < 0.4


def test_pages_of_one_topic_and_one_label_are_few_things_not_many_sentences() -> None:
    rng = np.random.default_rng(3)
    pages = np.repeat(np.arange(20), 50)
    topics, labels = np.repeat(rng.integers(0, 3, 20), 50), np.repeat(rng.random(20) < 0.5, 50)
    by_page = association(topics, labels, pages, draws=199, seed=0)
    by_sentence = association(topics, labels, np.arange(1000), draws=199, seed=0)
    assert by_sentence["chance"]["p"] == 0.005
    assert by_page["chance"]["p"] > 0.05


def test_pages_of_very_different_sizes_are_found_by_chance_as_often_as_p_says() -> None:
    """Topics and labels of a page are alike, and have nothing to do with each other."""
    found = []
    for seed in range(120):
        rng = np.random.default_rng(seed)
        pages = np.repeat(np.arange(60), rng.geometric(1 / 6, 60))
        of_pages, biased = rng.dirichlet([0.3] * 4, 60), rng.beta(0.3, 0.3, 60)
        topics = (rng.random((len(pages), 1)) > of_pages.cumsum(axis=1)[pages]).sum(axis=1)
        labels = rng.random(len(pages)) < biased[pages]
        found.append(association(np.minimum(topics, 3), labels, pages, 99, seed)["chance"]["p"])
    assert np.mean(np.array(found) <= 0.1) < 0.2
    assert 0.4 < np.mean(found) < 0.6


def test_labels_of_one_kind_go_with_nothing() -> None:
    found = association(np.arange(6) % 2, np.ones(6, dtype=bool), np.arange(6), 19, 0)
    assert found == {"cramers_v": 0, "chance": {"mean": 0, "low": 0, "high": 0, "p": 1}}
