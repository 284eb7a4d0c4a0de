"""The script that damages dumps and kills runs, in a small version of itself."""

from __future__ import annotations

from pathlib import Path

import faults


def test_damaged_parts_give_no_wrong_rows(tmp_path: Path) -> None:
    found = list(faults.damage(tmp_path, 6, seed=1))
    assert {form for form, _, _, _ in found} == set(faults.FORMS)
    assert [(name, verdict) for _, _, verdict, name in found if "WRONG" in verdict] == []


def test_killed_runs_resume_to_the_same_bytes(tmp_path: Path) -> None:
    found = list(faults.kill(tmp_path, 3, seed=1, workers=1))
    assert [how for how, _ in found] == [how.name for how in faults.SIGNALS]
    assert [verdict for _, verdict in found if "WRONG" in verdict] == []


def test_wrong_results_are_recognised() -> None:
    intact: list[faults.Row] = [("a", True), ("b", False)]
    assert faults.verdict_on(intact, intact, None) == "whole"
    assert "WRONG" in faults.verdict_on(intact[:1], intact, None)
    assert "WRONG" in faults.verdict_on([*intact, intact[0]], intact, "damaged")
    assert "WRONG" in faults.verdict_on([("a", False), ("b", False)], intact, None)
    assert "WRONG" not in faults.verdict_on(intact[:1], intact, "damaged")
    assert faults.verdict_on([("c", True)], intact, "damaged") == "failed, altered rows"
