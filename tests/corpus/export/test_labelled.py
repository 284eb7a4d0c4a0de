"""A corpus with several labels in the forms that other programs read."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import rows, wikibias
from tagged_sentences import write_dump


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the result of a dump with inline tags."""
    folder = tmp_path_factory.mktemp("labelled")
    dump = write_dump(folder / "dump.xml")
    words = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")
    done = wikibias("extract", *words, "--labels", "tags", "-o", folder / "out", dump)
    assert done.code == 0
    return folder / "out"


def exported(made: Path, form: str, out: Path) -> Path:
    done = wikibias("export", "--format", form, "--out", out, made / "labelled")
    assert done.code == 0, done.err
    return out


def test_json_lines_hold_all_columns(made: Path, tmp_path: Path) -> None:
    out = exported(made, "jsonl", tmp_path / "out")
    lines = [
        json.loads(line)
        for split in ("train", "dev", "test")
        for line in (out / f"{split}.jsonl").read_text().splitlines()
    ]
    found = {row["sentence_id"]: row for row in rows(made, "labelled")}
    assert len(lines) == len(found)
    for line in lines:
        assert line["labels"] == found[line["sentence_id"]]["labels"]
        assert line["judged"] == found[line["sentence_id"]]["judged"]


def test_a_sheet(made: Path, tmp_path: Path) -> None:
    out = exported(made, "csv", tmp_path / "out")
    with (out / "train.csv").open(encoding="utf-8-sig", newline="") as sheet:
        first = next(csv.DictReader(sheet))
    assert json.loads(first["judged"])
    assert "days_stood" in first


def test_what_datasets_reads(made: Path, tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    out = exported(made, "hf", tmp_path / "out")
    schema = pq.read_schema(out / "train.parquet")
    assert str(schema.field("relation").type) == "int64"
    # An intent may have any name.
    assert str(schema.field("signal").type) == "string"
    assert "config_name: labelled" in (out / "README.md").read_text()


def test_what_tone_check_is_trained_on(made: Path, tmp_path: Path) -> None:
    out = exported(made, "tone-check", tmp_path / "out")
    lines = [json.loads(line) for line in (out / "train.jsonl").read_text().splitlines()]
    assert {tuple(line) for line in lines} == {("lang", "page_title", "text", "label")}
    tone = {row["text"]: "weasel" in row["labels"] for row in rows(made, "labelled")}
    assert {line["text"]: bool(line["label"]) for line in lines}.items() <= tone.items()
    assert {line["label"] for line in lines} == {0, 1}
    assert lines[0]["lang"] == "en"


def test_tone_check_of_two_classes(made: Path, tmp_path: Path) -> None:
    done = wikibias("export", "--format", "tone-check", "--out", tmp_path / "out", made)
    assert done.code == 0
    lines = [json.loads(x) for x in (tmp_path / "out/train.jsonl").read_text().splitlines()]
    biased = {row["text"]: row["label"] == "biased" for row in rows(made, "corpus")}
    assert lines
    assert all(biased[line["text"]] == bool(line["label"]) for line in lines)


def test_beside_the_corpus_where_nothing_is_said(made: Path) -> None:
    done = wikibias("export", "--format", "jsonl", made / "labelled")
    assert done.code == 0
    assert done.out.strip().endswith("export/labelled-jsonl")


def test_what_cannot_be(made: Path, tmp_path: Path) -> None:
    for form in ("fasttext", "wnc"):
        refused = wikibias("export", "--format", form, made / "labelled")
        assert (refused.code, len(refused.err.splitlines())) == (2, 1)
        assert f"of several labels there is no form {form}; choose hf" in refused.err
    dump = write_dump(tmp_path / "dump.xml", pages=2)
    words = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")
    out = tmp_path / "out"
    assert wikibias("extract", *words, "-o", out, dump).code == 0
    (out / "labelled").mkdir()
    refused = wikibias("export", "--format", "jsonl", out / "labelled")
    assert refused.code == 2
    assert "build --labels" in refused.err
    for table in (out / "corpus").iterdir():
        table.unlink()
    refused = wikibias("export", "--format", "jsonl", out)
    assert refused.code == 2
    assert f"run `wikibias export --format jsonl {out / 'labelled'}`" in refused.err
    labels = ("--family", "citation", "--labels", "tags")
    assert wikibias("extract", *words, *labels, "-o", tmp_path / "two", dump).code == 0
    refused = wikibias("export", "--format", "tone-check", tmp_path / "two" / "labelled")
    assert refused.code == 2
    assert "is about tone" in refused.err
