"""What a classifier owes to topics."""

from __future__ import annotations

from selection_bias_results import full, minimal
from wikibias.research.reports.selection_bias.leakage import leakage
from wikibias.research.reports.selection_bias.result import Result


def test_scores_of_each_kind_of_fold_stand_below_each_other() -> None:
    part = leakage(Result(full()))
    assert part is not None
    assert [block.title for block in part.blocks] == ["", "enwiki-2019", "enwiki-2024"]
    rows = part.blocks[1].tables[0].rows
    assert [row[0] for row in rows] == [
        *("any sentences", "whole near-duplicates", "whole pages", "whole topics"),
        "topics alone",
    ]
    assert rows[0][1] == "0.360 [0.340, 0.380]"
    assert "it loses 0.110 [0.090, 0.130] of MCC, and" in part.blocks[1].says[0]


def test_a_loss_whose_interval_holds_0_may_be_chance() -> None:
    result = full()
    result["leakage"][0]["lost"]["mcc"] = {"value": 0.01, "low": -0.02, "high": 0.04}
    part = leakage(Result(result))
    assert part is not None
    assert "0.010 [-0.020, 0.040] of MCC, which may be chance, and" in part.blocks[1].says[0]


def test_how_many_sentences_were_drawn_is_told() -> None:
    result = full()
    found = result["leakage"][0]
    found["of"] = found["documents"] + 1000
    part = leakage(Result(result))
    assert part is not None
    assert f" drawn from {found['of']:,}, " in part.blocks[1].says[0]
    assert " drawn from " not in part.blocks[2].says[0]


def test_without_cross_validation_there_is_none() -> None:
    assert leakage(Result(minimal())) is None


def test_a_classifier_that_calls_all_the_same_is_told() -> None:
    result = full()
    for figures in result["leakage"][0]["by"].values():
        figures["mcc"] = {"value": 0.0, "low": 0.0, "high": 0.0}
    part = leakage(Result(result))
    assert part is not None
    said = "it calls all sentences the same"
    assert said in part.blocks[1].says[-1]
    assert said not in part.blocks[2].says[-1]
