"""Tests of blank cells in sheets: warned of, and filled in where it is said what they mean."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from exchange_tasks import BIAS, TASKS, TYPES
from wikibias.config.guidelines import Guidelines
from wikibias.errors import UsageError
from wikibias.research.annotation.exchange.blanks import Blanks
from wikibias.research.annotation.exchange.forms import read_answers_of
from wikibias.research.annotation.exchange.reading import Reading
from wikibias.research.annotation.exchange.rows import Answer
from wikibias.research.annotation.tasks import Task


def read(
    folder: Path,
    content: str,
    *,
    asked: Guidelines = BIAS,
    blank: str | None = None,
    tasks: list[Task] = TASKS,
) -> tuple[list[tuple[str, object]], Reading]:
    """Return item and answer of each row of a sheet of ann's, and the reading of it."""
    (folder / "ann.csv").write_text(content)
    found = Reading([task for task in tasks if task.kind != "practice"], asked, blank=blank)
    answers = read_answers_of(folder / "ann.csv", found, annotator=None, renames={})
    return [(a.item, a.values[asked.questions[0].name]) for a in answers], found


class TestWarnings:
    def test_one_label_and_blanks_may_mean_two_labels(self, tmp_path: Path) -> None:
        said, found = read(tmp_path, "item,bias,comment\ns1,x,\ns2,,\ns3,,Why?\ns4,x,\n")
        assert said == [("s1", "biased"), ("s3", None), ("s4", "biased")]
        assert found.warnings() == [
            f"{tmp_path / 'ann.csv'}: 2 rows blank in bias; no answer. All others say biased: "
            "if blank means neutral, say so with --blank neutral"
        ]

    def test_of_several_choices_blank_may_mean_none(self, tmp_path: Path) -> None:
        _, found = read(tmp_path, "item,bias_types\ns1,framing\ns2,\n", asked=TYPES)
        (line,) = found.warnings()
        assert "All others say framing: if blank means none, say so with --blank none" in line
        _, found = read(tmp_path, "item,bias_types\ns1,none\ns2,\n", asked=TYPES)
        (line,) = found.warnings()
        assert "framing or epistemological or demographic, say so with --blank LABEL" in line

    def test_two_labels_are_no_doubt(self, tmp_path: Path) -> None:
        _, found = read(tmp_path, "item,bias\ns1,x\ns2,no\ns3,\n")
        assert found.warnings() == [f"{tmp_path / 'ann.csv'}: 1 row blank in bias; no answer"]
        _, found = read(tmp_path, "item,bias\ns1,x\ns2,x\n,\n")
        assert found.warnings() == []

    def test_a_sheet_that_nobody_filled_in(self, tmp_path: Path) -> None:
        said, found = read(tmp_path, "item,text,bias\ns1,,\ns2,,\n")
        assert said == []
        assert found.warnings() == [
            f"{tmp_path / 'ann.csv'}: column bias is blank in all 2 rows; fill it in, or say with "
            "--blank LABEL what blank means"
        ]


class TestFilled:
    def test_blank_is_what_it_is_said_to_be(self, tmp_path: Path) -> None:
        content = "item,bias,comment\ns1,x,\ns2,,\ns3,,Why?\n,,\ns4,?,\n"
        said, found = read(tmp_path, content, blank="neutral")
        assert said == [("s1", "biased"), ("s2", "neutral"), ("s3", None), ("s4", "?")]
        assert not any("blank in" in line for line in found.warnings())
        assert "bias: read blank as neutral (1)" in found.notes()

    def test_none_of_several_choices(self, tmp_path: Path) -> None:
        content = "item,bias_types\ns1,framing\ns2,\n"
        said, _ = read(tmp_path, content, asked=TYPES, blank="none")
        assert said == [("s1", ["framing"]), ("s2", [])]

    def test_what_is_dealt_to_others_stays_blank(self, tmp_path: Path) -> None:
        content = "item,bias\ns1,x\ns2,\ns3,\n"
        deals = (("ann", "bob"), ("bob",), ("ann",))
        tasks = [replace(task, annotators=to) for task, to in zip(TASKS, deals, strict=False)]
        said, _ = read(tmp_path, content, blank="neutral", tasks=tasks)
        assert said == [("s1", "biased"), ("s2", None), ("s3", "neutral")]

    def test_an_unknown_choice_is_refused(self) -> None:
        with pytest.raises(UsageError, match=r"--blank netral: no .*; did you mean 'neutral'"):
            Blanks(TASKS, BIAS, "netral")
        with pytest.raises(UsageError, match="--blank none"):
            Blanks(TASKS, BIAS, "none")

    def test_an_answer_stays(self) -> None:
        answer = Answer("s1", "ann", {"bias": "biased"})
        assert Blanks(TASKS, BIAS, "neutral").filled(answer) == answer
