"""Tests of a corpus whose labels come from annotators."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from made_edits import corpus
from wikibias.api.corpora import load_corpus
from wikibias.errors import WikibiasError
from wikibias.kits.parquet import read_table
from wikibias.models.reading import read_corpus
from wikibias.research.annotation.population import build_judged
from wikibias.research.annotation.votes import Votes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the English sample corpus."""
    shutil.copytree(corpus(), tmp_path / "en")
    return tmp_path / "en"


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of all splits of a table."""
    return [
        dict(row)
        for split in ("train", "dev", "test")
        for row in read_table(folder / table / f"{split}.parquet")
    ]


def ids(folder: Path) -> list[str]:
    return [str(name) for name in load_corpus(folder)["sentence_id"]]


def test_labels_are_those_of_most_annotators(folder: Path) -> None:
    names = ids(folder)
    found = {names[0]: Votes(0, 2), names[1]: Votes(2, 1)}
    made = build_judged(folder, found, "3 annotators")
    assert (made.biased, made.neutral) == (1, 1)
    labels = {row["sentence_id"]: row["label"] for row in rows(folder, "judged")}
    assert labels == {names[0]: "neutral", names[1]: "biased"}
    lines = (folder / "judged" / "votes.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"sentence_id": names[0], "label": "neutral", "biased": 0, "neutral": 2},
        {"sentence_id": names[1], "label": "biased", "biased": 2, "neutral": 1},
    ]
    assert "3 annotators" in (folder / "judged" / "README.md").read_text()


def test_counts_what_it_leaves_out(folder: Path) -> None:
    names = ids(folder)
    found = {names[0]: Votes(1, 0), names[1]: Votes(1, 1), names[2]: Votes(0, 0)}
    found |= {"elsewhere": Votes(1, 0), "control": Votes(0, 1)}
    made = build_judged(folder, found, "2 annotators", {"control", "not judged", names[0]})
    assert list(made.left_out.values()) == [1, 1, 1, 1]


def test_each_sentence_keeps_its_split_and_its_provenance(folder: Path) -> None:
    whole = load_corpus(folder)
    found = {str(name): Votes(1, 0) for name in whole["sentence_id"]}
    made = build_judged(folder, found, "1 annotator")
    assert dict(made.splits) == whole["split"].value_counts().to_dict()
    assert made.changed == (whole["label"] == "neutral").sum()
    before = rows(folder, "corpus")
    assert [{**row, "label": "biased"} for row in before] == rows(folder, "judged")


def test_classify_reads_it(folder: Path) -> None:
    found = {name: Votes(place % 2, 1 - place % 2) for place, name in enumerate(ids(folder))}
    build_judged(folder, found, "1 annotator")
    assert len(read_corpus(folder / "judged", print).train) == 112


def test_refuses_labels_of_other_sentences(folder: Path) -> None:
    with pytest.raises(WikibiasError, match="none of the 1 judged sentence has a label"):
        build_judged(folder, {"elsewhere": Votes(1, 0)}, "1 annotator")
    assert not (folder / "judged").exists()
