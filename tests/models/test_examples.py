from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from paths import CASES
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.examples import (
    LONGEST,
    Splits,
    parse_labels,
    read_corpus,
    read_tsv,
    warn_of_one_class,
    warn_of_overlap,
)

FILES = tomllib.loads((CASES / "bad_sentence_files.toml").read_text("utf-8"))


@pytest.mark.parametrize("case", FILES["case"], ids=lambda case: case["name"])
def test_bad_input_is_named_with_its_line(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(case["content"].encode(case.get("encoding", "utf-8")))
    said: list[str] = []
    if "error" in case:
        with pytest.raises(WikibiasError) as caught:
            read_tsv(path, warn=said.append)
        assert case["error"].replace("FILE", str(path)) in str(caught.value)
        return
    assert len(read_tsv(path, warn=said.append)) == case["sentences"]
    wanted = [case["warning"].replace("FILE", str(path))] if "warning" in case else []
    assert said == wanted


def test_a_line_of_a_megabyte_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("biased\tone\nneutral\t" + "x" * 1_000_000 + "\nneutral\ttwo\n")
    said: list[str] = []
    assert read_tsv(path, warn=said.append).texts == ["one", "two"]
    assert said == [f"{path}:2: left out 1 line longer than {LONGEST:,} characters"]


def test_other_names_of_the_labels(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("rem\tone\nadd\ttwo\n")
    assert read_tsv(path, parse_labels("rem=biased,add=neutral")).biased.tolist() == [True, False]


@pytest.mark.parametrize("given", ["rem", "rem=biased", "rem=baised,add=neutral", "=biased"])
def test_labels_that_make_no_sense(given: str) -> None:
    with pytest.raises(UsageError, match="--labels"):
        parse_labels(given)


def test_a_missing_class_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("biased\tone\nbiased\ttwo\n")
    with pytest.raises(WikibiasError, match=r"none of its 2 sentences is labelled neutral"):
        read_tsv(path).need_both_labels()


def test_a_held_out_split_of_one_class_is_said(tsv: dict[str, Path]) -> None:
    lines = tsv["test"].read_text().splitlines(keepends=True)
    tsv["test"].write_text("".join(lines[::2]))
    said: list[str] = []
    splits = Splits({name: read_tsv(path) for name, path in tsv.items()})
    warn_of_one_class(splits, said.append)
    all_of = f"{tsv['test']}: every one of its 40 sentences is biased"
    assert said == [f"{all_of}; MCC and ROC-AUC mean nothing there"]


def test_overlapping_splits_are_counted_with_the_first_place(tsv: dict[str, Path]) -> None:
    lines = tsv["train"].read_text().splitlines(keepends=True)
    tsv["test"].write_text(tsv["test"].read_text() + lines[4] + lines[9])
    said: list[str] = []
    warn_of_overlap(Splits({name: read_tsv(path) for name, path in tsv.items()}), said.append)
    assert len(said) == 1
    assert f"{tsv['test']} shares 2 sentences with {tsv['train']}" in said[0]
    assert f"(first: {tsv['test']}:81 = {tsv['train']}:5)" in said[0]


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


def test_a_line_without_end_is_not_gathered(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(b"biased\tone\nneutral\t" + b"x" * 10_000_001)
    with pytest.raises(WikibiasError, match=r"x\.tsv:2: longer than 10 MB"):
        read_tsv(path)
