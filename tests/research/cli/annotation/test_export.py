"""`wikibias annotate export`: tasks that other programs read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from exchange_tasks import TASKS, task_file
from exports import wikibias
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.tables import read_table
from wikibias.research.annotation.tasks import as_row


def test_a_sheet_goes_out_with_what_may_stand_in_it(tmp_path: Path) -> None:
    out = tmp_path / "sheet.csv"
    done = wikibias("annotate", "export", task_file(tmp_path), "--to", "csv", "--out", out)
    assert done.code == 0
    assert "4 tasks" in done.out
    assert "Note: 1 task to practise with left out." in done.out
    assert "Note: to fill in bias: biased, neutral." in done.out
    assert f"Next: wikibias annotate import {out} --tasks" in done.out
    assert out.exists()


def test_label_studio_gets_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "ls"
    done = wikibias(
        *("annotate", "export", task_file(tmp_path), "--to", "label-studio"),
        *("--guidelines", "bias-types", "--out", out),
    )
    assert done.code == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "export.json",
        "instructions.html",
        "labels.xml",
        "tasks.json",
    ]
    assert "--guidelines bias-types --out answers.jsonl" in done.out


def test_the_deal_of_a_sample_is_kept(tmp_path: Path) -> None:
    deals = (("mila", "chloé"), ("mila",), ("chloé",), ("mila",), ())
    tasks = [as_row(replace(t, annotators=to)) for t, to in zip(TASKS, deals, strict=True)]
    write_rows(tmp_path / "tasks.jsonl", tasks)
    words = ("annotate", "export", tmp_path / "tasks.jsonl", "--to")
    done = wikibias(*words, "csv", "--out", tmp_path / "all.csv")
    assert "4 tasks" in done.out
    assert "Note: dealt to mila, chloé, and written for all together; --annotator NAME" in done.out
    done = wikibias(*words, "csv", "--annotator", "chloé", "--out", tmp_path / "c.csv")
    assert done.code == 0
    assert "2 tasks" in done.out
    assert "dealt" not in done.out
    sheet = read_table(tmp_path / "c.csv")
    assert sheet.column("item") == ["s1", "s3"]
    assert sheet.column("annotator") == ["chloé", "chloé"]
    done = wikibias(*words, "label-studio", "--annotator", "mila", "--out", tmp_path / "ls")
    assert "3 tasks" in done.out
    assert "s3" not in (tmp_path / "ls" / "tasks.json").read_text()
    done = wikibias(*words, "csv", "--annotator", "chloe", "--out", tmp_path / "d.csv")
    assert done.code == 2
    assert "no task is for 'chloe'; did you mean 'chloé'? Known: chloé, mila" in done.errors[0]


def test_a_spreadsheet_cannot_hold_marks(tmp_path: Path) -> None:
    done = wikibias(
        *("annotate", "export", task_file(tmp_path), "--to", "csv"),
        *("--guidelines", "bias-types", "--out", tmp_path / "s.csv"),
    )
    assert "words cannot be marked in a spreadsheet" in done.out


def test_unknown_guidelines_and_a_sheet_that_is_there(tmp_path: Path) -> None:
    words = ("annotate", "export", task_file(tmp_path), "--to", "csv", "--out", tmp_path / "s.csv")
    done = wikibias(*words, "--guidelines", "bais")
    assert done.code == 2
    assert "did you mean 'bias'" in done.errors[0]
    assert wikibias(*words).code == 0
    done = wikibias(*words)
    assert done.code == 2
    assert "may hold answers" in done.errors[0]
