"""Tests of `wikibias annotate sample`."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import wikibias
from sample_corpora import corpus
from wikibias.research.annotation import samples
from wikibias.research.annotation.tasks import read_tasks
from wikibias.research.cli.annotation.sampling import PAPER_BINS


class TestSample:
    @pytest.mark.parametrize("ending", [".jsonl", ".csv"])
    def test_writes_a_task_file(self, tmp_path: Path, ending: str) -> None:
        out = tmp_path / f"tasks{ending}"
        done = wikibias("annotate", "sample", corpus(), "-n", 30, "--out", out)
        assert done.code == 0, done.err
        assert "30 sentences, 3 controls, 3 repeats" in done.out
        assert "All there are, where 15 were wished: bin=7-15 1." in done.out
        assert "bin=16-: no sentence of the corpus." in done.out
        tasks = read_tasks(out)
        assert len(tasks) == 36
        assert all(task.probability for task in tasks if task.kind == "sample")

    def test_the_bins_are_those_of_the_paper(self) -> None:
        assert PAPER_BINS == samples.PAPER_BINS

    def test_the_same_seed_gives_the_same_bytes(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            wikibias("annotate", "sample", corpus(), "-n", 20, "--out", tmp_path / f"{name}.jsonl")
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()

    def test_deals_sentences_to_annotators(self, tmp_path: Path) -> None:
        out = tmp_path / "t.jsonl"
        options = ("--annotators", "ann,bob", "--shared", "10", "--controls", 0, "--repeats", 0)
        done = wikibias("annotate", "sample", corpus(), "-n", 50, *options, "--out", out)
        assert "ann: 30 tasks, 10 of them for all." in done.out
        assert sum(len(task.annotators) == 2 for task in read_tasks(out)) == 10

    def test_warns_of_annotators_without_tasks(self, tmp_path: Path) -> None:
        words = ("--controls", 0, "--repeats", 0, "--out", tmp_path / "t.jsonl", "--overwrite")
        few = wikibias("annotate", "sample", corpus(), "-n", 2, "--annotators", 3, *words)
        assert few.code == 0
        assert few.err.splitlines() == [
            "Warning: nothing is dealt to ann3; give a larger -n, or fewer --annotators",
            "Warning: no sentence is for all annotators, so that nobody can say how far they "
            "agree; give a larger -n, or --shared N",
        ]
        for names in (1, 3):
            found = wikibias("annotate", "sample", corpus(), "--annotators", names, *words)
            assert found.err == ""

    def test_parts_several_corpora_by_language(self, tmp_path: Path) -> None:
        folders = (corpus(), corpus("fr"))
        out = tmp_path / "t.jsonl"
        done = wikibias("annotate", "sample", *folders, "--by", "language", "-n", 20, "--out", out)
        assert done.code == 0, done.err
        assert {task.language for task in read_tasks(out)} == {"en", "fr"}

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (("--bins", "2-1"), "--bins: 2-1 holds no number"),
            (("--shared", "24%"), "add --annotators N"),
            (("--annotators", "ann,ann"), "give each name once"),
            (("--annotators", "ann|bob"), "no |"),
            (("--annotators", "0"), "from 1 to 1000"),
            (("-n", "1"), "-n 1 is fewer than the 2 strata"),
            (("--out", "t.xlsx"), "must end in .jsonl, .csv or .tsv"),
        ],
    )
    def test_says_in_a_line_what_is_wrong(
        self, tmp_path: Path, options: tuple[str, ...], said: str
    ) -> None:
        out = () if "--out" in options else ("--out", tmp_path / "t.jsonl")
        done = wikibias("annotate", "sample", corpus(), *options, *out)
        assert done.code == 2
        (line,) = done.err.splitlines()
        assert said in line

    def test_does_not_replace_a_file_unasked(self, tmp_path: Path) -> None:
        out = tmp_path / "t.jsonl"
        out.write_text("mine")
        done = wikibias("annotate", "sample", corpus(), "--out", out)
        assert (done.code, out.read_text()) == (2, "mine")
        assert "--overwrite" in done.err
        assert wikibias("annotate", "sample", corpus(), "--out", out, "--overwrite").code == 0
