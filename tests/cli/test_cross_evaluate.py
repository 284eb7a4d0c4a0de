"""`wikibias cross-evaluate`: sets in, a table of who teaches whom out."""

from __future__ import annotations

import json
from pathlib import Path

from exports import wikibias
from sample_sentences import made_up


def _set(path: Path, seed: int) -> Path:
    rows = made_up(60, seed)
    path.write_text("".join(f"{label}\t{text}\n" for label, text in rows), encoding="utf-8")
    return path


def test_a_cross_table_is_written_and_the_same_again(tmp_path: Path) -> None:
    line = [
        "cross-evaluate", f"a={_set(tmp_path / 'a.tsv', 1)}", f"b={_set(tmp_path / 'b.tsv', 2)}",
        "--folds", 3, "--sizes", "20,40", "--resamples", 20, "--cv", "random",
    ]  # fmt: skip
    done = wikibias(*line, "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert "trained on (down), tested on (across)" in done.out
    found = json.loads((tmp_path / "out/cross.json").read_text())
    cells = found["models"]["nb-lr"]["cells"]
    assert [(c["train"], c["test"]) for c in cells] == [
        ("a", "a"),
        ("a", "b"),
        ("b", "a"),
        ("b", "b"),
    ]
    assert set(cells[0]["scores"]["f1"]) == {"value", "low", "high"}
    assert found["sets"]["a"]["sentences"] == 60
    assert (tmp_path / "out/report.html").is_file()
    again = wikibias(*line, "-o", tmp_path / "out")
    assert again.code == 0
    assert json.loads((tmp_path / "out/cross.json").read_text()) == found


def test_what_cannot_be_done_is_one_line(tmp_path: Path) -> None:
    good = f"a={_set(tmp_path / 'a.tsv', 1)}"
    for line, said in [
        (["a"], "say NAME=PATH"),
        ([good, "--sizes", "many"], "not a list of whole numbers"),
        ([good, "--model", "lrr"], "did you mean"),
        ([good, "--folds", "500"], "cannot make 500 folds"),
    ]:
        done = wikibias("cross-evaluate", *line, "-o", tmp_path / "out")
        assert done.code in (1, 2), line
        assert said in done.err, done.err
        assert done.err.count("\n") == 1, done.err
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    done = wikibias("cross-evaluate", good, "-o", tmp_path / "mine")
    assert "holds what this command did not write" in done.err
