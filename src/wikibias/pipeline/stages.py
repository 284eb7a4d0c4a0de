"""The stages of the pipeline, in order: the one list that all else reads."""

from __future__ import annotations

from wikibias.pipeline import build, detect, diff, filter  # noqa: A004 (the name of the stage)
from wikibias.pipeline.stage import Stage

STAGES: list[Stage] = [detect.STAGE, diff.STAGE, filter.STAGE, build.STAGE]


def per_part() -> list[Stage]:
    """Return the stages that are done on each part by itself."""
    return [stage for stage in STAGES if stage.is_per_part]


def named(name: str) -> Stage:
    """Return a stage by its name.

    Raises:
        KeyError: there is none.
    """
    return {stage.name: stage for stage in STAGES}[name]
