"""Tests of the choice of a panel."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import Codes
from wikibias.research.annotation.answers import KNOWN, meanings
from wikibias.research.annotation.balance import balanced, judged, strata_of
from wikibias.research.annotation.scores import (
    bench,
    by_setting,
    choose,
    decisions,
    greedy,
    methods,
    panel_mcc,
)

GOLD = np.random.default_rng(0).random(600) < 0.5


def annotator(accuracy: float, seed: int) -> Codes:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(600) < accuracy, GOLD, ~GOLD).astype(np.int64)


# `twin` errs where `best` does; the others err where they please.
SAID = {
    "best": annotator(0.85, 1),
    "twin": annotator(0.85, 1),
    "good": annotator(0.8, 2),
    "fair": annotator(0.78, 3),
    "poor": annotator(0.55, 4),
}


class TestGreedy:
    def test_prefers_who_errs_elsewhere_to_a_twin(self) -> None:
        among = bench(GOLD, SAID)
        assert [among.names[place] for place in greedy(among, 3)] == ["best", "good", "fair"]

    def test_finds_here_what_trying_all_panels_finds(self) -> None:
        among = bench(GOLD, SAID)
        panels = list(combinations(range(5), 3))
        decided = [decisions(among.votes[:, panel].sum(axis=1)) for panel in panels]
        best = panel_mcc(among.gold, np.stack(decided, axis=1)).argmax()
        assert tuple(sorted(greedy(among, 3))) == panels[best]


def test_a_tie_is_right_half_the_time() -> None:
    gold = np.array([True, True, False, False])
    assert decisions(np.array([2, 0, -1])).tolist() == [1, 0.5, 0]
    assert panel_mcc(gold, np.full((4, 1), 0.5)).tolist() == [0]
    assert panel_mcc(gold, np.array([[1.0], [1], [0], [0.5]])) == pytest.approx(
        [0.774597], abs=1e-6
    )
    # Never says anything else: no MCC, which is worse than any.
    assert panel_mcc(gold, np.ones((4, 1))).tolist() == [-1]


class TestSettings:
    SAID = {  # noqa: RUF012 (a table for the tests below)
        "a@1": annotator(0.6, 1),
        "b@1": annotator(0.62, 2),
        "c@1": annotator(0.7, 3),
        "d@1": annotator(0.9, 8),
        "a@2": annotator(0.9, 4),
        "b@2": annotator(0.85, 5),
        "c@2": annotator(0.8, 6),
    }

    def test_the_best_of_the_best_setting(self) -> None:
        among = bench(GOLD, self.SAID)
        assert [among.names[place] for place in by_setting(among, 2)] == ["a@2", "b@2"]

    def test_are_offered_for_names_with_settings_only(self) -> None:
        assert "by_setting" in methods(bench(GOLD, self.SAID))
        assert [*methods(bench(GOLD, SAID))] == ["greedy", "best_single"]


class TestChoose:
    def test_judges_on_sentences_not_used_to_choose(self) -> None:
        # All guess, so that what looks best is chance.
        rng = np.random.default_rng(3)
        noise = {f"n{i}": (rng.random(600) < 0.5).astype(np.int64) for i in range(30)}
        found = choose(bench(GOLD, noise), 3, resamples=200)["greedy"]
        assert found["mcc_where_chosen"] > 0.1
        assert abs(found["mcc"]["value"]) < 0.1
        assert found["mcc"]["low"] < found["mcc"]["value"] < found["mcc"]["high"]

    def test_tells_who_was_chosen_how_often(self) -> None:
        found = choose(bench(GOLD, SAID), 3, resamples=50)
        assert found["greedy"]["panel"] == ["best", "good", "fair"]
        assert sum(found["greedy"]["chosen_in_folds"].values()) == 15
        assert found["best_single"]["panel"] == ["best"]
        assert found == choose(bench(GOLD, SAID), 3, resamples=50)


ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([True, False, None])), min_size=1, max_size=40
)


def taken(
    rows: list[tuple[str, bool | None]], **options: object
) -> Counter[tuple[str, bool | None]]:
    found = balanced([(name,) for name, _ in rows], [one for _, one in rows], **options)  # type: ignore[arg-type]
    assert found.rows == sorted({*found.rows})
    return Counter(rows[row] for row in found.rows)


class TestBalanced:
    @given(ROWS, st.booleans())
    def test_takes_equally_many_of_both_in_each_stratum(
        self, rows: list[tuple[str, bool | None]], equal: bool
    ) -> None:
        had = Counter(rows)
        able = [min(had[name, True], had[name, False]) for name in "abc"]
        if not any(able):
            with pytest.raises(WikibiasError, match="no stratum has both"):
                taken(rows, equal=equal)
            return
        found = taken(rows, equal=equal)
        least = min(number for number in able if number)
        for name, number in zip("abc", able, strict=True):
            wanted = min(number, least) if equal else number
            assert (found[name, True], found[name, False]) == (wanted, wanted)
        assert found["a", None] == 0

    def test_changes_nothing_in_what_is_balanced(self) -> None:
        rows: list[tuple[str, bool | None]] = [("a", True), ("a", False)] * 5
        assert balanced([(n,) for n, _ in rows], [b for _, b in rows]).rows == list(range(10))

    def test_draws_by_the_seed(self) -> None:
        rows = [True] * 50 + [False] * 5
        first, again, other = (balanced([("a",)] * 55, rows, seed=seed).rows for seed in (0, 0, 1))
        assert first == again != other


class TestJudged:
    def test_reads_labels_and_probabilities(self) -> None:
        cells = [1, "neutral", 0.51, "0.5", "?", None, 1.0]
        assert judged(cells, KNOWN, "f") == [True, False, True, False, None, None, True]

    @pytest.mark.parametrize("cell", ["maybe", "1.5", "nan"])
    def test_says_what_is_neither(self, cell: str) -> None:
        with pytest.raises(WikibiasError, match=r"f: row 1: .* is no known label"):
            judged([cell], meanings(None), "f")


def test_a_stratum_is_what_a_row_has_in_some_columns() -> None:
    table = pd.DataFrame({"outlet": ["x", None], "lang": ["en", "fr"]}, dtype=object)
    assert strata_of(table, ["outlet", "lang"]) == [("x", "en"), ("", "fr")]
