"""`wikibias lexicon` on the real command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports import wikibias


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A file of pairs whose editors took one word out."""
    path = tmp_path / "pairs.tsv"
    rows = [
        f"The splendid mill no {n} stood here.\tThe mill no {n} stood here.\n" for n in range(40)
    ]
    path.write_text("source\ttarget\n" + "".join(rows), encoding="utf-8")
    return path


def test_learn_then_show_then_score(tmp_path: Path, pairs: Path) -> None:
    out, counts = tmp_path / "mine.tsv", tmp_path / "counts.json"
    done = wikibias("lexicon", "learn", pairs, "--lang", "en", "--note", "invented", "-o", out)
    assert (done.code, done.out) == (0, f"1 word of 40 pairs in {out}\n")
    shown = wikibias("lexicon", "show", out)
    assert "# data: invented" in shown.out
    assert "splendid\t40\t0" in shown.out
    scored = wikibias("lexicon", "score", pairs, out, "--json", counts)
    assert scored.code == 0
    assert "40 of 40" in scored.out
    (found,) = json.loads(counts.read_text(encoding="utf-8"))["lexicons"]
    assert (found["name"], found["hit"], found["right"]) == ("mine", 40, 40)
    assert wikibias("lexicon", "learn", pairs, "--lang", "en", "-o", out).code == 0


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path, pairs: Path) -> None:
    out = tmp_path / "mine.txt"
    out.write_text("awful\n", encoding="utf-8")
    done = wikibias("lexicon", "learn", pairs, "--lang", "en", "-o", out)
    assert done.code == 2
    assert "--overwrite replaces it" in done.errors[-1]
    assert out.read_text(encoding="utf-8") == "awful\n"


def test_names_are_listed() -> None:
    done = wikibias("lexicon", "show")
    assert done.code == 0
    assert wikibias("lexicon", "show", "nowhere").code == 2


def test_a_test_set_is_not_learnt(tmp_path: Path, pairs: Path) -> None:
    held, out = tmp_path / "test.tsv", tmp_path / "mine.tsv"
    rows = pairs.read_text(encoding="utf-8").splitlines(keepends=True)
    held.write_text("".join(rows[:11]), encoding="utf-8")
    done = wikibias("lexicon", "learn", pairs, "--lang", "en", "--exclude", held, "-o", out)
    assert (done.code, done.out) == (0, f"1 word of 30 pairs in {out}\n")
    assert "left out 10 pairs with a sentence of --exclude" in done.err
    few = wikibias("lexicon", "score", pairs, out)
    assert "40 pairs only; under 50 the counts say little" in few.err
