"""What the terminal says of a result: tables in a screen, and their meaning in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from selection_bias_results import full, minimal
from wikibias.research.cli.selection_bias.tables import show


def shown(result: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    show(result)
    return capsys.readouterr().out


def test_how_many_keywords_stand_in_the_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    """A word that nobody wrote is "known" to fastText all the same."""
    said = shown(minimal(), capsys)
    assert "in corpus" in said
    assert "1 of 2" in said


def test_a_list_of_which_little_stands_in_the_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    result = minimal()
    assert "says little" not in shown(result, capsys)
    result["keywords"][0]["in_corpus"] = 0
    assert "This says little: only 0 of 2 keywords stand in the corpus." in shown(result, capsys)


def test_a_list_of_which_b2_says_another_thing(capsys: pytest.CaptureFixture[str]) -> None:
    result = minimal()
    of = result["figures"][0]["baseline"]["figures"]
    assert "By B2" not in shown(result, capsys)
    of["mean_max"]["p"] = 0.5
    assert "more than by chance. By B2 mean_max, no more than by chance (p = 0.5000)." in shown(
        result, capsys
    )
    of["b1"]["p"], of["mean_max"]["p"] = 0.5, 0.01
    assert "no more than by chance. By B2 mean_max, more than" in shown(result, capsys)


def test_a_list_that_is_farther_than_all_random_ones(capsys: pytest.CaptureFixture[str]) -> None:
    result = minimal()
    result["figures"][0]["baseline"]["figures"]["b1"]["p"] = 1.0
    assert "Topics are farther from 'own' than from all 200 random lists" in shown(result, capsys)


def test_sentences_that_are_not_shown_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    said = shown(full(), capsys)
    assert len([line for line in said.splitlines() if " closer to " in line]) == 4
    assert "And 2 lists more, in the table above." in said


def test_differences_are_counted_and_it_is_said_where_none_is_clear(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = full()
    assert "B1 differs between groups of equal size: " in shown(result, capsys)
    for each in result["differences"]:
        each["difference"] = {"value": 0.01, "low": -0.1, "high": 0.12}
    assert "No difference of B1 by label, year, corpus is clear (" in shown(result, capsys)
    result["differences"] = []
    assert "No difference" not in shown(result, capsys)


def test_what_topics_tell_of_the_label_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    said = shown(full(), capsys)
    assert (
        "Topic and label of enwiki-2019: Cramér's V 0.120 (0.050 by chance); MCC of topics alone "
        "0.080 [0.060, 0.100]."
    ) in said


def test_a_loss_that_is_not_known_is_no_row_of_dashes(capsys: pytest.CaptureFixture[str]) -> None:
    result = full()
    assert "logistic on 4,000 sentences of enwiki-2019: MCC 0.350" in shown(result, capsys)
    unknown = {"value": None, "low": None, "high": None}
    for of in (*result["leakage"][0]["by"].values(), result["leakage"][0]["lost"]):
        of["mcc"] = unknown
    said = shown(result, capsys)
    assert "enwiki-2019: no MCC of topics that it has not seen." in said
