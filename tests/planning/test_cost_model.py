"""The cost model: its arithmetic, and its file."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.config.toml_file import TomlFile
from wikibias.config.validation import conform_file
from wikibias.planning.cost_model import (
    TASKS,
    CostModel,
    Fitted,
    TaskCosts,
    Unpacking,
    Work,
    amounts_of,
    load_costs,
    written,
)

NOTHING = TaskCosts(**{field.name: 0.0 for field in fields(TaskCosts)})
FITTED = Fitted("2026-01-01", "abc", "3.11.7", 'a "fast" core', ("re2",), 0.25, 0.1, 0.2)
WORK = Work("7z", 3, 10.0, 400.0, 20_000.0, 0.5, 500.0, 50.0, 30.0, 2.0, 1000.0)


def model(**costs: float) -> CostModel:
    """Return a model in which only some things cost, and unpacking 7z."""
    unpacking = {"7z": Unpacking(0.1, 0.05, 0.001), "xml": Unpacking(0.0, 0.0, 0.0)}
    tasks = dict.fromkeys(TASKS, replace(NOTHING, **costs))
    return CostModel(FITTED, unpacking, tasks)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("costs", "seconds"),
    [
        ({}, 0.0),
        ({"start": 2.0}, 2.0),
        ({"part": 0.5}, 1.5),
        ({"tagged_start": 2.0}, 2.0),
        ({"tagged_part": 0.5}, 1.0),
        ({"article_revision": 1e-4}, 1.0),
        ({"call": 0.002}, 2.0),
        ({"mb": 0.01}, 4.0),
        ({"article_mb": 0.01}, 2.0),
        ({"revision": 1e-4}, 2.0),
        ({"hit": 0.002}, 1.0),
        ({"hit_mb": 0.1}, 1.0),
        ({"match": 0.1}, 5.0),
        ({"transition": 0.1}, 3.0),
        ({"transition_mb": 10.0}, 6.0),
        ({"start": 2.0, "transition": 0.1}, 5.0),
    ],
    ids=str,
)
def test_seconds_are_the_sum_of_what_there_is(costs: dict[str, float], seconds: float) -> None:
    unpacking = 0.1 + 10 * 0.05 + 400 * 0.001
    assert model(**costs).seconds("detect", WORK) == pytest.approx(unpacking + seconds)
    assert model(**costs).seconds("detect", replace(WORK, form="xml")) == pytest.approx(seconds)


def test_what_is_written_grows_with_parts_transitions_and_revisions() -> None:
    costs = replace(NOTHING, bytes_part=100, bytes_transition=10, bytes_revision=0.5)
    assert costs.bytes_written(WORK) == 300 + 300 + 10_000


def test_a_dump_without_revisions_costs_its_start() -> None:
    empty = Work("7z", 0, 0.0, 0.0, 0.0)
    assert amounts_of(empty) == {**dict.fromkeys(amounts_of(WORK), 0.0), "start": 1.0}


@given(st.floats(1, 1e6), st.floats(1, 10))
def test_twice_the_dump_costs_less_than_twice_but_more(mb: float, times: float) -> None:
    shipped = load_costs()
    work = replace(WORK, mb=mb, packed_mb=mb / 50, revisions=100 * mb)
    more = replace(
        work, mb=mb * times, packed_mb=mb * times / 50, revisions=100 * mb * times,
        hits=work.hits * times, matches=work.matches * times, calls=work.calls * times,
        transitions=work.transitions * times,
    )  # fmt: skip
    for task in TASKS:
        one, many = shipped.seconds(task, work), shipped.seconds(task, more)
        assert one <= many * 1.000001
        assert many <= one * times * 1.000001


def test_the_file_gives_the_model_back(tmp_path: Path) -> None:
    path = tmp_path / "costs.toml"
    made = model(start=0.5, revision=1.25e-5)
    path.write_text(written(made).replace('a "fast" core', "a fast core"), encoding="utf-8")
    file = TomlFile.read(path)
    found = conform_file(CostModel, file.table, file)
    assert found == replace(made, fitted=replace(FITTED, machine="a fast core"))


def test_the_shipped_costs_are_whole() -> None:
    shipped = load_costs()
    assert set(shipped.tasks) == set(TASKS)
    assert set(shipped.unpacking) == {"7z", "bz2", "gz", "zst", "xz", "xml"}
    for task in TASKS:
        assert shipped.tasks[task].start > 0
        assert 50 < shipped.tasks[task].memory_mb < 500
    assert shipped.unpacking["bz2"].seconds(WORK) > shipped.unpacking["7z"].seconds(WORK)
