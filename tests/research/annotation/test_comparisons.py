"""Tests of comparisons, against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from wikibias.research.annotation.answers import Codes
from wikibias.research.annotation.scores import compare, compare_all, turned

RNG = np.random.default_rng(7)
GOLD = RNG.random(500) < 0.3


def annotator(accuracy: float, seed: int = 0) -> Codes:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(500) < accuracy, GOLD, ~GOLD).astype(np.int8)


class TestCompare:
    def test_gives_the_values_of_statsmodels(self) -> None:
        first, second = annotator(0.8), annotator(0.7, 1)
        found = compare(GOLD, ("a", "b"), (first, second))
        right = (first == GOLD, second == GOLD)
        table = [
            [np.sum(right[0] & right[1]), np.sum(right[0] & ~right[1])],
            [np.sum(~right[0] & right[1]), np.sum(~right[0] & ~right[1])],
        ]
        keys = [["both_right", "b"], ["c", "both_wrong"]]
        assert [[found[key] for key in row] for row in keys] == table
        assert found["p_exact"] == pytest.approx(mcnemar(table, exact=True).pvalue)
        corrected = mcnemar(table, exact=False, correction=True)
        assert found["chi2_corrected"] == pytest.approx(corrected.statistic)
        assert found["p_chi2"] == pytest.approx(corrected.pvalue)
        assert found["odds"] == found["b"] / found["c"]
        accuracy = found["accuracy_difference"]
        assert accuracy["value"] == pytest.approx((found["b"] - found["c"]) / 500)
        assert accuracy["low"] < accuracy["value"] < accuracy["high"]

    def test_takes_the_sentences_that_both_answered(self) -> None:
        first, second = annotator(0.8), annotator(0.7, 1)
        first[:100], second[50:150] = -1, -2
        assert compare(GOLD, ("a", "b"), (first, second))["rows"] == 350

    def test_warns_where_more_often_right_is_not_the_higher_mcc(self) -> None:
        gold = np.arange(1000) < 50
        never = np.zeros(1000, np.int8)
        never[0] = 1
        finds = (np.arange(1000) < 150).astype(np.int8)
        found = compare(gold, ("finds", "never"), (finds, never))
        assert (found["b"], found["c"]) == (49, 100)
        assert found["direction"] == (
            "never is right more often: alone on 100 sentences, the other on 49"
        )
        assert found["warning"].startswith("finds has the higher MCC (+0.4")
        assert "never is right on more sentences (100 against 49)" in found["warning"]
        assert turned([found]) == [found]

    def test_equal_annotators_differ_in_nothing(self) -> None:
        first = annotator(0.8)
        found = compare(GOLD, ("a", "b"), (first, first))
        assert found["direction"] == "neither is right more often: each alone on 0 sentences"
        assert (found["p_exact"], found["chi2_corrected"], found["odds"]) == (1.0, None, None)
        assert found["mcc_difference"] == {"value": 0.0, "low": 0.0, "high": 0.0}

    def test_nothing_in_common_is_no_error(self) -> None:
        nothing = np.full(500, -1, np.int8)
        found = compare(GOLD, ("a", "b"), (annotator(0.8), nothing))
        assert (found["rows"], found["p_exact"], found["p_holm"]) == (0, None, None)
        assert found["notes"] == ["no sentence was answered by both"]


class TestCompareAll:
    def test_corrects_for_the_number_of_comparisons(self) -> None:
        said = {"a": annotator(0.8), "b": annotator(0.7, 1), "c": annotator(0.7, 2)}
        found = compare_all(GOLD, said)
        assert [(one["first"], one["second"]) for one in found] == [
            ("a", "b"),
            ("a", "c"),
            ("b", "c"),
        ]
        assert all(one["p_exact"] <= one["p_holm"] <= 1 for one in found)
        smallest = min(found, key=lambda one: one["p_exact"])
        assert smallest["p_holm"] == pytest.approx(3 * smallest["p_exact"])

    def test_says_that_a_difference_may_be_chance(self) -> None:
        found = compare_all(GOLD, {"a": annotator(0.8), "b": annotator(0.8, 5)})
        assert found[0]["direction"].endswith("which may be chance")

    def test_compares_all_with_one(self) -> None:
        said = {name: annotator(0.7, seed) for seed, name in enumerate("abc")}
        found = compare_all(GOLD, said, against="b")
        assert [(one["first"], one["second"]) for one in found] == [("a", "b"), ("c", "b")]
