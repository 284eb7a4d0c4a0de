"""Controls and sentences shown again."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from wikibias.research.annotation.agreement import controls, repeats
from wikibias.research.annotation.coefficients import GAP, Ratings
from wikibias.research.annotation.tasks import Task


def rated(
    items: str, rows: list[list[int]], values: tuple[str, str] = ("biased", "neutral")
) -> Ratings:
    """Return codes of the items, by a, b, ..."""
    codes = np.array(rows)
    return Ratings(tuple(items.split()), tuple("abc"[: codes.shape[1]]), values, codes)


def test_who_ticks_everything_ticks_unchanged_sentences() -> None:
    sample = rated("s1 s2", [[0, 0], [0, 1]])
    checked = rated("c1 c2 c3", [[0, 1], [0, 1], [0, GAP]])
    found = controls(sample, checked)
    assert found["items"] == 3
    assert found["annotators"]["a"]["ticked"]["value"] == 1
    assert found["annotators"]["a"]["values"] == {"biased": 3}
    b = found["annotators"]["b"]
    assert (b["answers"], b["ticked"]["value"], b["ticked_of_sample"]["value"]) == (2, 0, 0.5)


def test_without_a_neutral_answer_nobody_is_said_to_tick() -> None:
    sample = rated("s1", [[0, 0]], ("red", "blue"))
    found = controls(sample, sample)
    assert found["annotators"]["a"]["ticked"]["value"] is None
    assert "neutral" in found["notes"]["ticked"]


@pytest.mark.parametrize("hits", [0, 3, 10])
def test_a_share_of_few_has_a_wide_interval(hits: int) -> None:
    checked = rated(" ".join("c" * 10), [[0]] * hits + [[1]] * (10 - hits))
    found = controls(checked, checked)["annotators"]["a"]["ticked"]
    low, high = proportion_confint(hits, 10, method="wilson")
    assert found["value"] == hits / 10
    assert found["low"] == pytest.approx(low, abs=1e-5)
    assert found["high"] == pytest.approx(high, abs=1e-5)


def test_each_annotator_is_compared_with_what_they_said_before() -> None:
    tasks = [
        Task("s1", "Old."),
        Task("s2", "New."),
        Task("s3", "Red."),
        Task("r1", "Old.", "repeat", "s1"),
        Task("r2", "New.", "repeat", "s2"),
        Task("r9", "Lost.", "repeat", "s9"),
    ]
    found = repeats(
        rated("s1 s2 s3 r1 r2", [[0, 0], [1, 1], [1, 0], [0, 1], [1, GAP]]),
        {task.item: task for task in tasks},
        resamples=20,
        seed=0,
    )
    assert (found["a"]["items"], found["a"]["percentage"]["value"]) == (2, 1)
    assert found["a"]["cohen"]["value"] == 1
    assert (found["b"]["items"], found["b"]["percentage"]["value"]) == (1, 0)


def test_without_repeats_there_is_nothing_to_say() -> None:
    found = rated("s1", [[0, 1]])
    assert repeats(found, {"s1": Task("s1", "Old.")}, resamples=9, seed=0) == {}
