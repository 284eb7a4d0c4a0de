"""`wikibias spans`: taggers of biased words, and their scores."""

from __future__ import annotations

import json
from pathlib import Path

from exports import wikibias


def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "p.conll"
    path.write_text("The B O\nfamous I B\nmill O O\n\nIt O O\nstood O I\n")
    return path


def test_scores_are_shown_and_written(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    done = wikibias("spans", "score", predictions(tmp_path), "--out", out)
    assert done.code == 0
    assert "2 sentences, 1 gold spans, 2 predicted" in done.out
    assert "right boundary" in done.out
    found = json.loads(out.read_text())
    assert found["exact"]["tp"] == 0
    assert found["right_boundary"] == {
        "tp": 1,
        "precision": 0.5,
        "recall": 1.0,
        "f1": 2 / 3,
    }
    assert "p.conll:6: 1 sentence with a span of the prediction that begins with I" in done.err


def test_the_clean_up_takes_off_articles(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    done = wikibias("spans", "score", predictions(tmp_path), "--clean-up", "-o", out)
    assert done.code == 0
    assert json.loads(out.read_text())["exact"]["tp"] == 1


def test_an_unknown_command_names_the_nearest() -> None:
    done = wikibias("spans", "scores")
    assert done.code == 2
    assert "unknown command 'spans scores'; did you mean 'score'?" in done.errors[0]
