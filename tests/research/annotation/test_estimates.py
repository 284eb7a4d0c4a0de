"""Tests of weighted estimates, against the brute force of drawing many samples."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

from judged_samples import opinions, sampled, written
from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import wilson
from wikibias.research.annotation import estimates
from wikibias.research.annotation.tasks import Task
from wikibias.research.annotation.votes import read_judged

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


@pytest.mark.parametrize("of", [lambda _: True, of_tag_a])
def test_is_right_on_average_and_its_interval_nearly_always(of: Callable[[Task], bool]) -> None:
    whole = population({"a": (60, 0.3), "b": (200, 0.6), "c": (600, 0.7)})
    inside = [value for task, value in whole if of(task)]
    true = sum(inside) / len(inside)
    rng = random.Random(3)
    found = [drawn(whole, 25, rng)(of) for _ in range(400)]
    values = [each.value for each in found if each.value is not None]
    assert sum(values) / len(values) == pytest.approx(true, abs=0.01)
    hit = sum((each.low or 0) <= true <= (each.high or 0) for each in found)
    # 380 of 400 by design; three standard deviations are 13.
    assert 362 <= hit <= 396
    populations = [each.population for each in found]
    assert sum(populations) / 400 == pytest.approx(len(inside), rel=0.02)


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
    _, path = written(folder, TASKS, rows)
    return estimates.judged_shares(TASKS, read_judged([path]), corpus=corpus, resamples=50)


TASKS = sampled()
OPINIONS = opinions(TASKS)


def test_tells_bins_tiers_and_tags(tmp_path: Path) -> None:
    found = shares(tmp_path, OPINIONS)
    assert found.whole.share.judged == 30
    assert found.whole.share.population == pytest.approx(67)
    assert [each.name for each in found.bins] == ["3-6", "7-15"]
    assert {each.name for each in found.tiers} <= {"high", "medium", "low"}
    assert "POV" in [each.name for each in found.tags]
    assert sum(each.share.judged for each in found.tiers) == 30
    assert (found.annotators["ann"], found.unjudged) == (30, 0)
    assert found.shared == found.annotators["bob"] == found.whole.kappa["items"] < 30
    biased, answers = found.controls
    assert biased < answers <= 6


def test_one_annotator_has_no_kappa(tmp_path: Path) -> None:
    found = shares(tmp_path, [row for row in OPINIONS if row["annotator"] == "ann"])
    assert (found.whole.share.value, found.whole.kappa["value"]) == (1.0, None)


def test_counts_what_nobody_judged(tmp_path: Path) -> None:
    gone = [task.item for task in TASKS[:2]]
    found = shares(tmp_path, [row for row in OPINIONS if row["item"] not in gone])
    assert found.unjudged == sum(task.kind == "sample" for task in TASKS[:2])


def test_a_corpus_of_several_is_a_part(tmp_path: Path) -> None:
    assert shares(tmp_path, OPINIONS, "en").whole.share.judged
    assert not shares(tmp_path, OPINIONS, "fr").bins


def test_refuses_answers_to_other_tasks(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="no answer is to one of these tasks"):
        shares(tmp_path, [{"item": "other", "bias": "biased"}])


@pytest.mark.parametrize(("biased", "sentences"), [(0, 9), (1, 9), (24, 50), (300, 300)])
def test_wilson_is_that_of_statsmodels(biased: int, sentences: int) -> None:
    expected = proportion_confint(biased, sentences, method="wilson")
    assert wilson(biased / sentences, sentences) == pytest.approx(expected, abs=1e-12)


def test_a_whole_population_leaves_no_doubt() -> None:
    assert wilson(0.3, math.inf) == (0.3, 0.3)
