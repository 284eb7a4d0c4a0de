"""What a corpus folder, an export of one, and files give to learn from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from wikibias.errors import WikibiasError
from wikibias.models.examples import LABELS, Splits
from wikibias.models.reading import read_corpus, read_files, result_folder


def test_a_corpus_directory_knows_pages_edits_and_language(corpus: Path) -> None:
    splits = read_corpus(corpus, pytest.fail)
    assert list(splits.by_name) == ["train", "dev", "test"]
    assert splits.lang == "en"
    assert splits.train.edits is not None
    assert len(set(splits.train.edits.tolist())) == 60
    assert not splits.train.texts[0].endswith(".")  # the normalised form, not the reader's


def test_an_empty_dev_of_a_tiny_corpus_is_said_and_left_out(corpus: Path) -> None:
    path = corpus / "corpus" / "dev.parquet"
    pd.read_parquet(path).iloc[:0].to_parquet(path)
    said: list[str] = []
    assert list(read_corpus(corpus, said.append).by_name) == ["train", "test"]
    (line,) = said
    assert line.startswith(
        f"{corpus / 'corpus'}: dev empty, so there is nothing to evaluate on; give "
    )
    assert line.endswith(f"wikibias build --restart --split sentence {corpus}")


def test_a_folder_without_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="no sentences to train on"):
        read_corpus(tmp_path, pytest.fail)
    (tmp_path / "labelled").mkdir()
    for folder in (tmp_path, tmp_path / "labelled"):
        with pytest.raises(WikibiasError, match="wikibias classify --task labels"):
            read_corpus(folder, pytest.fail)


def test_a_table_without_a_column(corpus: Path) -> None:
    path = corpus / "corpus" / "test.parquet"
    pd.read_parquet(path).drop(columns="role").to_parquet(path)
    with pytest.raises(WikibiasError, match="no column 'role'"):
        read_corpus(corpus, pytest.fail)


def test_a_damaged_table(corpus: Path) -> None:
    path = corpus / "corpus" / "test.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(WikibiasError, match="not a Parquet file"):
        read_corpus(corpus, pytest.fail)


@pytest.mark.parametrize("wrong", ["x", None, [1]])
def test_ids_that_are_no_numbers(wrong: Any, corpus: Path) -> None:
    """As in a corpus of somebody else's."""
    path = corpus / "corpus" / "train.parquet"
    table = pd.read_parquet(path)
    table.assign(page_id=[wrong] * len(table)).to_parquet(path)
    with pytest.raises(WikibiasError, match="page_id is no number"):
        read_corpus(corpus, print)


@pytest.mark.parametrize("text", ["[" * 100_000, ""])
def test_a_manifest_that_is_none(text: str, corpus: Path) -> None:
    (corpus / "manifest.json").write_text(text)
    with pytest.raises(WikibiasError, match="not a manifest that can be read"):
        read_corpus(corpus, print)


def sizes(splits: Splits) -> dict[str, int]:
    return {name: len(part) for name, part in splits.by_name.items()}


def test_a_corpus_names_its_sentences_and_says_what_it_is(corpus: Path) -> None:
    path = corpus / "corpus" / "test.parquet"
    pd.read_parquet(path).assign(diff_url="https://a.example/?diff=1").to_parquet(path)
    said: dict[str, Any] = {
        "lang": "en",
        "settings": {"detect": {"tagset": "npov", "pairing": ["removal-edit"]}},
    }
    said |= {"inputs": [{"wiki": "demoenwiki"}, {"wiki": "demoenwiki"}]}
    (corpus / "manifest.json").write_text(json.dumps(said))
    found = read_corpus(corpus, pytest.fail)
    assert found.corpus == {
        "wiki": "demoenwiki",
        "language": "en",
        "tag set": "npov",
        "pairing": "removal-edit",
        "dump files": "2",
    }
    test = found.by_name["test"]
    assert test.ids is not None
    assert test.ids[3] == "test-3"
    assert set(test.urls or ()) == {"https://a.example/?diff=1"}
    assert found.train.urls is None
    assert test.normalised


