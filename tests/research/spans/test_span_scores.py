"""Four definitions of a match."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.research.spans.labels import spans
from wikibias.research.spans.span_scores import MATCHES, SpanCounts

LABEL = st.sampled_from("OBI")
PAIRS = st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=9)


def scored(gold: str, predicted: str) -> dict[str, int]:
    counts = SpanCounts()
    counts.add(gold.split(), predicted.split())
    found = counts.scores(resamples=1)
    return {name: found[name]["tp"] for name in MATCHES}


@pytest.mark.parametrize(
    ("gold", "predicted", "exact", "right", "overlap", "token"),
    [
        ("O B I O", "O B I O", 1, 1, 1, 2),
        ("O B I O", "O O B O", 0, 1, 1, 1),
        ("O B I O", "O B O O", 0, 0, 1, 1),
        ("O B I O", "O O O B", 0, 0, 0, 0),
        ("B I I I", "B B B B", 0, 1, 1, 4),
        ("B B I O", "B I I B", 0, 1, 1, 3),
        ("O O", "O O", 0, 0, 0, 0),
    ],
)
def test_what_matches(
    gold: str, predicted: str, exact: int, right: int, overlap: int, token: int
) -> None:
    found = scored(gold, predicted)
    assert [*found.values()] == [exact, right, overlap, token]


@given(PAIRS)
def test_overlap_pairs_as_many_spans_as_can_be(pairs: list[tuple[str, str]]) -> None:
    gold, predicted = (spans(side) for side in zip(*pairs, strict=True))
    few, many = sorted((gold, predicted), key=len)
    best = max(
        sum(a < d and c < b for (a, b), (c, d) in zip(few, chosen, strict=False))
        for chosen in permutations(many, len(few))
    )
    found = scored(*(" ".join(side) for side in zip(*pairs, strict=True)))
    assert found["overlap"] == best
    assert found["exact"] <= found["right_boundary"] <= found["overlap"] <= found["token"]


def test_rates_and_intervals() -> None:
    counts = SpanCounts()
    for _ in range(30):
        counts.add("B I O".split(), "O B O".split())
        counts.add("B I O".split(), "B I O".split())
        counts.add("O O O".split(), "B O O".split())
    found = counts.scores(seed=3)
    assert found == counts.scores(seed=3)
    keys = ("gold", "predicted", "sentences", "tokens")
    assert [found[key] for key in keys] == [60, 90, 90, 270]
    assert found["exact"] == {
        "tp": 30,
        "precision": pytest.approx(1 / 3),
        "recall": 0.5,
        "f1": 0.4,
    }
    low, high = found["intervals"]["exact"]["recall"]
    assert 0.3 < low < 0.5 < high < 0.7
    assert found["token"]["gold"] == 120


def test_what_is_not_defined_is_null() -> None:
    counts = SpanCounts()
    counts.add(["O"], ["O"])
    found = counts.scores()
    assert found["exact"] == {"tp": 0, "precision": 0.0, "recall": None, "f1": None}
    assert found["intervals"] == {}
