"""Sentences with several labels out of any kind of file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.models.reading import holds_labelled, read_label_files, read_result

ROWS = [
    {"text": "one", "labels": ["a", "b"], "judged": None, "page_id": 4},
    {"text": "two", "labels": [], "judged": ["b"], "page_id": 4},
    {"text": "three", "labels": ["a"], "judged": [], "page_id": 5},
]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", ["jsonl", "tsv", "csv"])
def test_a_cell_is_a_list_or_has_commas(ending: str, tmp_path: Path) -> None:
    if ending == "jsonl":
        text = "".join(json.dumps(row) + "\n" for row in ROWS)
        path = written(tmp_path, "x.jsonl", text)
    else:
        sign = {"tsv": "\t", "csv": ";"}[ending].replace(";", ",")
        lines = [["text", "labels", "page_id"], ["one", '"a,b"', "4"], ["two", "", "4"]]
        path = written(tmp_path, f"x.{ending}", "\n".join(map(sign.join, lines)) + "\n")
    found = read_label_files({"train": path}, lambda _: None)
    train = found.by_name["train"]
    assert found.names == ["a", "b"]
    assert train.examples.texts[:2] == ["one", "two"]
    assert train.labels[:2].tolist() == [[True, True], [False, False]]
    assert train.examples.pages is not None
    if ending == "jsonl":
        # Without a list all labels are judged; a label that is there is.
        assert train.judged.tolist() == [[True, True], [False, True], [True, False]]
    else:
        assert train.judged.all()


def test_one_file_may_hold_all_splits_and_labels_are_those_of_train(tmp_path: Path) -> None:
    rows = [
        {"text": f"{split} {n}", "labels": labels, "split": split}
        for split, labels in (("train", "b, a"), ("validation", "a"), ("test", "c,a"))
        for n in range(2)
    ]
    path = written(tmp_path, "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    found = read_label_files({"train": path}, lambda _: None)
    assert list(found.by_name) == ["train", "dev", "test"]
    assert found.names == ["a", "b"]
    assert found.by_name["test"].labels.tolist() == [[True, False]] * 2
    assert read_label_files({"train": path}, lambda _: None, ["c"]).names == ["c"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.txt", "one", r"must be named \.parquet, \.jsonl, \.csv or \.tsv"),
        ("x.jsonl", '{"text": "one"}', "no column 'labels'"),
        ("x.jsonl", '{"labels": "a"}', "no column of sentences"),
        ("x.jsonl", '{"text": "one", "labels": 3}', "row 1: labels must be a list of texts"),
        ("x.jsonl", '{"text": "one", "labels": [3]}', "row 1: labels must be a list of texts"),
        ("x.jsonl", '{"text": "one", "labels": []}', "no sentence of train has a label"),
        ("x.jsonl", '{"text": "one", "labels": "a", "split": "x"}', "unknown split 'x'"),
        ("x.jsonl", "", "no column 'labels'"),
        ("x.tsv", 'a\tone\nb\t"two" mills', "no column 'labels'; its first line must name the"),
        ("x.tsv", 'a\t"one" mill', "its first line must name the columns, 'text' and 'labels'"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    name: str, text: str, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, name, text + "\n" * bool(text))
    with pytest.raises(WikibiasError, match=message):
        read_label_files({"train": path}, lambda _: None)


def test_the_tables_of_a_result_are_read(tmp_path: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    with pytest.raises(UsageError, match="make them with `wikibias build --labels intents`"):
        read_result(tmp_path, lambda _: None)
    folder = tmp_path / "labelled"
    folder.mkdir()
    table: dict[str, list[Any]] = {
        "sentence_id": ["x-1", "x-2"],
        "text": ["One (1).", "Two."],
        "norm": ["one numtkn", "two"],
        "labels": [["a"], []],
        "judged": [["a"], ["a"]],
        "page_id": [1, 2],
        "after_rev_id": [7, 8],
        "diff_url": ["https://en.wikipedia.org/?diff=7", "https://en.wikipedia.org/?diff=8"],
        "after_timestamp": [datetime(2020, 1, 1, tzinfo=UTC)] * 2,
    }
    for split in ("train", "test"):
        pq.write_table(pa.table(table), folder / f"{split}.parquet")
    found = read_result(tmp_path, lambda _: None)
    test = found.by_name["test"]
    assert test.examples.texts == ["One (1).", "Two."]
    assert test.examples.ids == ["x-1", "x-2"]
    assert test.of(0).biased.tolist() == [True, False]
    assert found.plain.by_name["train"].edits is not None


def test_a_result_with_nothing_but_several_labels_is_told(tmp_path: Path) -> None:
    labelled = tmp_path / "labelled"
    labelled.mkdir()
    (labelled / "train.parquet").touch()
    assert holds_labelled(labelled)
    assert holds_labelled(tmp_path)
    (tmp_path / "corpus").mkdir()
    assert not holds_labelled(tmp_path)
