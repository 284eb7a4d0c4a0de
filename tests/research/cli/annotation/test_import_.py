"""`wikibias annotate import`: answers of other programs and of mangled sheets."""

from __future__ import annotations

import json
from pathlib import Path

from exchange_tasks import EXPORTS, task_file
from exports import wikibias


def rows(path: Path) -> list[dict[str, object]]:
    """Return the rows of a table of answers."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_real_export_of_label_studio_comes_back(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    done = wikibias(
        *("annotate", "import", EXPORTS / "export.json", "--tasks", EXPORTS / "tasks.jsonl"),
        *("--guidelines", "bias-types", "--out", out),
    )
    assert done.code == 0
    assert "10 answers of 3 annotators to 5 of 5 tasks" in done.out
    assert "skipped by its annotator" in done.err
    assert rows(out)[-1]["spans"] == [
        {"start": 14, "end": 18, "label": "framing"},
        {"start": 43, "end": 50, "label": "demographic"},
    ]


def test_tables_of_several_people_become_one(tmp_path: Path) -> None:
    (tmp_path / "ann.csv").write_text("item,Q (y/n)\ns1,biased\ns2,neutral\n")
    (tmp_path / "bob.csv").write_text("item,bias,comment\ns1,perhaps,Why?\ns2,,Hm.\n")
    out = tmp_path / "answers.csv"
    words = ("annotate", "import", tmp_path / "ann.csv", tmp_path / "bob.csv")
    words += ("--tasks", task_file(tmp_path), "--out", out)
    done = wikibias(*words)
    assert done.code == 1
    assert "ann.csv: no column for bias; it has 'item', 'Q (y/n)'" in done.errors[-1]
    assert not out.exists()
    done = wikibias(*words, "--rename", "Q (y/n)=bias")
    assert done.code == 0
    assert "3 answers of 2 annotators to 2 of 4 tasks" in done.out
    assert "Note: 1 comment without an answer; kept, and not counted." in done.out
    assert "bob.csv:2 'perhaps'" in done.err
    assert out.read_text().splitlines() == [
        "item,annotator,bias,comment",
        "s1,ann,biased,",
        "s1,bob,?,Why?",
        "s2,ann,neutral,",
        "s2,bob,,Hm.",
    ]


def test_says_in_a_line_what_is_wrong(tmp_path: Path) -> None:
    tasks, out = task_file(tmp_path), tmp_path / "answers.jsonl"
    (tmp_path / "s.csv").write_text("item,bias\ns9,biased\n")
    asked = ("--tasks", tasks, "--out", out)
    for words, code, message in (
        ((tmp_path / "s.csv",), 1, "no answer to any of the tasks"),
        ((tmp_path / "s.csv", "--rename", "bias"), 2, "give OLD=NEW"),
        ((tmp_path / "s.csv", "--rename", "bias=item", "--rename", "bias=text"), 2, "OLD=NEW"),
        ((tmp_path / "s.csv", "--rename", "verdict=bias"), 2, "no table has a column 'verdict'"),
    ):
        done = wikibias("annotate", "import", *words, *asked)
        assert (done.code, len(done.errors)) == (code, 1)
        assert message in done.errors[0]
    out.write_text("mine")
    done = wikibias("annotate", "import", tmp_path / "s.csv", *asked)
    assert done.code == 2
    assert "add --overwrite" in done.errors[0]
    done = wikibias("annotate", "import", tmp_path / "s.csv", "--tasks", tasks, "--out", "a.xlsx")
    assert done.code == 2
    assert "the name must end in" in done.errors[0]
