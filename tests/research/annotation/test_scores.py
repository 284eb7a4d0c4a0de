"""Panels and scores, and weighted estimates."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from judged_samples import opinions, sampled, written
from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import Codes, wilson
from wikibias.research.annotation import estimates, scores
from wikibias.research.annotation.answers import Truth
from wikibias.research.annotation.tasks import Task
from wikibias.research.annotation.votes import read_judged

RNG = np.random.default_rng(5)
GOLD = RNG.random(400) < 0.4
SAID = np.where(RNG.random(400) < 0.8, GOLD, ~GOLD).astype(np.int64)


def test_gives_the_values_of_scikit_learn() -> None:
    found = scores.score(GOLD, SAID)
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


def test_its_intervals_are_those_of_drawing_rows() -> None:
    drawn = RNG.integers(0, 400, (1500, 400))
    slow = [np.corrcoef(GOLD[rows], SAID[rows])[0, 1] for rows in drawn]
    fast = scores.score(GOLD, SAID, resamples=20000)["mcc"]
    assert [fast["low"], fast["high"]] == pytest.approx(np.percentile(slow, [2.5, 97.5]), abs=0.012)


def test_what_cannot_be_read_is_left_out_and_wrong_in_a_second_figure() -> None:
    said = SAID.copy()
    said[:30], said[30:40] = -1, -2
    found = scores.score(GOLD, said)
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
def test_says_why_a_score_is_not_defined(code: int, note: str, precision: float | None) -> None:
    gold = np.arange(10) < 4
    found = scores.score(gold, np.full(10, code, np.int64))
    assert found["mcc"] == {"value": None, "low": None, "high": None}
    assert found["precision"]["value"] == precision
    assert note in found["notes"][0]


def test_gold_of_one_class_has_no_mcc() -> None:
    found = scores.score(np.zeros(10, bool), np.arange(10, dtype=np.int64) % 2)
    assert (found["mcc"]["value"], found["recall"]["value"]) == (None, None)
    note = "no sentence it answers is biased; recall and MCC are not defined"
    assert found["notes"] == [note]
    found = scores.score(np.arange(4) < 1, np.array([1, 0, 0, 0], np.int64))
    assert any("resamples only" in note for note in found["notes"])


def test_ranked_puts_the_best_first_and_those_without_mcc_last() -> None:
    values = {"a": None, "b": -0.5, "c": 0.3}
    assert scores.ranked({name: {"mcc": {"value": of}} for name, of in values.items()}) == [*"cba"]


DRAWS = np.random.default_rng(7)
TRUTH = DRAWS.random(500) < 0.3


def annotator(accuracy: float, seed: int = 0, truth: Truth = TRUTH) -> Codes:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(len(truth)) < accuracy, truth, ~truth).astype(np.int64)


def test_gives_the_values_of_statsmodels() -> None:
    first, second = annotator(0.8), annotator(0.7, 1)
    found = scores.compare(TRUTH, ("a", "b"), (first, second))
    right = (first == TRUTH, second == TRUTH)
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


def test_takes_the_sentences_that_both_answered() -> None:
    first, second = annotator(0.8), annotator(0.7, 1)
    first[:100], second[50:150] = -1, -2
    assert scores.compare(TRUTH, ("a", "b"), (first, second))["rows"] == 350


def test_warns_where_more_often_right_is_not_the_higher_mcc() -> None:
    gold = np.arange(1000) < 50
    never = np.zeros(1000, np.int64)
    never[0] = 1
    finds = (np.arange(1000) < 150).astype(np.int64)
    (found,) = scores.compare_all(gold, {"finds": finds, "never": never})
    assert (found["b"], found["c"]) == (49, 100)
    said = "never is right more often: alone on 100 sentences, the other on 49"
    assert found["direction"] == said
    assert found["warning"].startswith("finds has the higher MCC (+0.4")
    assert "never is right on more sentences (100 against 49)" in found["warning"]


def test_equal_annotators_differ_in_nothing() -> None:
    first = annotator(0.8)
    (found,) = scores.compare_all(TRUTH, {"a": first, "b": first})
    assert found["direction"] == "neither is right more often: each alone on 0 sentences"
    assert (found["p_exact"], found["chi2_corrected"], found["odds"]) == (1.0, None, None)
    assert found["mcc_difference"] == {"value": 0.0, "low": 0.0, "high": 0.0}


def test_nothing_in_common_is_no_error() -> None:
    nothing = np.full(500, -1, np.int64)
    found = scores.compare(TRUTH, ("a", "b"), (annotator(0.8), nothing))
    assert (found["rows"], found["p_exact"], found["p_holm"]) == (0, None, None)
    assert found["notes"] == ["no sentence was answered by both"]


def test_corrects_for_the_number_of_comparisons() -> None:
    said = {"a": annotator(0.8), "b": annotator(0.7, 1), "c": annotator(0.7, 2)}
    found = scores.compare_all(TRUTH, said)
    assert [one["first"] + one["second"] for one in found] == ["ab", "ac", "bc"]
    assert all(one["p_exact"] <= one["p_holm"] <= 1 for one in found)
    smallest = min(found, key=lambda one: one["p_exact"])
    assert smallest["p_holm"] == pytest.approx(3 * smallest["p_exact"])


def test_says_that_a_difference_may_be_chance() -> None:
    found = scores.compare_all(TRUTH, {"a": annotator(0.8), "b": annotator(0.8, 5)})
    assert found[0]["direction"].endswith("which may be chance")


PANEL_GOLD = np.random.default_rng(0).random(600) < 0.5


# `twin` errs where `best` does; the others err where they please.
PANEL_SAID = {
    "best": annotator(0.85, 1, PANEL_GOLD),
    "twin": annotator(0.85, 1, PANEL_GOLD),
    "good": annotator(0.8, 2, PANEL_GOLD),
    "fair": annotator(0.78, 3, PANEL_GOLD),
    "poor": annotator(0.55, 4, PANEL_GOLD),
}


def test_who_errs_elsewhere_is_preferred_to_a_twin_as_by_trying_all_panels() -> None:
    among = scores.bench(PANEL_GOLD, PANEL_SAID)
    found = scores.greedy(among, 3)
    assert [among.names[place] for place in found] == ["best", "good", "fair"]
    panels = list(combinations(range(5), 3))
    decided = [scores.decisions(among.votes[:, panel].sum(axis=1)) for panel in panels]
    best = scores.panel_mcc(among.gold, np.stack(decided, axis=1)).argmax()
    assert tuple(sorted(found)) == panels[best]


def test_a_tie_is_right_half_the_time() -> None:
    gold = np.array([True, True, False, False])
    assert scores.decisions(np.array([2, 0, -1])).tolist() == [1, 0.5, 0]
    assert scores.panel_mcc(gold, np.full((4, 1), 0.5)).tolist() == [0]
    tied = scores.panel_mcc(gold, np.array([[1.0], [1], [0], [0.5]]))
    assert tied == pytest.approx([0.774597], abs=1e-6)
    # Never says anything else: no MCC, which is worse than any.
    assert scores.panel_mcc(gold, np.ones((4, 1))).tolist() == [-1]


OF_SETTINGS = {
    name: annotator(accuracy, seed, PANEL_GOLD)
    for name, accuracy, seed in (
        *(("a@1", 0.6, 1), ("b@1", 0.62, 2), ("c@1", 0.7, 3), ("d@1", 0.9, 8)),
        *(("a@2", 0.9, 4), ("b@2", 0.85, 5), ("c@2", 0.8, 6)),
    )
}


def test_names_with_settings_offer_the_best_of_the_best_setting() -> None:
    among = scores.bench(PANEL_GOLD, OF_SETTINGS)
    assert [among.names[place] for place in scores.by_setting(among, 2)] == ["a@2", "b@2"]
    assert "by_setting" in scores.methods(among)
    assert [*scores.methods(scores.bench(PANEL_GOLD, PANEL_SAID))] == ["greedy", "best_single"]


def test_judges_on_sentences_not_used_to_choose() -> None:
    # All guess, so that what looks best is chance.
    rng = np.random.default_rng(3)
    noise = {f"n{i}": (rng.random(600) < 0.5).astype(np.int64) for i in range(30)}
    found = scores.choose(scores.bench(PANEL_GOLD, noise), 3, resamples=200)["greedy"]
    assert found["mcc_where_chosen"] > 0.1
    assert abs(found["mcc"]["value"]) < 0.1
    assert found["mcc"]["low"] < found["mcc"]["value"] < found["mcc"]["high"]


def test_tells_who_was_chosen_how_often() -> None:
    found = scores.choose(scores.bench(PANEL_GOLD, PANEL_SAID), 3, resamples=50)
    assert found["greedy"]["panel"] == ["best", "good", "fair"]
    assert sum(found["greedy"]["chosen_in_folds"].values()) == 15
    assert found["best_single"]["panel"] == ["best"]
    assert found == scores.choose(scores.bench(PANEL_GOLD, PANEL_SAID), 3, resamples=50)


Population = list[tuple[Task, float]]


def population(sizes: dict[str, tuple[int, float]]) -> Population:
    """Return sentences by stratum: how many, and what share of them is biased."""
    rng = random.Random(1)
    return [
        (Task(f"{name}{at}", "x", stratum=name, tag=rng.choice("AB")), float(rng.random() < share))
        for name, (size, share) in sizes.items()
        for at in range(size)
    ]


def drawn(whole: Population, each: int, rng: random.Random) -> Callable[..., estimates.Estimate]:
    """Return the estimator of a sample of so many of each stratum."""
    tasks, biased = [], {}
    for name in {task.stratum: None for task, _ in whole}:
        of = [pair for pair in whole if pair[0].stratum == name]
        number = min(each, len(of))
        for task, value in rng.sample(of, number):
            tasks.append(replace(task, probability=number / len(of)))
            biased[task.item] = value
    return lambda of=lambda _: True: estimates.estimated(estimates.drawn_tasks(tasks), biased, of)


def of_tag_a(task: Task) -> bool:
    return task.tag == "A"


def test_is_right_on_average_and_its_interval_nearly_always() -> None:
    whole = population({"a": (60, 0.3), "b": (200, 0.6), "c": (600, 0.7)})
    rng = random.Random(3)
    estimated = [drawn(whole, 25, rng) for _ in range(200)]
    for of in (lambda _: True, of_tag_a):
        inside = [value for task, value in whole if of(task)]
        true = sum(inside) / len(inside)
        found = [each(of) for each in estimated]
        values = [each.value for each in found if each.value is not None]
        assert sum(values) / len(values) == pytest.approx(true, abs=0.015)
        hit = sum((each.low or 0) <= true <= (each.high or 0) for each in found)
        # 190 of 200 by design; three standard deviations are 9.
        assert 181 <= hit <= 199
        populations = [each.population for each in found]
        assert sum(populations) / 200 == pytest.approx(len(inside), rel=0.02)


def test_a_small_part_of_which_all_drawn_are_alike_is_not_certain() -> None:
    whole = population({"a": (40, 0.9), "b": (400, 0.1), "c": (30, 0.5)})
    inside = [value for task, value in whole if of_tag_a(task)]
    rng = random.Random(3)
    found = [drawn(whole, 12, rng)(of_tag_a) for _ in range(200)]
    true = sum(inside) / len(inside)
    assert sum((each.low or 0) <= true <= (each.high or 0) for each in found) >= 185


def test_a_plain_share_would_be_wrong() -> None:
    whole = population({"a": (100, 0.0), "b": (900, 1.0)})
    found = drawn(whole, 50, random.Random(0))()
    assert found.unweighted == 0.5
    assert found.value == pytest.approx(0.9)


def test_a_corpus_judged_whole_leaves_no_doubt() -> None:
    whole = population({"a": (30, 0.5), "b": (9, 0.5)})
    found = drawn(whole, 99, random.Random(0))()
    true = sum(value for _, value in whole) / len(whole)
    assert (found.value, found.low, found.high) == pytest.approx((true, true, true))


def test_all_alike_is_not_certain() -> None:
    found = drawn(population({"a": (500, 1.0)}), 20, random.Random(0))()
    assert found.value == found.high == 1
    assert found.low is not None
    assert 0.7 < found.low < 0.9


def test_sentences_nobody_judged_are_left_out() -> None:
    tasks = [Task(str(n), "x", stratum="a", probability=0.1) for n in range(10)]
    found = estimates.estimated(tasks, {"0": 1.0, "1": 0.5})
    assert (found.value, found.judged) == (0.75, 2)
    assert found.population == pytest.approx(100)


def test_nothing_judged_is_no_share() -> None:
    tasks = [Task("a", "x", probability=0.1)]
    assert estimates.estimated(tasks, {}) == estimates.Estimate(None, None, None, 0, 10, None)


def test_one_sentence_of_a_stratum_is_enough_to_go_on() -> None:
    drawn = {"a": 0.1, "b": 0.5}
    tasks = [Task(name, "x", stratum=name, probability=of) for name, of in drawn.items()]
    found = estimates.estimated(tasks, {"a": 1.0, "b": 0.0})
    assert found.low is not None
    assert found.low < 10 / 12 < (found.high or 0)


def test_controls_and_repeats_are_not_drawn() -> None:
    tasks = [Task("c", "x", kind="control"), Task("a", "x", probability=1.0)]
    assert [task.item for task in estimates.drawn_tasks(tasks)] == ["a"]


def test_refuses_tasks_without_a_probability() -> None:
    with pytest.raises(WikibiasError, match="no probability from 0 to 1"):
        estimates.drawn_tasks([Task("a", "x")])


def shares(
    folder: Path, rows: Sequence[dict[str, Any]], corpus: str | None = None
) -> estimates.JudgedShares:
    """Return what is said of the sample by these answers."""
    _, path = written(folder, tasks(), rows)
    return estimates.judged_shares(tasks(), read_judged([path]), corpus=corpus, resamples=50)


tasks = cache(sampled)


def said() -> list[dict[str, Any]]:
    """Return the opinions of annotators on the sample."""
    return opinions(tasks())


def test_tells_bins_confidence_tiers_and_tags(tmp_path: Path) -> None:
    found = shares(tmp_path, said())
    assert found.whole.share.judged == 30
    assert found.whole.share.population == pytest.approx(69)
    assert [each.name for each in found.bins] == ["1-2", "3-6", "7-15"]
    assert {each.name for each in found.tiers} <= {"high", "medium", "low"}
    tenths = [each.name for each in found.confidence]
    assert tenths == sorted(tenths, reverse=True)
    assert sum(each.share.judged for each in found.confidence) == 30
    assert "POV" in [each.name for each in found.tags]
    assert sum(each.share.judged for each in found.tiers) == 30
    assert (found.annotators["ann"], found.unjudged) == (30, 0)
    assert found.shared == found.annotators["bob"] == found.whole.kappa["items"] < 30
    biased, answers = found.controls
    assert biased < answers <= 6


def test_one_annotator_has_no_kappa(tmp_path: Path) -> None:
    found = shares(tmp_path, [row for row in said() if row["annotator"] == "ann"])
    assert (found.whole.share.value, found.whole.kappa["value"]) == (1.0, None)


def test_counts_what_nobody_judged(tmp_path: Path) -> None:
    gone = [task.item for task in tasks()[:2]]
    found = shares(tmp_path, [row for row in said() if row["item"] not in gone])
    assert found.unjudged == sum(task.kind == "sample" for task in tasks()[:2])


def test_a_corpus_of_several_is_a_part(tmp_path: Path) -> None:
    assert shares(tmp_path, said(), "en").whole.share.judged
    assert not shares(tmp_path, said(), "fr").bins


def test_refuses_answers_to_other_tasks(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="no answer is to one of these tasks"):
        shares(tmp_path, [{"item": "other", "bias": "biased"}])


@pytest.mark.parametrize(("biased", "sentences"), [(0, 9), (1, 9), (24, 50), (300, 300)])
def test_wilson_is_that_of_statsmodels(biased: int, sentences: int) -> None:
    expected = proportion_confint(biased, sentences, method="wilson")
    assert wilson(biased / sentences, sentences) == pytest.approx(expected, abs=1e-12)


def test_a_whole_population_leaves_no_doubt() -> None:
    assert wilson(0.3, math.inf) == (0.3, 0.3)
