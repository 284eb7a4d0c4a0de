from __future__ import annotations

from pathlib import Path

from wikibias.models.estimators.registry import HERE, Run


def test_each_of_several_trainings_has_a_checkpoint_of_its_own() -> None:
    run = Run("cpu", Path("out"), overwrite=True)
    assert run.part("first") == Run("cpu", Path("out/first"), overwrite=True)
    assert HERE.part("first") == HERE
