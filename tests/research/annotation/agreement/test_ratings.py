"""Answers as numbers."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError
from wikibias.research.annotation.answers import Answers
from wikibias.research.annotation.coefficients import GAP, ratings, value_counts


def answers(*rows: list[str | None]) -> Answers:
    """Return answers of a, b, c, ... to s1, s2, ..."""
    names = "abcdefgh"[: len(rows[0])]
    items = [f"s{number}" for number, _ in enumerate(rows, 1)]
    return Answers(items, list(names), rows, dict.fromkeys(names, 0))


def test_numbers_are_in_the_order_of_numbers() -> None:
    found = ratings(answers(["10", "2"], ["2", None]))
    assert found.values == ("2", "10")
    assert found.numbers == (2, 10)
    assert found.ordered
    assert found.codes.tolist() == [[1, 0], [0, GAP]]


def test_words_have_the_order_they_are_given() -> None:
    words = answers(["weak", "neutral"], ["strong", "weak"])
    assert not ratings(words).ordered
    found = ratings(words, ["neutral", "weak", "strong"])
    assert found.ordered
    assert found.numbers is None
    assert found.codes.tolist() == [[1, 0], [2, 1]]


@pytest.mark.parametrize("number", ["nan", "inf", "x"])
def test_what_has_no_place_on_a_line_is_no_number(number: str) -> None:
    assert ratings(answers(["1", number])).numbers is None


def test_the_order_names_every_answer_once() -> None:
    with pytest.raises(UsageError, match="lacks 'strong'"):
        ratings(answers(["weak", "strong"]), ["neutral", "weak"])
    with pytest.raises(UsageError, match="twice"):
        ratings(answers(["weak", "weak"]), ["weak", "weak"])


def test_names_of_pairs_are_told_apart() -> None:
    with pytest.raises(UsageError, match=r"'a\|b'"):
        ratings(Answers(["s1"], ["a|b"], [["1"]], {"a|b": 0}))


def test_a_column_of_texts_is_no_question() -> None:
    rows: list[list[str | None]] = [[f"t{number}"] for number in range(600)]
    with pytest.raises(UsageError, match="600 different answers"):
        ratings(answers(*rows))


def test_a_list_of_choices_has_a_category_for_each() -> None:
    found = ratings(answers(['["a", "b"]', "[]"], ['["b"]', None]))
    assert found.several()
    of_value = {
        name: dict(zip(found.values, holds, strict=True))
        for name, holds in found.categories().items()
    }
    assert of_value == {
        "a": {'["a", "b"]': 1, '["b"]': 0, "[]": 0},
        "b": {'["a", "b"]': 1, '["b"]': 1, "[]": 0},
    }


def test_a_single_choice_is_its_own_category() -> None:
    found = ratings(answers(["x", "y"], ["z", "y"]))
    assert not found.several()
    assert {name: holds.tolist() for name, holds in found.categories().items()} == {
        "x": [1, 0, 0],
        "y": [0, 1, 0],
        "z": [0, 0, 1],
    }


def test_patterns_pairs_and_rows() -> None:
    found = ratings(answers(["0", "1", None], ["0", "1", None], ["1", "1", "1"]))
    patterns, times = found.patterns()
    assert dict(zip(map(tuple, patterns.tolist()), times.tolist(), strict=True)) == {
        (0, 1, GAP): 2,
        (1, 1, 1): 1,
    }
    assert found.pairs() == {"a|b": (0, 1), "a|c": (0, 2), "b|c": (1, 2)}
    assert found.rows([2]).items == ("s3",)
    assert value_counts(found.codes, 2).tolist() == [[1, 1], [1, 1], [0, 3]]
