"""Agreement in groups and on categories."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError
from wikibias.research.annotation.agreement import by_category, by_group
from wikibias.research.annotation.answers import Answers
from wikibias.research.annotation.coefficients import Ratings, ratings


def rated(*rows: tuple[str | None, ...]) -> Ratings:
    """Return answers of a, b, ... to s1, s2, ..."""
    names = "abcd"[: len(rows[0])]
    items = [f"s{number}" for number, _ in enumerate(rows, 1)]
    return ratings(Answers(items, [*names], rows, dict.fromkeys(names, 0)))


def test_each_group_has_its_own_figures_and_the_order_of_its_numbers() -> None:
    found = rated(("0", "0"), ("1", "1"), ("0", "1"), ("1", "0"), ("1", "1"))
    bins = {"s1": "3-6", "s2": "3-6", "s3": "15-", "s4": "15-"}
    result = by_group(found, {"bin": bins}, weighted=False, resamples=20, seed=0)["bin"]
    assert list(result) == ["3-6", "15-"]
    assert result["3-6"]["cohen"]["a|b"]["value"] == 1
    assert result["15-"]["cohen"]["a|b"]["value"] == -1
    assert [of["items"] for of in result.values()] == [2, 2]


def test_a_group_without_figures_says_why() -> None:
    found = rated(("0", "0"), ("1", "1"))
    result = by_group(found, {"tag": {"s1": "POV"}}, weighted=False, resamples=9, seed=0)
    assert "all answers are the same" in result["tag"]["POV"]["notes"]["krippendorff.nominal"]


def test_a_column_of_ids_makes_no_groups() -> None:
    found = rated(*([("0", "1")] * 300))
    ids = {item: item for item in found.items}
    with pytest.raises(UsageError, match="--by id: 300 different values"):
        by_group(found, {"id": ids}, weighted=False, resamples=9, seed=0)


def test_each_choice_is_a_question_of_its_own() -> None:
    found = by_category(
        rated(
            ('["x"]', '["x", "y"]'),
            ("[]", '["y"]'),
            ('["y"]', "[]"),
            ('["x"]', '["x"]'),
            (None, '["x"]'),
        ),
        resamples=20,
        seed=0,
    )
    assert list(found) == ["x", "y"]
    assert found["x"]["cohen"]["a|b"]["value"] == 1
    assert found["y"]["cohen"]["a|b"]["value"] < 0
    assert (found["x"]["chosen"], found["y"]["chosen"]) == (5, 3)
    assert list(found["x"]["krippendorff"]) == ["nominal"]
    assert found["x"]["notes"] == {"fleiss": "1 sentence left out: not judged by all"}


def test_of_three_answers_each_is_set_against_the_others() -> None:
    rows = [("none", "none"), ("weak", "strong"), ("strong", "weak"), ("none", "none")]
    found = by_category(rated(*rows), resamples=20, seed=0)
    assert found["none"]["percentage"]["value"] == 1
    assert found["weak"]["percentage"]["value"] == 0.5


def test_of_two_answers_there_is_nothing_to_set_apart() -> None:
    assert by_category(rated(("0", "1")), resamples=9, seed=0) == {}
