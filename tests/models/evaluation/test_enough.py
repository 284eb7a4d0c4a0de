"""How much there must be to judge by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sample_examples import as_examples
from wikibias.config.thresholds import Scores
from wikibias.models.evaluation.experiment import pairs_shortage, shortage

LIMITS = Scores(min_per_class=3, min_groups=2)


@pytest.mark.parametrize(
    ("labels", "pages", "missing"),
    [
        ("bbbnnn", None, None),
        ("bbbnnn", "112211", None),
        ("bbbbnn", None, "6 sentences, 2 of the rarer class; 3 of each class are enough"),
        ("bb", None, "2 sentences, 0 of the rarer class; 3 of each class are enough"),
        ("bbbnnn", "111111", "6 sentences, of 1 page; 2 pages are enough"),
        (
            "b",
            "1",
            "1 sentence, 0 of the rarer class, of 1 page; 3 of each class and 2 pages are enough",
        ),
    ],
)
def test_sentences_of_each_class_and_pages(
    labels: str, pages: str | None, missing: str | None
) -> None:
    given = as_examples("x", [("biased" if label == "b" else "neutral", "a") for label in labels])
    if pages is not None:
        given = replace(given, pages=np.array([*map(int, pages)]))
    assert shortage(given, LIMITS) == missing


def test_the_groups_of_folds_count_in_place_of_pages() -> None:
    given = as_examples("x", [("biased", "a"), ("neutral", "b")] * 3)
    given = replace(given, pages=np.zeros(6, dtype=np.int64))
    assert shortage(given, LIMITS, np.arange(6)) is None
    assert shortage(given, LIMITS, np.zeros(6, np.int64)) == (
        "6 sentences, of 1 group; 2 groups are enough"
    )


def test_edits_with_both_sides() -> None:
    assert pairs_shortage({"edits": 1}, LIMITS) == "1 edit with both sides; 2 are enough"
    assert pairs_shortage({"edits": 2}, LIMITS) is None
