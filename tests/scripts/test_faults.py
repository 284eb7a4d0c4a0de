"""The script that damages dumps and kills runs, in a small version of itself."""

from __future__ import annotations

from pathlib import Path

import faults


def test_damages(tmp_path: Path) -> None:
    found = list(faults.damage(tmp_path, 6, seed=1))
    assert {form for form, _, _, _ in found} == set(faults.FORMS)
    assert [(name, verdict) for _, _, verdict, name in found if "WRONG" in verdict] == []


def test_kills(tmp_path: Path) -> None:
    found = list(faults.kill(tmp_path, 3, seed=1, workers=1))
    assert [how for how, _ in found] == [how.name for how in faults.SIGNALS]
    assert [verdict for _, verdict in found if "WRONG" in verdict] == []


def test_what_is_wrong_is_called_so() -> None:
    sound: list[faults.Row] = [("a", True), ("b", False)]
    assert faults.judged(sound, sound, None) == "whole"
    assert "WRONG" in faults.judged(sound[:1], sound, None)
    assert "WRONG" in faults.judged([*sound, sound[0]], sound, "damaged")
    assert "WRONG" in faults.judged([("a", False), ("b", False)], sound, None)
    assert "WRONG" not in faults.judged(sound[:1], sound, "damaged")
    assert faults.judged([("c", True)], sound, "damaged") == "failed, altered rows"
