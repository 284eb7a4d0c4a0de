"""Tests of `wikibias annotate vote`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from wikibias.kits.tables import write_rows

WIDE: list[dict[str, Any]] = [
    {"id": "x", "text": "The mill stands by the river.", "a": 0, "b": 0, "c": 1, "none": "?"},
    {"id": "y", "text": "It is the finest mill of all.", "a": 1, "b": "?", "c": 1, "none": "?"},
    {"id": "z", "text": "It is said to be old.", "a": 1, "b": "?", "c": 0, "none": "?"},
]
LONG: list[dict[str, Any]] = [
    {"item": "x", "annotator": "ann", "bias": "biased", "text": "A fine mill."},
    {"item": "x", "annotator": "bob", "bias": "neutral", "text": "A fine mill."},
    {"item": "y", "annotator": "ann", "bias": "neutral", "text": "A mill."},
]


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    write_rows(tmp_path / "runs.jsonl", WIDE)
    return tmp_path / "runs.jsonl"


class TestWide:
    def test_keeps_the_columns_and_adds_the_vote(self, wide: Path, tmp_path: Path) -> None:
        out = tmp_path / "voted.jsonl"
        done = wikibias("annotate", "vote", wide, "--columns", "a,b,c", "--out", out)
        assert done.code == 0, done.err
        assert read(out) == [
            {**WIDE[0], "vote": 0, "share": pytest.approx(2 / 3), "votes": 3},
            {**WIDE[1], "vote": 1, "share": 1.0, "votes": 2},
            {**WIDE[2], "vote": "?", "share": 0.5, "votes": 2},
        ]
        assert "All votes agree on 1 of 3 sentences with two votes or more (33.3%)." in done.out
        assert "1 tie, left as '?'." in done.out
        assert "2 answers '?' did not vote." in done.out

    @pytest.mark.parametrize(
        ("rule", "votes"), [("drop", [0, 1]), ("biased", [0, 1, 1]), ("0", [0, 1, 0])]
    )
    def test_ties_go_by_the_rule(
        self, wide: Path, tmp_path: Path, rule: str, votes: list[int]
    ) -> None:
        out = tmp_path / "voted.jsonl"
        asked = ("--columns", "[abc]", "--ties", rule, "--out", out)
        done = wikibias("annotate", "vote", wide, *asked)
        assert done.code == 0, done.err
        assert [row["vote"] for row in read(out)] == votes

    def test_prints_rows_where_no_file_is_named(self, wide: Path) -> None:
        done = wikibias("annotate", "vote", wide, "--columns", "a,b,c", "--ties", "drop")
        assert done.code == 0, done.err
        assert [json.loads(line)["vote"] for line in done.out.splitlines()] == [0, 1]
        assert "1 tie, left out." in done.err


class TestLong:
    def test_gives_a_row_a_sentence(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "answers.csv", LONG)
        out = tmp_path / "voted.jsonl"
        done = wikibias(
            "annotate", "vote", tmp_path / "answers.csv", "--ties", "neutral", "--out", out
        )
        assert done.code == 0, done.err
        assert read(out) == [
            {"item": "x", "text": "A fine mill.", "vote": "neutral", "share": 0.5, "votes": 2},
            {"item": "y", "text": "A mill.", "vote": "neutral", "share": 1.0, "votes": 1},
        ]

    def test_keeps_what_the_task_file_has(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "answers.csv", LONG)
        tasks = [{"item": name, "outlet": name * 2, "text": "A mill."} for name in "yxz"]
        write_rows(tmp_path / "tasks.jsonl", tasks)
        asked = ("annotate", "vote", tmp_path / "answers.csv", "--tasks", tmp_path / "tasks.jsonl")
        done = wikibias(*asked)
        assert done.code == 0, done.err
        assert [json.loads(line) for line in done.out.splitlines()] == [
            {**tasks[1], "vote": "?", "share": 0.5, "votes": 2},
            {**tasks[0], "vote": "neutral", "share": 1.0, "votes": 1},
        ]
        write_rows(tmp_path / "tasks.jsonl", tasks[:1])
        assert "has no item 'x'; give the file that was judged" in wikibias(*asked).err

    def test_says_where_there_is_nothing_to_vote_on(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "ann.csv", [{"item": "x", "bias": "1"}])
        out = tmp_path / "voted.csv"
        done = wikibias("annotate", "vote", tmp_path / "ann.csv", "--out", out)
        assert (done.code, done.err) == (
            0,
            "Warning: no sentence has two votes; there is nothing to vote on\n",
        )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--columns", "a,d"), "no column 'd'"),
        (("--columns", "a,b", "--ties", "maybe"), "nobody gave the label 'maybe'"),
        (("--columns", "none", "--ties", "drop"), "no sentence is left"),
        (("--columns", "a,b", "--out", "voted.parquet"), "must end in .jsonl, .csv or .tsv"),
    ],
)
def test_says_what_is_wrong(
    wide: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(wide.parent)
    out = () if "--out" in asked else ("--out", "voted.csv")
    done = wikibias("annotate", "vote", wide, *asked, *out)
    assert done.code == 2
    assert message in done.err
    assert not list(wide.parent.glob("voted*"))


def test_tells_of_labels_that_are_written_otherwise(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", [{"a": 0, "b": "no", "c": 1}, {"a": 1, "b": "yes", "c": 1}])
    done = wikibias("annotate", "vote", tmp_path / "t.csv", "--columns", "a,b")
    assert "Warning: a (0, 1) and b (no, yes) share no label; a vote counts" in done.err
    done = wikibias("annotate", "vote", tmp_path / "t.csv", "--columns", "a,c")
    assert "share no label" not in done.err


def test_replaces_nothing_unasked(wide: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.csv"
    out.write_text("mine")
    asked = ("--columns", "a,b,c")
    done = wikibias("annotate", "vote", wide, *asked, "--out", out)
    assert "add --overwrite" in done.err
    assert out.read_text() == "mine"
    empty = tmp_path / "empty.csv"
    empty.touch()
    assert wikibias("annotate", "vote", wide, *asked, "--out", empty).code == 0
    assert wikibias("annotate", "vote", wide, *asked, "--out", out, "--overwrite").code == 0
    done = wikibias("annotate", "vote", wide, *asked, "--out", wide, "--overwrite")
    assert "is what is read" in done.err


def test_a_table_that_was_voted_on_is_not_voted_on_again(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", [{"a": 1, "vote": 1}])
    done = wikibias(
        "annotate", "vote", tmp_path / "t.csv", "--columns", "a", "--out", tmp_path / "v.csv"
    )
    assert "has a column 'vote' already" in done.err


@pytest.mark.parametrize(
    ("name", "stored", "rows"),
    [
        ("babe_test", "majority_stored", 1000),
        ("anno_lexical_teachers_center", "final_stored", 10781),
        ("anno_lexical_teachers_alternet", "final_stored", 3844),
    ],
)
def test_gives_the_votes_that_the_authors_stored(
    shared: Path, tmp_path: Path, name: str, stored: str, rows: int
) -> None:
    path, out = shared / "annotation" / f"{name}.parquet", tmp_path / "voted.jsonl"
    done = wikibias(
        "annotate", "vote", path, "--columns", "zephyr,openchat,llama_13b", "--out", out
    )
    assert done.code == 0, done.err
    found = read(out)
    assert (sum(row["vote"] == row[stored] for row in found), len(found)) == (rows, rows)
