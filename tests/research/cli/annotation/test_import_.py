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


def test_sheets_of_several_people_become_one_table(tmp_path: Path) -> None:
    (tmp_path / "ann.csv").write_text("item;bias\ns1;oui\ns2;non\n")
    (tmp_path / "bob.csv").write_text("item,Verdict,comment\ns1,perhaps,Why?\n")
    out = tmp_path / "answers.jsonl"
    done = wikibias(
        *("annotate", "import", tmp_path / "ann.csv", tmp_path / "bob.csv"),
        *("--tasks", task_file(tmp_path), "--out", out),
    )
    assert done.code == 1
    assert "bob.csv: no column for bias" in done.errors[-1]
    assert not out.exists()
    (tmp_path / "bob.csv").write_text("item,bias,comment\ns1,perhaps,Why?\n")
    done = wikibias(
        *("annotate", "import", tmp_path / "ann.csv", tmp_path / "bob.csv"),
        *("--tasks", task_file(tmp_path), "--out", out),
    )
    assert done.code == 0
    assert "Note: bias: read 'non' as neutral (1), 'oui' as biased (1)." in done.out
    assert "3 answers of 2 annotators to 2 of 4 tasks" in done.out
    assert "bob.csv:2 'perhaps'" in done.err
    assert [(row["item"], row["annotator"], row["bias"]) for row in rows(out)] == [
        ("s1", "ann", "biased"),
        ("s1", "bob", "?"),
        ("s2", "ann", "neutral"),
    ]


def test_what_came_back_is_a_table_of_answers(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item,verdict\ns1,yes\ns2,no\n")
    out = tmp_path / "answers.csv"
    done = wikibias(
        *("annotate", "import", tmp_path / "s.csv", "--tasks", task_file(tmp_path)),
        *("--rename", "verdict=bias", "--annotator", "cleo", "--out", out),
    )
    assert done.code == 0
    assert out.read_text().splitlines() == [
        "item,annotator,bias,comment",
        "s1,cleo,biased,",
        "s2,cleo,neutral,",
    ]


def test_one_sheet_of_several_has_the_column_that_is_renamed(tmp_path: Path) -> None:
    (tmp_path / "ann.csv").write_text("item,Q (y/n)\ns1,yes\ns2,no\n")
    (tmp_path / "bob.csv").write_text("item,bias\ns1,no\ns2,yes\n")
    (tmp_path / "cleo.csv").write_text("item,opinion\ns1,no\n")
    out = tmp_path / "answers.jsonl"
    words = ("annotate", "import", *(tmp_path / f"{n}.csv" for n in ("ann", "bob", "cleo")))
    words += ("--tasks", task_file(tmp_path), "--out", out, "--rename", "Q (y/n)=bias")
    done = wikibias(*words)
    assert done.code == 1
    assert "cleo.csv: no column for bias, and none called 'Q (y/n)'; it has" in done.errors[-1]
    done = wikibias(*words, "--rename", "opinion=bias")
    assert done.code == 0
    assert "5 answers of 3 annotators to 2 of 4 tasks" in done.out


def test_where_only_hits_are_ticked_blank_has_to_be_told(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item,bias,comment\ns1,x,\ns2,,\ns3,,Why?\ns4,,\n")
    out = tmp_path / "answers.jsonl"
    words = ("annotate", "import", tmp_path / "s.csv", "--tasks", task_file(tmp_path))
    done = wikibias(*words, "--out", out)
    assert done.code == 0
    assert done.err.count("Warning") == 1
    assert "3 rows blank in bias; no answer. All others say biased" in done.err
    assert "1 answer of 1 annotator to 1 of 4 tasks" in done.out
    assert "Note: 1 comment without an answer; kept, and not counted." in done.out
    done = wikibias(*words, "--blank", "neutral", "--out", out, "--overwrite")
    assert (done.code, done.err) == (0, "")
    assert "Note: bias: read blank as neutral (2)." in done.out
    assert [row["bias"] for row in rows(out)] == ["biased", "neutral", None, "neutral"]
    (tmp_path / "s.csv").write_text("item,bias,comment\ns1,,\ns2,,Why?\n")
    done = wikibias(*words, "--out", out, "--overwrite")
    assert done.code == 1
    assert "column bias is blank in all 2 rows" in done.err
    assert done.errors[-1].endswith("the warnings above say why")


def test_says_in_a_line_what_is_wrong(tmp_path: Path) -> None:
    tasks, out = task_file(tmp_path), tmp_path / "answers.jsonl"
    (tmp_path / "s.csv").write_text("item,bias\ns9,yes\n")
    (tmp_path / "s.xlsx").write_bytes(b"PK\x03\x04")
    asked = ("--tasks", tasks, "--out", out)
    for words, code, said in (
        ((tmp_path / "s.csv",), 1, "no answer to any of the tasks"),
        ((tmp_path / "s.xlsx",), 1, "save it as CSV"),
        ((tmp_path / "s.csv", "--rename", "bias"), 2, "give OLD=NEW"),
        ((tmp_path / "s.csv", "--rename", "bias=item", "--rename", "bias=text"), 2, "OLD=NEW"),
        ((tmp_path / "s.csv", "--rename", "bias=item", "--rename", "item=item"), 2, "give one"),
        ((tmp_path / "s.csv", "--rename", "verdict=bias"), 2, "no sheet has a column 'verdict'"),
    ):
        done = wikibias("annotate", "import", *words, *asked)
        assert (done.code, len(done.errors)) == (code, 1)
        assert said in done.errors[0]
    out.write_text("mine")
    done = wikibias("annotate", "import", tmp_path / "s.csv", *asked)
    assert done.code == 2
    assert "add --overwrite" in done.errors[0]
    done = wikibias("annotate", "import", tmp_path / "s.csv", "--tasks", tasks, "--out", "a.xlsx")
    assert done.code == 2
    assert "the name must end in" in done.errors[0]
