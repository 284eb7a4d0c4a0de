"""Metrics and agreement against the libraries of the field, and intervals of whole groups."""

import warnings
from collections.abc import Mapping, Sequence

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn import metrics
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from wikibias.kits import evaluation
from wikibias.models.estimators.registry import METRICS

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


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=4, max_size=60))
def test_the_same_values_as_scikit_learn(rows: list[tuple[bool, int]]) -> None:
    truth = np.array([True, False] + [label for label, _ in rows])
    probabilities = np.array([0.5, 0.5] + [eighths / 8 for _, eighths in rows])  # many ties
    said = evaluation.Predictions.of(probabilities)
    ours = evaluation.score(truth, said)
    for metric in METRICS:
        theirs = SKLEARN[metric](truth, said.decisions, probabilities)
        assert ours[metric] == pytest.approx(theirs), metric


def some(count: int = 300, seed: int = 0) -> tuple[np.ndarray, evaluation.Predictions]:
    draw = np.random.default_rng(seed)
    truth = draw.random(count) < 0.5
    return truth, evaluation.Predictions.of(np.clip(draw.normal(0.45 + 0.1 * truth, 0.2), 0, 1))


def known(value: float | None) -> float:
    assert value is not None
    return value


def width(interval: Mapping[str, float | None]) -> float:
    return known(interval["high"]) - known(interval["low"])


def test_intervals_hold_the_value_and_are_the_same_every_time() -> None:
    truth, said = some()
    table = evaluation.score_with_intervals(truth, said, resamples=200, seed=3)
    assert table == evaluation.score_with_intervals(truth, said, resamples=200, seed=3)
    assert table != evaluation.score_with_intervals(truth, said, resamples=200, seed=4)
    for metric in METRICS:
        low, value, high = (known(table[metric][key]) for key in ("low", "value", "high"))
        assert low < value < high, metric


def test_sentences_of_one_page_widen_the_interval() -> None:
    truth, said = some(200)
    page = np.repeat(np.arange(20), 10)
    order = np.argsort(said.decisions == truth)  # pages on which all is right, or all is wrong
    truth, said = (
        truth[order],
        evaluation.Predictions(said.probabilities[order], said.decisions[order]),
    )
    alone = evaluation.score_with_intervals(truth, said, resamples=300)["accuracy"]
    together = evaluation.score_with_intervals(truth, said, groups=page, resamples=300)["accuracy"]
    assert width(together) > 2 * width(alone)


def test_always_biased_has_a_high_f1_and_no_mcc() -> None:
    truth = np.array([True] * 50 + [False] * 50)
    values = evaluation.score(truth, evaluation.always_biased(truth, 0.5))
    assert values["f1"] == pytest.approx(2 / 3)
    assert values["mcc"] == 0
    assert values["roc_auc"] == 0.5
    assert values["brier"] == 0.25


def test_one_class_only_leaves_the_ranking_unknown() -> None:
    truth = np.ones(5, dtype=bool)
    table = evaluation.score_with_intervals(
        truth, evaluation.Predictions.of(np.full(5, 0.7)), resamples=20
    )
    assert table["roc_auc"] == {"value": None, "low": None, "high": None}
    assert table["recall"]["value"] == 1


def test_confusion_and_reliability_count_every_sentence() -> None:
    truth, said = some(101)
    assert sum(evaluation.confusion(truth, said).values()) == 101
    bins = evaluation.reliability(truth, said.probabilities)
    assert sum(count for *_, count in bins) == 101
    assert [chance for chance, *_ in bins] == sorted(chance for chance, *_ in bins)


def test_mcnemar_looks_only_at_where_the_two_differ() -> None:
    truth = np.ones(100, dtype=bool)
    good, bad = truth.copy(), truth.copy()
    bad[:10] = False
    result = evaluation.mcnemar(truth, good, bad)
    assert (result["only_first"], result["only_second"]) == (10, 0)
    assert result["p"] == pytest.approx(2 * 0.5**10)
    assert evaluation.mcnemar(truth, good, good)["p"] == 1


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
    assert evaluation.holm(given) == pytest.approx(corrected)


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
    found = evaluation.share_with_interval(right, clusters, resamples=200, seed=4)
    assert (found["low"], found["high"]) == pytest.approx(slow(right, clusters, 200, 4))
    assert found["value"] == pytest.approx(np.mean(right))


def test_values_of_one_cluster_stand_for_themselves() -> None:
    found = evaluation.share_with_interval([0, 1] * 20, [7] * 40, resamples=100)
    assert known(found["low"]) < 0.5 < known(found["high"])


def test_nothing_has_no_share() -> None:
    assert evaluation.share_with_interval([], []) == {"value": None, "low": None, "high": None}


def test_names_are_numbered_in_order() -> None:
    assert evaluation.group_numbers(["b", "a", "b"]).tolist() == [0, 1, 0]


NAN = float("nan")


def test_many_points_are_as_in_scipy() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(0, 6, 30).astype(float)  # with ties
    second = first + rng.normal(0, 4, 30)
    found, known = evaluation.spearman(first.tolist(), second.tolist()), spearmanr(first, second)
    assert found is not None
    assert (found["rho"], found["p"]) == pytest.approx((known.statistic, known.pvalue))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # Two of 120 orders are as far from none: the order itself and its reverse.
        ([1, 2, 3, 4, 5], [2, 4, 6, 8, 9], {"rho": 1, "p": 2 / 120, "points": 5}),
        ([1, 2, 3, 4], [4, 3, 2, 1], {"rho": -1, "p": None, "points": 4}),
        ([*range(9)], [*range(9)], {"rho": 1, "p": 0, "points": 9}),
        ([1, 2], [1, 2], None),
        ([1, 2, 3, NAN], [1, 2, NAN, 4], None),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_the_correlation_of_few_points_is_of_all_orders(
    first: list[float], second: list[float], expected: Mapping[str, float | None] | None
) -> None:
    found = evaluation.spearman(first, second)
    assert found == (expected and pytest.approx(expected))


