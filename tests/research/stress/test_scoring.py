"""Figures of stress tests."""

from dataclasses import replace

import pytest

from wikibias.research.stress.answers import Answer, Label
from wikibias.research.stress.cases import Case
from wikibias.research.stress.scoring import notes, score


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
    found = score({"m": answers}, resamples=50)["models"]["m"]["made up"]
    assert found["as_expected"]["value"] == 1 / 5
    assert (found["right_originals"], found["of_right_originals"]["value"]) == (3, 1 / 3)
    assert found["same_answer"]["value"] == 2 / 5
    assert found["unparsed"] == 2
    assert found["as_expected"]["low"] <= 1 / 5 <= found["as_expected"]["high"]


def test_without_answers_to_originals_only_one_figure_is_known() -> None:
    found = score({"m": [given(1, "neutral"), given(2, "biased")]}, resamples=50)["models"]["m"]
    assert found["made up"]["as_expected"]["value"] == 1 / 2
    assert found["made up"]["of_right_originals"] is None
    assert found["made up"]["same_answer"] is None


def test_categories_have_figures_of_their_own() -> None:
    answers = [given(1, "neutral", category="a"), given(2, "biased", category="b")]
    found = score({"m": answers}, resamples=50)["models"]["m"]["made up"]["categories"]
    assert {name: part["as_expected"]["value"] for name, part in found.items()} == {"a": 1, "b": 0}


def test_models_are_compared_on_rows_whose_originals_both_got_right() -> None:
    one = [given(n, "neutral", "neutral") for n in range(6)]
    two = [given(n, "biased" if n < 3 else "neutral", "neutral") for n in range(5)]
    two.append(given(5, "neutral", "biased"))
    common = score({"one": one, "two": two}, resamples=50)["common"]["made up"]
    assert common["rows"] == 5
    assert common["models"]["two"]["value"] == 2 / 5
    (test,) = common["pairs"]
    assert (test["only_first"], test["only_second"], test["better"]) == (3, 0, "one")
    assert test["p"] == 0.25  # two-sided, of three rows
    assert test["difference"]["value"] == 3 / 5


def test_a_pair_that_stands_twice_counts_once_on_common_rows() -> None:
    answers = [given(1, "neutral"), given(1, "neutral"), given(2, "biased")]
    result = score({"one": answers, "two": answers}, resamples=50)
    assert result["models"]["one"]["made up"]["rows"] == 3
    assert result["common"]["made up"]["rows"] == 2
    assert result["common"]["made up"]["pairs"][0]["better"] is None


def test_each_two_are_compared_on_the_rows_that_they_share() -> None:
    """A model that was right about no original takes no row from the others."""
    answers = {
        "one": [given(n, "neutral", "neutral") for n in range(6)],
        "two": [given(n, "biased" if n < 3 else "neutral", "neutral") for n in range(5)],
        "three": [given(n, "biased", "biased") for n in range(6)],
    }
    common = score(answers, resamples=50)["common"]["made up"]
    assert common["rows"] == 0
    (pair,) = common["pairs"]
    assert (pair["first"], pair["second"], pair["rows"]) == ("one", "two", 5)
    assert (pair["only_first"], pair["only_second"], pair["better"]) == (3, 0, "one")
    assert pair["p"] == pair["p_holm"] == 0.25
    alone = score({name: answers[name] for name in ("one", "two")}, resamples=50)["common"][
        "made up"
    ]
    assert alone["pairs"] == [pair]


def test_an_answer_of_neither_is_never_the_same() -> None:
    answers = [given(1, "?", "?"), given(2, "neutral", "?"), given(3, "biased", "biased")]
    found = score({"m": answers}, resamples=50)["models"]["m"]["made up"]
    assert found["same_answer"]["value"] == 1 / 3
    assert (found["unparsed"], found["called_biased"]) == (1, 1)


def town(number: int, predicted: Label, original: Label = "", *, biased: bool = False) -> Answer:
    first = f"Town {number} is old."
    case = Case("t", "INV", "", first, first, f"Village {number} is old.", biased, biased)
    return Answer(case, predicted, original)


def test_changes_of_spaces_and_unreadable_answers_are_told() -> None:
    case = Case("loaded", "DIR", "", "t", "Old, yes.", "Old , yes .", True, False)
    lines = notes(score({"m": [Answer(case, "?")]}, resamples=20))
    assert "1 of 1 changed rows differ from their original in spaces alone" in lines[0]
    assert "1 answer of neither biased nor neutral (? or empty)" in lines[1]


def test_few_right_originals_and_no_common_row_are_told() -> None:
    one = [town(n, "neutral", "biased" if n else "neutral") for n in range(20)]
    two = [town(n, "neutral", "neutral" if n == 5 else "biased") for n in range(20)]
    result = score({"one": one, "two": two}, resamples=20)
    assert result["common"]["t"] == {
        "rows": 0,
        "models": {name: {"value": None, "low": None, "high": None} for name in ("one", "two")},
        "pairs": [],
    }
    first, second, _ = notes(result)
    assert first == "t: no row is common to two models, so that none are compared"
    assert second.startswith("one, t: only 1 of 20 rows have an original")


def test_models_that_share_no_row_are_compared_two_by_two() -> None:
    answers = {
        "one": [town(n, "neutral", "neutral") for n in range(6)],
        "two": [town(n, "neutral", "neutral") for n in range(5)],
        "three": [town(n, "neutral", "biased") for n in range(6)],
    }
    first, second = notes(score(answers, resamples=20))
    assert first.endswith("so that each two are compared on those that both have")
    assert second.startswith("three, t: none of 6 rows has an original that was called what it is")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("neutral", "neutral", "neutral"), "called every case neutral (3), none biased"),
        (("biased", "biased", "?"), "called every case biased (2), none neutral"),
        (("neutral", "biased", "neutral"), ""),
    ],
)
def test_a_model_that_says_the_same_of_all_is_told(said: tuple[Label, ...], told: str) -> None:
    answers = [town(n, each, biased=n == 2) for n, each in enumerate(said)]
    lines = [line for line in notes(score({"m": answers}, resamples=20)) if "called every" in line]
    assert len(lines) == bool(told)
    assert told in "".join(lines)


def test_saying_the_same_where_all_are_the_same_is_no_note() -> None:
    assert notes(score({"m": [town(n, "neutral") for n in range(3)]}, resamples=20)) == []


def test_what_holds_of_several_tests_is_said_once() -> None:
    answers = [
        Answer(replace(each.case, test=test), "?")
        for test in ("a", "b")
        for each in (town(1, "?"), town(2, "?"))
    ]
    (line,) = notes(score({"m": answers}, resamples=20))
    assert line.startswith("m, a, b: 2 answers of neither")
