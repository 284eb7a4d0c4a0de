"""Metrics against the libraries of the field, and intervals of whole groups."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn import metrics

from wikibias.kits.evaluation import (
    Predictions,
    always_biased,
    bootstrap,
    confusion,
    group_numbers,
    holm,
    mcnemar,
    reliability,
    score,
    score_with_intervals,
    share_with_interval,
    spearman,
)
from wikibias.models.constants import METRICS

SKLEARN = {
    "precision": lambda y, d, p: metrics.precision_score(y, d, zero_division=0),
    "recall": lambda y, d, p: metrics.recall_score(y, d),
    "f1": lambda y, d, p: metrics.f1_score(y, d),
    "accuracy": lambda y, d, p: metrics.accuracy_score(y, d),
    "mcc": lambda y, d, p: metrics.matthews_corrcoef(y, d),
    "roc_auc": lambda y, d, p: metrics.roc_auc_score(y, p),
    "average_precision": lambda y, d, p: metrics.average_precision_score(y, p),
    "brier": lambda y, d, p: metrics.brier_score_loss(y, p),
}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=4, max_size=60))
def test_the_same_values_as_scikit_learn(rows: list[tuple[bool, int]]) -> None:
    truth = np.array([True, False] + [label for label, _ in rows])
    probabilities = np.array([0.5, 0.5] + [eighths / 8 for _, eighths in rows])  # many ties
    said = Predictions.of(probabilities)
    ours = score(truth, said)
    for metric in METRICS:
        theirs = SKLEARN[metric](truth, said.decisions, probabilities)
        assert ours[metric] == pytest.approx(theirs), metric


def some(count: int = 300, seed: int = 0) -> tuple[np.ndarray, Predictions]:
    draw = np.random.default_rng(seed)
    truth = draw.random(count) < 0.5
    return truth, Predictions.of(np.clip(draw.normal(0.45 + 0.1 * truth, 0.2), 0, 1))


def known(value: float | None) -> float:
    assert value is not None
    return value


def limit(value: float | None) -> float:
    assert value is not None
    return value


def width(interval: Mapping[str, float | None]) -> float:
    return limit(interval["high"]) - limit(interval["low"])


def test_intervals_hold_the_value_and_are_the_same_every_time() -> None:
    truth, said = some()
    table = score_with_intervals(truth, said, resamples=200, seed=3)
    assert table == score_with_intervals(truth, said, resamples=200, seed=3)
    assert table != score_with_intervals(truth, said, resamples=200, seed=4)
    for metric in METRICS:
        low, value, high = (known(table[metric][key]) for key in ("low", "value", "high"))
        assert low < value < high, metric


def test_sentences_of_one_page_widen_the_interval() -> None:
    truth, said = some(200)
    page = np.repeat(np.arange(20), 10)
    order = np.argsort(said.decisions == truth)  # pages on which all is right, or all is wrong
    truth, said = truth[order], Predictions(said.probabilities[order], said.decisions[order])
    alone = score_with_intervals(truth, said, resamples=300)["accuracy"]
    together = score_with_intervals(truth, said, groups=page, resamples=300)["accuracy"]
    widths = [known(table["high"]) - known(table["low"]) for table in (alone, together)]
    assert widths[1] > 2 * widths[0]


def test_always_biased_has_a_high_f1_and_no_mcc() -> None:
    truth = np.array([True] * 50 + [False] * 50)
    values = score(truth, always_biased(truth, 0.5))
    assert values["f1"] == pytest.approx(2 / 3)
    assert values["mcc"] == 0
    assert values["roc_auc"] == 0.5
    assert values["brier"] == 0.25


def test_one_class_only_leaves_the_ranking_unknown() -> None:
    truth = np.ones(5, dtype=bool)
    table = score_with_intervals(truth, Predictions.of(np.full(5, 0.7)), resamples=20)
    assert table["roc_auc"] == {"value": None, "low": None, "high": None}
    assert table["recall"]["value"] == 1


def test_confusion_and_reliability_count_every_sentence() -> None:
    truth, said = some(101)
    assert sum(confusion(truth, said).values()) == 101
    bins = reliability(truth, said.probabilities)
    assert sum(count for *_, count in bins) == 101
    assert [chance for chance, *_ in bins] == sorted(chance for chance, *_ in bins)


def test_mcnemar_looks_only_at_where_the_two_differ() -> None:
    truth = np.ones(100, dtype=bool)
    good, bad = truth.copy(), truth.copy()
    bad[:10] = False
    result = mcnemar(truth, good, bad)
    assert (result["only_first"], result["only_second"]) == (10, 0)
    assert result["p"] == pytest.approx(2 * 0.5**10)
    assert mcnemar(truth, good, good)["p"] == 1


@pytest.mark.parametrize(
    ("given", "corrected"),
    [
        ([], []),
        ([0.03], [0.03]),
        # The smallest times 4, the next times 3, 2 and 1; none below one before it.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm_corrects_for_the_number_of_tests(given: list[float], corrected: list[float]) -> None:
    assert holm(given) == pytest.approx(corrected)


def slow(right: list[float], clusters: list[int], resamples: int, seed: int) -> tuple[float, float]:
    """Return the interval the long way: weights of values, one resample after another."""
    names = sorted(set(clusters))
    draws = np.random.default_rng(seed).multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=resamples
    )
    means = []
    for draw in draws:
        drawn = [
            value
            for times, name in zip(draw, names, strict=True)
            for value, cluster in zip(right, clusters, strict=True)
            if cluster == name
            for _ in range(times)
        ]
        means.append(sum(drawn) / len(drawn))
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def test_the_interval_is_that_of_whole_clusters() -> None:
    rng = np.random.default_rng(1)
    right, clusters = rng.random(60).round(1).tolist(), rng.integers(0, 9, 60).tolist()
    found = share_with_interval(right, clusters, resamples=200, seed=4)
    assert (found["low"], found["high"]) == pytest.approx(slow(right, clusters, 200, 4))
    assert found["value"] == pytest.approx(np.mean(right))


def test_values_of_one_cluster_stand_for_themselves() -> None:
    found = share_with_interval([0, 1] * 20, [7] * 40, resamples=100)
    assert found["low"] is not None
    assert found["high"] is not None
    assert found["low"] < 0.5 < found["high"]


def test_nothing_has_no_share() -> None:
    assert share_with_interval([], []) == {"value": None, "low": None, "high": None}


def test_names_are_numbered_in_order() -> None:
    assert group_numbers(["b", "a", "b"]).tolist() == [0, 1, 0]


NAN = float("nan")


def test_many_points_are_as_in_scipy() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(0, 6, 30).astype(float)  # with ties
    second = first + rng.normal(0, 4, 30)
    found, known = spearman(first.tolist(), second.tolist()), spearmanr(first, second)
    assert found is not None
    assert (found["rho"], found["p"]) == pytest.approx((known.statistic, known.pvalue))


def test_few_points_have_the_p_of_all_orders() -> None:
    # Two of the 120 orders of five points are as far from none: the order itself and its reverse.
    assert spearman([1, 2, 3, 4, 5], [2, 4, 6, 8, 9]) == pytest.approx(
        {"rho": 1, "p": 2 / 120, "points": 5}
    )
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == {"rho": -1, "p": None, "points": 4}


def test_nine_points_in_perfect_order_have_a_p_of_none() -> None:
    found = spearman(list(range(9)), list(range(9)))
    assert found == pytest.approx({"rho": 1, "p": 0, "points": 9})


def test_there_is_none_of_two_points_or_of_one_value() -> None:
    assert spearman([1, 2], [1, 2]) is None
    assert spearman([1, 2, 3, NAN], [1, 2, NAN, 4]) is None
    assert spearman([1, 1, 1], [1, 2, 3]) is None


def test_a_statistic_that_few_draws_define_is_mentioned() -> None:
    notes: list[str] = []
    found = bootstrap(
        lambda weights: {"share": np.where(weights[:, 0] > 0, 1.0, np.nan)},
        np.array([1, 1]),
        resamples=40,
        notes=notes,
    )
    assert found == {"share": {"value": 1, "low": 1, "high": 1}}
    assert len(notes) == 1
    assert "of 40 resamples only" in notes[0]
