"""How figures of a result are found and written."""

from __future__ import annotations

import pytest

from selection_bias_results import full
from wikibias.kits.charts import Dot
from wikibias.research.reports.selection_bias.result import (
    Pair,
    Result,
    band,
    ends,
    labels,
    share,
    short,
    unique,
    whole,
    written,
)

_SHORT = ["short (1)", "short (2)"]


def test_figures_are_found_by_corpus_list_and_setting() -> None:
    result = Result(full())
    pair = Pair("enwiki-2019", "classes")
    entry = result.at_base(pair)
    assert entry is not None
    assert (entry["topics"], entry["words"], entry["group"]) == (8, 8, None)
    assert [each["topics"] for each in result.along(pair, "topics")] == [2, 8, 20]
    assert [each["words"] for each in result.along(pair, "words")] == [8, 20, 50]
    assert list(result.groups("enwiki-2019")) == ["label", "year"]
    assert result.at_base(Pair("enwiki-2019", "no such list")) is None


def test_intervals_and_numbers_are_written() -> None:
    assert written({"value": 0.25, "low": 0.2, "high": 0.3}) == "0.250 [0.200, 0.300]"
    assert written({"value": 0.25, "low": None, "high": None}) == "0.250"
    assert written({"value": None}) == written(None) == "–"
    assert band({"mean": 0.1, "low": 0.0, "high": 0.2, "p": 0.5}) == "0.100 [0.000, 0.200]"
    assert band(None) == "–"
    assert (share(0.25), share(None)) == ("25%", "–")
    assert (whole(1234.0), whole(11.44), whole(None)) == ("1,234", "11.4", "–")


def test_long_texts_are_cut_to_one_line() -> None:
    assert short("one\n two", 10) == "one two"
    assert short("a" * 11, 10) == "a" * 9 + "…"
    assert len(short(" " * 1_000_000 + "a", 10)) <= 10


def test_a_long_label_keeps_its_begin_and_end() -> None:
    names = ["a rather long name of group 1", "a rather long name of group 2", "short", "short"]
    assert labels(names) == ["a rather l…of group 1", "a rather l…of group 2", *_SHORT]


def test_names_that_are_the_same_are_told_apart() -> None:
    assert unique(["a", "b", "a"]) == ["a (1)", "b", "a (2)"]


@pytest.mark.parametrize(
    ("values", "axis"),
    [
        ([0.1, 0.19], (0, 0.2)),
        ([0.3, 0.41], (0, 0.6)),
        ([0.9], (0, 1.0)),
        ([-0.15, 0.2], (-0.2, 0.2)),
        ([], (0, 0.2)),
        ([7.0], (0, 7)),
    ],
)
def test_an_axis_has_round_steps(values: list[float], axis: tuple[float, float]) -> None:
    assert ends(Dot(value) for value in values) == pytest.approx(axis)
