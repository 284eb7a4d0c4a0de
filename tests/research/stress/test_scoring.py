"""Figures of stress tests."""

from __future__ import annotations

from wikibias.research.stress.answers import Answer, Label
from wikibias.research.stress.cases import Case
from wikibias.research.stress.scoring import Bootstrap, score

QUICK = Bootstrap(resamples=50)


def given(number: int, predicted: Label, original: Label = "", category: str = "a") -> Answer:
    first = f"Town {number} is old."
    case = Case("made up", "INV", category, first, first, f"Village {number} is old.", False, False)
    return Answer(case, predicted, original)


def test_all_rows_and_those_of_right_originals_are_two_figures() -> None:
    answers = [
        given(1, "neutral", "neutral"),
        given(2, "biased", "neutral"),
        given(3, "biased", "biased"),  # wrong before and after, so that nothing changed
        given(4, "?", "neutral"),
        given(5, "?", "?"),
    ]
    found = score({"m": answers}, QUICK)["models"]["m"]["made up"]
    assert found["as_expected"]["value"] == 1 / 5
    assert (found["right_originals"], found["of_right_originals"]["value"]) == (3, 1 / 3)
    assert found["same_answer"]["value"] == 2 / 5
    assert found["unparsed"] == 2
    assert found["as_expected"]["low"] <= 1 / 5 <= found["as_expected"]["high"]


def test_without_answers_to_originals_only_one_figure_is_known() -> None:
    found = score({"m": [given(1, "neutral"), given(2, "biased")]}, QUICK)["models"]["m"]
    assert found["made up"]["as_expected"]["value"] == 1 / 2
    assert found["made up"]["of_right_originals"] is None
    assert found["made up"]["same_answer"] is None


def test_categories_have_figures_of_their_own() -> None:
    answers = [given(1, "neutral", category="a"), given(2, "biased", category="b")]
    found = score({"m": answers}, QUICK)["models"]["m"]["made up"]["categories"]
    assert {name: part["as_expected"]["value"] for name, part in found.items()} == {"a": 1, "b": 0}


def test_models_are_compared_on_rows_whose_originals_both_got_right() -> None:
    one = [given(n, "neutral", "neutral") for n in range(6)]
    two = [given(n, "biased" if n < 3 else "neutral", "neutral") for n in range(5)]
    two.append(given(5, "neutral", "biased"))
    common = score({"one": one, "two": two}, QUICK)["common"]["made up"]
    assert common["rows"] == 5
    assert common["models"]["two"]["value"] == 2 / 5
    (test,) = common["mcnemar"]
    assert (test["only_first"], test["only_second"], test["better"]) == (3, 0, "one")
    assert test["p"] == 0.25  # two-sided, of three rows
    assert test["difference"]["value"] == 3 / 5


def test_a_pair_that_stands_twice_counts_once_on_common_rows() -> None:
    answers = [given(1, "neutral"), given(1, "neutral"), given(2, "biased")]
    result = score({"one": answers, "two": answers}, QUICK)
    assert result["models"]["one"]["made up"]["rows"] == 3
    assert result["common"]["made up"]["rows"] == 2
    assert result["common"]["made up"]["mcnemar"][0]["better"] is None


def test_each_two_are_compared_on_the_rows_that_they_share() -> None:
    """A model that was right about no original takes no row from the others."""
    answers = {
        "one": [given(n, "neutral", "neutral") for n in range(6)],
        "two": [given(n, "biased" if n < 3 else "neutral", "neutral") for n in range(5)],
        "three": [given(n, "biased", "biased") for n in range(6)],
    }
    common = score(answers, QUICK)["common"]["made up"]
    assert (common["rows"], common["mcnemar"]) == (0, [])
    (pair,) = common["pairs"]
    assert (pair["first"], pair["second"], pair["rows"]) == ("one", "two", 5)
    assert (pair["only_first"], pair["only_second"], pair["better"]) == (3, 0, "one")
    assert pair["p"] == pair["p_holm"] == 0.25
    alone = score({name: answers[name] for name in ("one", "two")}, QUICK)["common"]["made up"]
    assert alone["pairs"] == [{**test, "rows": 5} for test in alone["mcnemar"]] == [pair]


def test_an_answer_of_neither_is_never_the_same() -> None:
    answers = [given(1, "?", "?"), given(2, "neutral", "?"), given(3, "biased", "biased")]
    found = score({"m": answers}, QUICK)["models"]["m"]["made up"]
    assert found["same_answer"]["value"] == 1 / 3
    assert (found["unparsed"], found["called_biased"]) == (1, 1)
