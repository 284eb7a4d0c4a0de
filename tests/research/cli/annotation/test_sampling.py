"""Tests of `wikibias annotate sample`."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exports import export, wikibias
from made_edits import corpus
from wikibias.kits.tables import write_rows
from wikibias.research.annotation import samples
from wikibias.research.annotation.tasks import column, read_table, read_tasks
from wikibias.research.cli.annotation.labelling import PAPER_BINS


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_writes_a_task_file(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"tasks{ending}"
    done = wikibias("annotate", "sample", corpus(), "-n", 30, "--out", out).well()
    assert "30 sentences, 3 controls, 3 repeats" in done.out
    assert " bin=7-15              1      1       1.0000" in done.out
    tasks = read_tasks(out)
    assert len(tasks) == 36
    assert all(task.probability for task in tasks if task.kind == "sample")


def test_the_bins_are_those_of_the_paper() -> None:
    assert PAPER_BINS == samples.PAPER_BINS


def test_deals_sentences_to_annotators(tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    options = ("--annotators", "ann,bob", "--shared", "10", "--controls", 0, "--repeats", 0)
    done = wikibias("annotate", "sample", corpus(), "-n", 50, *options, "--out", out)
    assert "ann: 30 tasks, 10 of them for all." in done.out
    assert sum(len(task.annotators) == 2 for task in read_tasks(out)) == 10


def test_warns_of_annotators_without_tasks(tmp_path: Path) -> None:
    words = ("--controls", 0, "--repeats", 0, "--out", tmp_path / "t.jsonl", "--overwrite")
    few = wikibias("annotate", "sample", corpus(), "-n", 2, "--annotators", 3, *words).well()
    assert few.err.splitlines() == [
        "Warning: nothing is dealt to ann3; give a larger -n, or fewer --annotators",
        "Warning: no sentence is for all annotators, so that nobody can say how far they "
        "agree; give a larger -n, or --shared N",
    ]
    for names in (1, 3):
        found = wikibias("annotate", "sample", corpus(), "--annotators", names, *words)
        assert found.err == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bins", "2-1"), "--bins: 2-1 holds no number"),
        (("--shared", "24"), "add --annotators N"),
        (("--annotators", "ann,ann"), "give each name once"),
        (("--annotators", "ann|bob"), "no |"),
        (("--annotators", "0"), "from 1 to 1000"),
        (("-n", "1"), "-n 1 is fewer than the 2 strata"),
        (("--out", "t.xlsx"), "must end in .jsonl, .csv or .tsv"),
    ],
)
def test_sample_says_what_is_wrong(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    out = () if "--out" in options else ("--out", tmp_path / "t.jsonl")
    wikibias("annotate", "sample", corpus(), *options, *out).refused(said)


def test_does_not_replace_a_file_unasked(tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    out.write_text("mine")
    asked = ("annotate", "sample", corpus(), "--out", out)
    wikibias(*asked).refused("--overwrite")
    assert out.read_text() == "mine"
    wikibias(*asked, "--overwrite").well()


def test_draws_as_many_as_an_interval_takes(tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    done = wikibias("annotate", "sample", corpus(), "--width", 0.2, "--out", out)
    assert "40 sentences give an interval of 0.195 over the corpus with 48% judged" in done.out
    assert "40 sentences, 4 controls, 4 repeats" in done.out


def test_an_empty_corpus_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(export([]))
    folder = tmp_path / "o"
    wikibias("extract", "-q", "--lang", "en", "-o", folder, tmp_path / "a.xml")
    for words in ((folder,), (folder, "--bins", "1-")):
        done = wikibias("annotate", "sample", *words, "--out", tmp_path / "t.jsonl")
        assert done.refused() == (
            f"Error: {folder}: the corpus is empty; `wikibias status {folder}` says what to try"
        )


ROWS: list[dict[str, Any]] = [
    *({"outlet": "Post", "text": f"A fine mill {n}.", "label": "biased"} for n in range(2)),
    *({"outlet": "Post", "text": f"A mill {n}.", "label": "neutral"} for n in range(6)),
    *({"outlet": "News", "text": f"A grand dam {n}.", "label": "biased"} for n in range(4)),
    *({"outlet": "News", "text": f"A dam {n}.", "label": "neutral"} for n in range(4)),
    {"outlet": "News", "text": "A dam.", "label": "?"},
    {"outlet": "Mail", "text": "A dam.", "label": "neutral"},
]


@pytest.fixture
def voted(tmp_path: Path) -> Path:
    write_rows(tmp_path / "voted.csv", ROWS)
    return tmp_path / "voted.csv"


def counts(path: Path, *columns: str) -> Counter[tuple[Any, ...]]:
    table = read_table(path)
    return Counter(zip(*(column(table, name) for name in columns), strict=True))


BY_OUTLET = ("--by", "outlet", "--label", "label", "--out")


def test_balances_by_the_label(voted: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "balanced.jsonl", tmp_path / "again.jsonl"
    done = wikibias("annotate", "balance", voted, *BY_OUTLET, out).well()
    numbers = {"Post": 2, "News": 4}
    assert counts(out, "outlet", "label") == {
        (outlet, label): n for outlet, n in numbers.items() for label in ("biased", "neutral")
    }
    assert "left out 1 sentence without a label" in done.err
    assert "of one label only, so left out: Mail" in done.err
    wikibias("annotate", "balance", out, *BY_OUTLET, again).well()
    assert again.read_bytes() == out.read_bytes()


def test_takes_equally_many_of_each_stratum(voted: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks.csv"
    wikibias("annotate", "balance", voted, *BY_OUTLET, out, "--equal-strata").well()
    assert set(counts(out, "outlet", "label").values()) == {2}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ((), "--label"),
        (("--label", "lable"), "no column 'lable'; did you mean 'label'"),
        (("--label", "text"), "is no known label and no probability"),
    ],
)
def test_wrong_options(
    voted: Path, tmp_path: Path, asked: tuple[object, ...], message: str
) -> None:
    out = ("--out", tmp_path / "out.csv")
    done = wikibias("annotate", "balance", voted, "--by", "outlet", *asked, *out)
    assert done.code in (1, 2)
    assert message in done.err


def test_finds_nothing_to_take_from_anno_lexical(shared: Path, tmp_path: Path) -> None:
    folder = shared / "annotation"
    with (folder / "anno_lexical_outlets.csv").open(newline="") as stream:
        lean = {row["source_name"]: row["lean"] for row in csv.DictReader(stream)}
    rows = []
    for split in ("train", "dev", "test"):
        table = read_table(folder / f"anno_lexical_{split}.parquet")
        pairs = zip(table["source_name"], table["label"], strict=True)
        rows += [{"lean": lean[name], "label": label} for name, label in pairs]
    write_rows(tmp_path / "all.csv", rows)
    out = tmp_path / "balanced.csv"
    asked = ("--by", "lean", "--label", "label", "--out", out)
    wikibias("annotate", "balance", tmp_path / "all.csv", *asked).well()
    assert out.read_bytes() == (tmp_path / "all.csv").read_bytes()
    expected = json.loads((folder / "expected.json").read_text())["anno_lexical"]
    found = counts(out, "lean", "label")
    assert found.total() == 48330
    for name, (neutral, biased) in expected["balance_per_lean"].items():
        assert (found[name, "0"], found[name, "1"]) == (neutral, biased)
