"""Tests of scores, against scikit-learn and against a bootstrap that draws rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from wikibias.research.annotation.scores import ranked, score

RNG = np.random.default_rng(5)
GOLD = RNG.random(400) < 0.4
SAID = np.where(RNG.random(400) < 0.8, GOLD, ~GOLD).astype(np.int8)


class TestScore:
    def test_gives_the_values_of_scikit_learn(self) -> None:
        found = score(GOLD, SAID)
        for name, function in {
            "mcc": metrics.matthews_corrcoef,
            "precision": metrics.precision_score,
            "recall": metrics.recall_score,
            "f1": metrics.f1_score,
            "accuracy": metrics.accuracy_score,
        }.items():
            assert found[name]["value"] == pytest.approx(function(GOLD, SAID))
            assert found[name]["low"] < found[name]["value"] < found[name]["high"]
        assert (found["coverage"], found["unparsed"], found["notes"]) == (1.0, 0, [])

    def test_its_intervals_are_those_of_drawing_rows(self) -> None:
        drawn = RNG.integers(0, 400, (1500, 400))
        slow = [np.corrcoef(GOLD[rows], SAID[rows])[0, 1] for rows in drawn]
        fast = score(GOLD, SAID, resamples=20000)["mcc"]
        assert [fast["low"], fast["high"]] == pytest.approx(
            np.percentile(slow, [2.5, 97.5]), abs=0.012
        )

    def test_what_cannot_be_read_is_left_out_and_wrong_in_a_second_figure(self) -> None:
        said = SAID.copy()
        said[:30], said[30:40] = -1, -2
        found = score(GOLD, said)
        assert (found["unparsed"], found["not_answered"], found["coverage"]) == (30, 10, 0.9)
        expected = metrics.matthews_corrcoef(GOLD[40:], SAID[40:])
        assert found["mcc"]["value"] == pytest.approx(expected)
        wrong = np.where(said == -1, ~GOLD, said == 1)
        strict = np.delete(np.arange(400), np.arange(30, 40))
        assert found["mcc_unparsed_as_wrong"]["value"] == pytest.approx(
            metrics.matthews_corrcoef(GOLD[strict], wrong[strict])
        )

    @pytest.mark.parametrize(
        ("code", "note", "precision"),
        [(1, "never says neutral", 0.4), (0, "never says biased", None), (-1, "no sentence", None)],
    )
    def test_says_why_a_score_is_not_defined(
        self, code: int, note: str, precision: float | None
    ) -> None:
        gold = np.arange(10) < 4
        found = score(gold, np.full(10, code, np.int8))
        assert found["mcc"] == {"value": None, "low": None, "high": None}
        assert found["precision"]["value"] == precision
        assert note in found["notes"][0]

    def test_gold_of_one_class_has_no_mcc(self) -> None:
        found = score(np.zeros(10, bool), np.arange(10, dtype=np.int8) % 2)
        assert (found["mcc"]["value"], found["recall"]["value"]) == (None, None)
        assert found["notes"] == [
            "no sentence it answers is biased; recall and MCC are not defined"
        ]

    def test_says_of_how_many_resamples_an_interval_is(self) -> None:
        found = score(np.arange(4) < 1, np.array([1, 0, 0, 0], np.int8))
        assert any("resamples only" in note for note in found["notes"])

    def test_depends_on_the_seed_only(self) -> None:
        assert score(GOLD, SAID, seed=3) == score(GOLD, SAID, seed=3)
        assert score(GOLD, SAID, seed=3) != score(GOLD, SAID, seed=4)


def test_ranked_puts_the_best_first_and_those_without_mcc_last() -> None:
    columns = {
        name: {"mcc": {"value": mcc}} for name, mcc in {"a": None, "b": -0.5, "c": 0.3}.items()
    }
    assert ranked(columns) == ["c", "b", "a"]
