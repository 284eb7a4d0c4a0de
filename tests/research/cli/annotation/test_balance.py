"""Tests of `wikibias annotate balance`."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from sample_sentences import made_up
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.tables import read_table

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
    return Counter(zip(*(table.column(name) for name in columns), strict=True))


def test_balances_by_the_label(voted: Path, tmp_path: Path) -> None:
    out = tmp_path / "balanced.jsonl"
    done = wikibias(
        "annotate", "balance", voted, "--by", "outlet", "--label", "label", "--out", out
    )
    assert done.code == 0, done.err
    assert counts(out, "outlet", "label") == {
        ("Post", "biased"): 2,
        ("Post", "neutral"): 2,
        ("News", "biased"): 4,
        ("News", "neutral"): 4,
    }
    assert "left out 1 sentence without a label" in done.err
    assert "of one label only, so left out: Mail" in done.err
    again = tmp_path / "again.jsonl"
    asked = ("--by", "outlet", "--label", "label", "--out", again)
    assert wikibias("annotate", "balance", out, *asked).code == 0
    assert again.read_bytes() == out.read_bytes()


def test_takes_equally_many_of_each_stratum(voted: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks.csv"
    asked = ("--by", "outlet", "--prior", "label", "--equal-strata", "--out", out)
    assert wikibias("annotate", "balance", voted, *asked).code == 0
    assert set(counts(out, "outlet", "label").values()) == {2}


def test_estimates_by_a_model(tsv: dict[str, Path], voted: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    files = ("--train", tsv["train"], "--test", tsv["test"])
    trained = wikibias("classify", *files, "--model", "nb-lr", "--resamples", 20, "--out", model)
    assert trained.code == 0, trained.err
    rows = [{"outlet": "Post", "text": text} for _, text in made_up(80, 3)]
    write_rows(tmp_path / "pool.csv", rows)
    out = tmp_path / "tasks.csv"
    asked = ("--by", "outlet", "--prior-model", model, "--out", out, "-n", 20)
    done = wikibias("annotate", "balance", tmp_path / "pool.csv", *asked)
    assert done.code == 0, done.err
    with out.open(newline="") as stream:
        priors = [float(row["prior"]) for row in csv.DictReader(stream)]
    assert (len(priors), sum(prior > 0.5 for prior in priors)) == (20, 10)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ((), "give one of --label, --prior and --prior-model"),
        (("--label", "label", "--prior", "label"), "give one of"),
        (("--label", "lable"), "no column 'lable'; did you mean 'label'"),
        (("--label", "text"), "is no known label and no probability"),
        (("--label", "label", "--equal-strata", "-n", 2), "too few for one sentence"),
    ],
)
def test_says_what_is_wrong(
    voted: Path, tmp_path: Path, asked: tuple[object, ...], message: str
) -> None:
    out = ("--out", tmp_path / "out.csv")
    done = wikibias("annotate", "balance", voted, "--by", "outlet", *asked, *out)
    assert done.code in (1, 2)
    assert message in done.err


def test_refuses_a_name_that_is_no_table_before_it_estimates(voted: Path, tmp_path: Path) -> None:
    asked = ("--by", "outlet", "--prior-model", tmp_path, "--out", tmp_path / "out.xlsx")
    done = wikibias("annotate", "balance", voted, *asked)
    assert done.code == 2
    assert "must end in .jsonl, .csv or .tsv" in done.err


def test_finds_nothing_to_take_from_anno_lexical(shared: Path, tmp_path: Path) -> None:
    folder = shared / "annotation"
    with (folder / "anno_lexical_outlets.csv").open(newline="") as stream:
        lean = {row["source_name"]: row["lean"] for row in csv.DictReader(stream)}
    rows = []
    for split in ("train", "dev", "test"):
        table = read_table(folder / f"anno_lexical_{split}.parquet")
        pairs = zip(table.column("source_name"), table.column("label"), strict=True)
        rows += [{"lean": lean[name], "label": label} for name, label in pairs]
    write_rows(tmp_path / "all.csv", rows)
    out = tmp_path / "balanced.csv"
    asked = ("--by", "lean", "--label", "label", "--out", out)
    assert wikibias("annotate", "balance", tmp_path / "all.csv", *asked).code == 0
    assert out.read_bytes() == (tmp_path / "all.csv").read_bytes()
    expected = json.loads((folder / "expected.json").read_text())["anno_lexical"]
    found = counts(out, "lean", "label")
    assert found.total() == 48330
    for name, (neutral, biased) in expected["balance_per_lean"].items():
        assert (found[name, "0"], found[name, "1"]) == (neutral, biased)
