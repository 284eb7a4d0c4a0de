"""The stages fit together."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise

import pytest

from wikibias.pipeline.stages import STAGES, Stage, named, per_part


def test_a_stage_reads_what_an_earlier_one_writes() -> None:
    written: set[str] = set()
    for stage in STAGES:
        assert {table.name for table in stage.reads} <= written
        tables = [table.name for table in stage.writes]
        assert written.isdisjoint(tables)
        written |= set(tables)
    assert STAGES[0].reads == ()


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_what_a_stage_names_is_there(stage: Stage) -> None:
    assert isinstance(stage.run, str)
    module, _, function = stage.run.partition(":")
    assert callable(getattr(import_module(module), function))
    earlier = [other.name for other in STAGES[: STAGES.index(stage)]]
    assert stage.joins is None or stage.joins in earlier


def test_the_settings_of_a_stage_are_also_those_of_the_stages_before() -> None:
    """Or the output of a later one would stand although an earlier one was redone otherwise."""
    for before, after in pairwise(STAGES):
        assert set(before.settings) <= set(after.settings)


def test_stages_per_part_come_first() -> None:
    assert per_part() == STAGES[: len(per_part())]
    assert [stage.name for stage in per_part()] == ["detect", "diff", "filter"]


def test_by_name() -> None:
    assert [named(stage.name) for stage in STAGES] == STAGES
    with pytest.raises(KeyError):
        named("detct")
