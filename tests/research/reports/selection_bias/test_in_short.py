"""What the page says in short."""

from __future__ import annotations

from typing import Any

import pytest

from selection_bias_results import Wanted, full, made, minimal
from wikibias.research.reports.selection_bias.in_short import beside_random, lines, sentence
from wikibias.research.reports.selection_bias.leakage import leakage
from wikibias.research.reports.selection_bias.result import Result


def said(result: dict[str, Any]) -> str:
    found = Result(result)
    (pair,) = found.pairs
    entry = found.at_base(pair)
    assert entry is not None
    return sentence(found, pair, entry)


def verdict(result: dict[str, Any]) -> str:
    found = Result(result)
    pairs = [(pair, entry) for pair in found.pairs if (entry := found.at_base(pair))]
    table = beside_random(found, pairs)
    return str(table.rows[0][table.header.index("the topics are")])


def with_p(b1: float, mean_max: float, in_corpus: int = 1) -> dict[str, Any]:
    result = minimal()
    for each in result["figures"]:
        each["baseline"]["figures"]["b1"]["p"] = b1
        each["baseline"]["figures"]["mean_max"]["p"] = mean_max
    result["keywords"][0]["in_corpus"] = in_corpus
    return result


@pytest.mark.parametrize(
    ("b1", "mean_max", "in_corpus", "sentence_says", "row_says"),
    [
        (2 / 201, 0.01, 1, "than to 199 of 200 lists", "nearer than to 199 of 200"),
        (58 / 201, 0.4, 1, "57 of 200 random lists are as", "not clearly nearer: 57 of 200"),
        (1.0, 1.0, 1, "from all 200 lists of random words", "farther than from all 200"),
        (0.06, 0.02, 1, "mean-max disagrees", "nearer by B2 mean-max alone"),
        (0.02, 0.06, 1, "mean-max disagrees", "nearer by B1 alone"),
        (1.0, 1.0, 0, "none of these stands in the corpus", "not compared: no keyword stands"),
    ],
)
def test_a_sentence_and_a_row_say_the_same_of_random_lists(
    b1: float, mean_max: float, in_corpus: int, sentence_says: str, row_says: str
) -> None:
    result = with_p(b1, mean_max, in_corpus)
    assert sentence_says in said(result)
    assert row_says in verdict(result)


def test_a_list_that_stands_nowhere_needs_no_random_lists_to_say_so() -> None:
    result = with_p(1.0, 1.0, in_corpus=0)
    for each in result["figures"]:
        each["baseline"] = None
    assert "none of these stands in the corpus" in said(result)
    assert "no keyword stands in the corpus" in verdict(result)


def test_figures_that_are_not_there_are_not_compared() -> None:
    result = minimal()
    for each in result["figures"]:
        each["baseline"] = None
    assert verdict(result) == "not compared: no random lists"
    for each in result["figures"]:
        each["b1"] = {"value": None, "low": None, "high": None}
    assert verdict(result) == "not measured: no word is known"


def test_corpora_classes_drift_and_classifiers_have_a_line_each() -> None:
    told = lines(Result(full()))
    assert [line.split(",")[0].split(":")[0] for line in told] == [
        "On samples of equal size",
        *["By class"] * 2,
        "The shares of topics of enwiki-2024 differ from those of enwiki-2019 by 0.081 [0.061",
        "Topic and class of enwiki-2019",
        "Topic and class of enwiki-2024",
    ]
    assert "enwiki-2024 and enwiki-2019 differ clearly in" in told[0]
    assert "Cramér’s V 0.120, by chance 0.050 [0.010, 0.090]: more than chance" in told[-1]
    assert "Topics alone tell it with an MCC of 0.080 [0.060, 0.100]." in told[-1]
    assert "4,000 sentences, loses 0.110 [0.090, 0.130] of MCC where topics are new" in told[-1]


def test_a_loss_that_was_not_measured_is_no_dash() -> None:
    result, unknown = full(), {"value": None, "low": None, "high": None}
    for each in result["leakage"]:
        each["lost"] = each["topics_only"] = {"mcc": unknown, "auc": unknown}
    told = lines(Result(result))[-1]
    assert told.endswith("loses where topics are new to it is not measured.")
    assert "Topics alone" not in told
    part = leakage(Result(result))
    assert part is not None
    assert "is not measured; the notes say why." in part.blocks[1].says[0]


def test_p_of_drift_is_too_small_where_pages_are_not_known() -> None:
    result, said = full(), "p is too small"
    assert said not in " ".join(lines(Result(result)))
    result["drift"]["shuffled_by"] = "sentence"
    assert said in " ".join(lines(Result(result)))


def test_differences_whose_intervals_hold_0_are_not_named() -> None:
    result = made(Wanted(groups={"label": ["biased", "neutral"]}))
    (difference,) = result["differences"]
    difference["difference"] = {"value": 0.01, "low": -0.1, "high": 0.12}
    assert lines(Result(result))[0] == (
        "By class, the sentences differ clearly in none of 1 figure."
    )
    difference["difference"] = {"value": 0.11, "low": 0.1, "high": 0.12}
    assert lines(Result(result))[0] == (
        "By class, the sentences differ clearly in 1 of 1 figure "
        "(B1 to “own” 0.110 [0.100, 0.120])."
    )


def test_a_list_alone_needs_no_lines() -> None:
    assert lines(Result(minimal())) == []
