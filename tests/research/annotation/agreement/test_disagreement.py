"""Who stands apart, what is confused, and on which items."""

from __future__ import annotations

import numpy as np

from wikibias.research.annotation.agreement import confusion, most_disagreed, standing_apart
from wikibias.research.annotation.coefficients import GAP, Ratings


def rated(rows: list[list[int]]) -> Ratings:
    """Return codes 0 and 1 of a, b, c, ... as ratings of "no" and "yes"."""
    codes = np.array(rows)
    items = tuple(f"s{number}" for number, _ in enumerate(rows, 1))
    return Ratings(items, tuple("abcdef"[: codes.shape[1]]), ("no", "yes"), codes)


def test_who_answers_at_random_stands_apart() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    found = standing_apart(
        rated(np.column_stack([truth, truth, rng.integers(0, 2, 200)]).tolist()),
        "nominal",
        resamples=200,
        seed=0,
    )
    assert found["annotator"] == "c"
    assert found["without"]["c"]["krippendorff"]["value"] == 1
    assert found["without"]["c"]["gain"]["low"] > 0 > found["without"]["a"]["gain"]["high"]


def test_nobody_stands_apart_where_the_interval_holds_nothing() -> None:
    rows = [[0, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]]
    found = standing_apart(rated(rows), "nominal", resamples=200, seed=0)
    assert found["without"]["c"]["gain"]["value"] > 0
    assert found["annotator"] is None


def test_of_two_nobody_stands_apart() -> None:
    found = standing_apart(rated([[0, 1], [1, 1]]), "nominal", resamples=9, seed=0)
    assert (found["annotator"], found["without"]) == (None, {})


def test_the_first_of_a_pair_is_outside_of_the_table() -> None:
    found = confusion(rated([[0, 1], [0, 1], [1, 1], [GAP, 0]]))
    assert found == {"a|b": {"no": {"yes": 2}, "yes": {"yes": 1}}}
    assert confusion(rated([[0, GAP]])) == {"a|b": {}}


def test_the_most_disagreed_come_first_and_the_agreed_not_at_all() -> None:
    rows = [[0, 0, 0, 0], [0, 1, GAP, GAP], [0, 0, 1, 1], [0, 0, 0, 1]]
    found = most_disagreed(rated(rows), {"s3": "The mill is old."})
    assert [sentence["item"] for sentence in found] == ["s3", "s4", "s2"]
    assert found[0]["text"] == "The mill is old."
    assert found[0]["differing"] == 4 / 6
    assert found[2] == {"item": "s2", "differing": 1.0, "answers": {"a": "no", "b": "yes"}}
