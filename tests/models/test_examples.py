"""Labelled sentences: classes, overlaps of splits, and noisier ones to be learnt first."""

from pathlib import Path

import pytest

from sample_examples import as_examples
from wikibias.errors import WikibiasError
from wikibias.models.examples import (
    LABELS,
    Splits,
    warn_of_one_class,
    warn_of_overlap,
    without_known,
)
from wikibias.models.reading import read_files


def test_a_missing_class_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("biased\tone\nbiased\ttwo\n")
    with pytest.raises(WikibiasError, match=r"none of its 2 sentences is labelled neutral"):
        read_files({"train": path}, LABELS, print).train.need_both_labels()


def test_a_held_out_split_of_one_class_is_said(tsv: dict[str, Path]) -> None:
    lines = tsv["test"].read_text().splitlines(keepends=True)
    tsv["test"].write_text("".join(lines[::2]))
    said: list[str] = []
    splits = read_files(tsv, LABELS, print)
    warn_of_one_class(splits, said.append)
    all_of = f"{tsv['test']}: every one of its 40 sentences is biased"
    assert said == [f"{all_of}; MCC and ROC-AUC mean nothing there"]


def test_overlapping_splits_are_counted_with_the_first_place(tsv: dict[str, Path]) -> None:
    lines = tsv["train"].read_text().splitlines(keepends=True)
    tsv["test"].write_text(tsv["test"].read_text() + lines[4] + lines[9])
    said: list[str] = []
    warn_of_overlap(read_files(tsv, LABELS, print), said.append)
    assert len(said) == 1
    assert f"{tsv['test']} shares 2 sentences with {tsv['train']}" in said[0]
    assert f"(first: {tsv['test']}:81 = {tsv['train']}:5)" in said[0]


SPLITS = Splits(
    {
        "train": as_examples("train", [("biased", "One."), ("neutral", "Two.")]),
        "test": as_examples("test", [("biased", "Three, four!")]),
    }
)


def test_what_is_judged_by_is_not_learnt_first() -> None:
    first = as_examples("first", [("biased", "three four"), ("neutral", "Five."), ("biased", "6")])
    said: list[str] = []
    assert without_known(first, SPLITS, said.append).texts == ["Five.", "6"]
    assert said == ["first: left out 1 sentence that train, dev or test hold, too"]


def test_where_nothing_is_left_it_is_said() -> None:
    with pytest.raises(WikibiasError, match="first: every sentence of it is in train"):
        without_known(as_examples("first", [("biased", "ONE")]), SPLITS, print)