@pytest.mark.parametrize("settings", [None, [], {"detect": 1}, {"detect": {"pairing": {}}}])
def test_a_manifest_of_another_form_says_less(settings: Any, corpus: Path) -> None:
    said = {"lang": 3, "settings": settings, "inputs": ["x", {"wiki": None}]}
    (corpus / "manifest.json").write_text(json.dumps(said))
    found = read_corpus(corpus, pytest.fail)
    assert found.lang is None
    assert "tag set" not in found.corpus


def test_the_corpus_inside_of_a_result_is_that_of_the_result(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = read_corpus(corpus / "corpus", pytest.fail)
    assert (inner.lang, sizes(inner)) == ("en", {"train": 240, "dev": 80, "test": 80})
    assert result_folder(corpus / "corpus") == corpus
    assert result_folder(corpus) == corpus
    monkeypatch.chdir(corpus / "corpus")
    assert result_folder(Path()).resolve() == corpus
    # Without a manifest above it is a folder of its own.
    (corpus / "manifest.json").unlink()
    assert result_folder(corpus / "corpus") == corpus / "corpus"


FORMS = ("parquet", "jsonl", "csv")


def write(table: pd.DataFrame, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        table.to_parquet(path)
    elif path.suffix == ".jsonl":
        table.to_json(path, orient="records", lines=True, force_ascii=False)
    elif path.suffix == ".csv":
        table.to_csv(path, index=False)
    else:
        mark = "__label__{} {}\n" if path.suffix == ".txt" else "{}\t{}\n"
        rows = zip(table["label"], table["norm"], strict=True)
        path.write_text("".join(mark.format(*row) for row in rows))
    return path


@pytest.mark.parametrize("form", [*FORMS, "tsv", "txt"])
def test_a_file_for_each_split(form: str, corpus: Path, tmp_path: Path) -> None:
    tables = {n: pd.read_parquet(corpus / f"corpus/{n}.parquet") for n in ("test", "train")}
    paths = {name: write(table, tmp_path / f"x/{name}.{form}") for name, table in tables.items()}
    found = read_files(paths, LABELS, pytest.fail)
    assert sizes(found) == {"train": 240, "test": 80}
    assert found.by_name["test"].texts == [*tables["test"]["norm"]]
    assert found.by_name["test"].biased.tolist() == [*(tables["test"]["label"] == "biased")]
    assert sizes(read_corpus(tmp_path / "x", pytest.fail)) == {"train": 240, "test": 80}


@pytest.mark.parametrize("form", FORMS)
def test_one_file_with_all_splits(form: str, corpus: Path, tmp_path: Path) -> None:
    tables = [pd.read_parquet(corpus / f"corpus/{n}.parquet") for n in ("test", "train", "dev")]
    whole = pd.concat(tables).replace({"split": {"dev": "validation"}})
    path = write(whole, tmp_path / f"all.{form}")
    found = read_files({"train": path}, LABELS, pytest.fail)
    assert sizes(found) == {"train": 240, "dev": 80, "test": 80}
    assert found.by_name["dev"].ids is not None
    assert found.by_name["dev"].pages is not None
    with pytest.raises(WikibiasError, match="give it alone, or files of a split each"):
        read_files({"train": path, "test": path}, LABELS, pytest.fail)


def test_folders_as_datasets_names_their_files(corpus: Path, tmp_path: Path) -> None:
    for ours, theirs in (("train", "train"), ("dev", "validation"), ("test", "test")):
        table = pd.read_parquet(corpus / f"corpus/{ours}.parquet")
        write(table, tmp_path / f"x/sentences/{theirs}-00000-of-00001.parquet")
        write(table.iloc[:3], tmp_path / f"x/pairs/{theirs}-00000-of-00001.parquet")
    assert sizes(read_corpus(tmp_path / "x", pytest.fail)) == {"train": 240, "dev": 80, "test": 80}
