"""Labelled sentences: classes, overlaps of splits, sentence pairs, and what is learnt first."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from sample_sentences import as_examples
from wikibias.errors import WikibiasError
from wikibias.models import examples
from wikibias.models.reading import read_files


def test_a_missing_class_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("biased\tone\nbiased\ttwo\n")
    with pytest.raises(WikibiasError, match=r"none of its 2 sentences is labelled neutral"):
        read_files({"train": path}, examples.LABELS, print).train.need_both_labels()


def test_a_held_out_split_of_one_class_is_said(tsv: dict[str, Path]) -> None:
    lines = tsv["test"].read_text().splitlines(keepends=True)
    tsv["test"].write_text("".join(lines[::2]))
    said: list[str] = []
    splits = read_files(tsv, examples.LABELS, print)
    examples.warn_of_one_class(splits, said.append)
    all_of = f"{tsv['test']}: every one of its 40 sentences is biased"
    assert said == [f"{all_of}; MCC and ROC-AUC mean nothing there"]


def test_overlapping_splits_are_counted_with_the_first_place(tsv: dict[str, Path]) -> None:
    lines = tsv["train"].read_text().splitlines(keepends=True)
    tsv["test"].write_text(tsv["test"].read_text() + lines[4] + lines[9])
    said: list[str] = []
    examples.warn_of_overlap(read_files(tsv, examples.LABELS, print), said.append)
    assert len(said) == 1
    assert f"{tsv['test']} shares 2 sentences with {tsv['train']}" in said[0]
    assert f"(first: {tsv['test']}:81 = {tsv['train']}:5)" in said[0]


SPLITS = examples.Splits(
    {
        "train": as_examples("train", [("biased", "One."), ("neutral", "Two.")]),
        "test": as_examples("test", [("biased", "Three, four!")]),
    }
)


def test_what_is_judged_by_is_not_learnt_first() -> None:
    first = as_examples("first", [("biased", "three four"), ("neutral", "Five."), ("biased", "6")])
    said: list[str] = []
    assert examples.without_known(first, SPLITS, said.append).texts == ["Five.", "6"]
    assert said == ["first: left out 1 sentence that train, dev or test hold, too"]


def test_where_nothing_is_left_it_is_said() -> None:
    with pytest.raises(WikibiasError, match="first: every sentence of it is in train"):
        examples.without_known(as_examples("first", [("biased", "ONE")]), SPLITS, print)


def written(path: Path, rows: Sequence[tuple[str, ...]]) -> Path:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


HEADER = ("revision", "source", "target")
TRAIN = [
    HEADER,
    ("7", "A splendid mill.", "A mill."),
    ("7", "A vile act.", "An act."),
    ("8", "A fine barn.", "A barn."),
    ("9", "The same.", "The same ."),
    ("9", "A  Splendid mill!", "A mill"),
    ("9", "A rare tower.", "A tower."),
]
TEST = [HEADER, ("8", "A grand barn.", "A barn.")]


def test_both_sides_of_each_pair_are_sentences(tmp_path: Path) -> None:
    files = examples.PairFiles({"train": [written(tmp_path / "a.tsv", TRAIN)]})
    said: list[str] = []
    train = examples.pair_splits(files, said.append).train
    assert train.texts[:2] == ["A splendid mill.", "A mill."]
    assert train.biased.tolist() == [True, False] * 4
    assert train.rows.tolist() == [2, 2, 3, 3, 4, 4, 7, 7]
    assert train.edits is not None
    assert train.pages is not None
    assert len(set(train.edits.tolist())) == 4
    assert train.pages.tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    assert said == [
        "left out of train: 1 pair whose sides are the same",
        "left out of train: 1 pair that came before",
    ]


def test_what_tests_a_model_leaves_train(tmp_path: Path) -> None:
    train, test = written(tmp_path / "a.tsv", TRAIN), written(tmp_path / "b.tsv", TEST)
    said: list[str] = []
    files = examples.PairFiles({"train": [train], "test": [test]})
    splits = examples.pair_splits(files, said.append)
    assert [*splits.by_name] == ["train", "test"]
    assert "A barn." not in splits.train.texts
    assert "left out of train: 1 pair with a sentence of dev or test" in said


def test_no_edit_of_one_split_is_taken_for_one_of_another(tmp_path: Path) -> None:
    train, test = written(tmp_path / "a.tsv", TRAIN[:3]), written(tmp_path / "b.tsv", TEST)
    splits = examples.pair_splits(
        examples.PairFiles({"train": [train], "test": [test]}), lambda _: None
    )
    edits = [part.edits.tolist() for part in splits.by_name.values() if part.edits is not None]
    assert edits == [[0, 0, 1, 1], [2, 2]]


def test_one_file_is_split_by_its_column(tmp_path: Path) -> None:
    rows = [
        ("split", "source", "target"),
        ("train", "A splendid mill.", "A mill."),
        ("test", "A vile act.", "An act."),
        ("validation", "A fine barn.", "A barn."),
    ]
    splits = examples.pair_splits(
        examples.PairFiles({"train": [written(tmp_path / "a.tsv", rows)]}), print
    )
    assert {name: part.texts[0] for name, part in splits.by_name.items()} == {
        "train": "A splendid mill.",
        "dev": "A fine barn.",
        "test": "A vile act.",
    }


def test_nothing_left_to_train_on_is_said(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", TRAIN)
    with pytest.raises(WikibiasError, match="no pair is left in it"):
        examples.pair_splits(examples.PairFiles({"train": [path], "test": [path]}), lambda _: None)


def test_the_key_of_a_sentence_is_in_any_script() -> None:
    assert examples.key("Zażółć  GĘŚLĄ , jaźń !") == examples.key("zażółć gęślą, jaźń!")


def test_overlaps_of_published_sets_are_found(shared: Path) -> None:
    folder = shared / "pairs"
    names = ("wnc_multi_test.even.tsv", "wnc_full_sample.train.jsonl", "early_pairs.train.tsv")
    files = examples.PairFiles(
        {"train": [folder / name for name in names], "test": [folder / "wnc_word_test.even.tsv"]}
    )
    said: list[str] = []
    splits = examples.pair_splits(files, said.append)
    # Of all rows 8, 1 and 2 overlap and 17 pairs have identical sides.
    assert said[1:] == [
        "left out of train: 4 pairs with a sentence of dev or test",
        "left out of train: 4 pairs that came before",
        "left out of train: 15 pairs whose sides are the same",
    ]
    assert len(splits.train) == 2 * (500 + 596 + 1000 - 4 - 4 - 15)
