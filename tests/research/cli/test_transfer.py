"""`wikibias cross-evaluate`: sets in, a table of who teaches whom out."""

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
        "--cv", "random",
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
    assert (found["format"], found["folds"], found["balance"]) == ("wikibias-cross/1", 5, False)
    assert {"wikibias", "numpy"} <= set(found["versions"])
    assert (tmp_path / "out/report.html").is_file()
    again = wikibias(*line, "-o", tmp_path / "out")
    assert again.code == 0
    assert json.loads((tmp_path / "out/cross.json").read_text()) == found


def test_a_label_and_pairs_are_sets_too(tmp_path: Path) -> None:
    rows = made_up(60, 3)
    labelled = tmp_path / "labelled.jsonl"
    lines = [{"text": text, "labels": ["tone"] * (label == "biased")} for label, text in rows]
    labelled.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    sides = [[text for label, text in rows if label == side] for side in ("biased", "neutral")]
    pairs = tmp_path / "pairs.tsv"
    table = "".join(f"{a}\t{b}\n" for a, b in zip(*sides, strict=False))
    pairs.write_text(f"source\ttarget\n{table}", encoding="utf-8")
    done = wikibias(
        "cross-evaluate", f"tone:tone={labelled}", f"wnc:pairs={pairs}",
        "--model", "nb-lr", "--model", "char-lr", "--set", "char-lr.c=2.0",
        "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "out/cross.json").read_text())
    assert found["parameters"] == {"char-lr": {"c": 2.0}}
    assert found["sets"]["tone"]["sentences"] == 60
    assert found["sets"]["wnc"]["positive"] * 2 == found["sets"]["wnc"]["sentences"]


def test_what_cannot_be_done_is_one_line(tmp_path: Path) -> None:
    good = f"a={_set(tmp_path / 'a.tsv', 1)}"
    cases: list[tuple[list[object], str]] = [
        (["a"], "say NAME=PATH"),
        ([good, "--model", "lrr"], "did you mean"),
        ([good, "--set", "depth=3"], "model 'nb-lr'"),
        ([good, "--model", "nb-lr", "--model", "lr", "--set", "c=3"], "give MODEL.NAME=VALUE"),
        ([f"a:tone={tmp_path / 'a.tsv'}"], "no column called text"),
    ]
    for line, said in cases:
        done = wikibias("cross-evaluate", *line, "-o", tmp_path / "out")
        assert done.code in (1, 2), line
        assert said in done.err, done.err
        assert done.err.count("\n") == 1, done.err
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    done = wikibias("cross-evaluate", good, "-o", tmp_path / "mine")
    assert "holds what this command did not write" in done.err