def test_a_statistic_that_few_draws_define_is_mentioned() -> None:
    notes: list[str] = []
    found = evaluation.bootstrap(
        lambda weights: {"share": np.where(weights[:, 0] > 0, 1.0, np.nan)},
        np.array([1, 1]),
        resamples=40,
        notes=notes,
    )
    assert found == {"share": {"value": 1, "low": 1, "high": 1}}
    assert len(notes) == 1
    assert "of 40 resamples only" in notes[0]


# Krippendorff (2011), the example of four observers and twelve units; 0 is no answer.
_OBSERVERS = (
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
)
_SCALE = [1.0, 2.0, 3.0, 4.0, 5.0]
_OBSERVED = np.array([[of.count(n) for n in _SCALE] for of in zip(*_OBSERVERS, strict=True)], float)


def alpha_of_counts(
    counts: np.ndarray, level: evaluation.Level = "nominal", numbers: Sequence[float] | None = None
) -> float | None:
    """Return alpha of all units."""
    (value,) = evaluation.alpha(np.ones((1, len(counts))), counts, level, numbers)
    return None if np.isnan(value) else float(value)


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_published_example(level: evaluation.Level, value: float) -> None:
    assert alpha_of_counts(_OBSERVED, level, _SCALE) == pytest.approx(value, abs=0.0005)


def test_all_agree_and_nothing_to_compare() -> None:
    assert alpha_of_counts(np.array([[2.0, 0.0], [0.0, 3.0]])) == 1
    assert alpha_of_counts(np.array([[2.0, 0.0], [3.0, 0.0]])) is None  # one value only
    assert alpha_of_counts(np.array([[1.0, 0.0], [0.0, 1.0]])) is None  # one answer each
    assert alpha_of_counts(np.zeros((0, 2))) is None


# krippendorff, which is under the GPL and so only a help for tests, as the oracle.
LEVELS: tuple[evaluation.Level, ...] = ("nominal", "ordinal", "interval")
NUMBERS = [-1.0, 0.0, 2.0, 7.5]


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=9),
    st.sampled_from(LEVELS),
)
def test_each_level_is_what_the_library_of_that_name_says(
    rows: list[list[int]], level: evaluation.Level
) -> None:
    counts = np.array(rows, dtype=float)
    found = alpha_of_counts(counts, level, NUMBERS)
    paired = counts[counts.sum(axis=1) > 1]
    if (paired.sum(axis=0) > 0).sum() < 2:
        assert found is None
    else:
        expected = krippendorff.alpha(
            value_counts=counts, value_domain=NUMBERS, level_of_measurement=level
        )
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_a_weight_is_a_unit_given_so_often(level: evaluation.Level) -> None:
    counts = _OBSERVED
    weights = np.random.default_rng(1).multinomial(12, np.full(12, 1 / 12), size=20)
    found = evaluation.alpha(weights.astype(float), counts, level, _SCALE)
    for value, times in zip(found, weights, strict=True):
        assert value == pytest.approx(
            alpha_of_counts(np.repeat(counts, times, axis=0), level, _SCALE)
        )


def test_interval_data_are_numbers() -> None:
    with pytest.raises(ValueError, match="numbers"):
        alpha_of_counts(_OBSERVED, "interval")


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=12))
def test_cohen_is_that_of_scikit_learn(said: list[tuple[int, int]]) -> None:
    codes = np.array(said, dtype=int).reshape(-1, 2)
    (found,) = evaluation.cohen(np.ones((1, len(codes))), codes[:, 0], codes[:, 1], values=4)
    a, b = codes[(codes >= 0).all(axis=1)].T
    if not len(a) or len({*a, *b}) < 2:
        assert np.isnan(found)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = cohen_kappa_score(a, b, labels=[0, 1, 2, 3])
        assert found == pytest.approx(expected)


@settings(max_examples=50)
@given(
    st.integers(2, 5).flatmap(
        lambda raters: st.lists(
            st.lists(st.integers(0, 2), min_size=raters, max_size=raters), min_size=1, max_size=9
        )
    )
)
def test_fleiss_is_that_of_statsmodels(rows: list[list[int]]) -> None:
    counts = np.array([[row.count(value) for value in range(3)] for row in rows], dtype=float)
    (found,) = evaluation.fleiss(np.ones((1, len(counts))), counts, answers=len(rows[0]))
    if len({value for row in rows for value in row}) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(fleiss_kappa(counts, method="fleiss"))


def test_fleiss_passes_over_items_with_other_numbers_of_answers() -> None:
    counts = np.array([[2.0, 0], [1, 1], [0, 2], [3, 0], [1, 0]])
    (found,) = evaluation.fleiss(np.ones((1, 5)), counts, answers=2)
    assert found == pytest.approx(fleiss_kappa(counts[:3]))


def test_the_percentage_is_of_pairs_of_answers() -> None:
    counts = np.array([[2.0, 0], [1, 1], [2, 1], [1, 0]])  # 1 of 1, 0 of 1, 1 of 3, none
    assert evaluation.percentage(np.ones((1, 4)), counts) == pytest.approx(2 / 5)
    assert np.isnan(evaluation.percentage(np.ones((1, 1)), counts[3:]))
