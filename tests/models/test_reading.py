"""What a corpus folder, an export of one, and files give to learn from; classes and overlaps."""

import json
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from paths import CASES
from sample_sentences import as_examples
from wikibias.errors import UsageError, WikibiasError
from wikibias.models import examples, reading
from wikibias.models.examples import LABELS, Examples, Splits
from wikibias.models.reading import read_files


def test_an_empty_dev_of_a_tiny_corpus_is_said_and_left_out(corpus: Path) -> None:
    path = corpus / "corpus" / "dev.parquet"
    pd.read_parquet(path).iloc[:0].to_parquet(path)
    said: list[str] = []
    assert list(reading.read_corpus(corpus, said.append).by_name) == ["train", "test"]
    (line,) = said
    assert line.startswith(
        f"{corpus / 'corpus'}: dev empty, so there is nothing to evaluate on; give "
    )
    assert line.endswith("or cross-validate: --cv page --folds 5")


def test_a_folder_without_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="no sentences to train on"):
        reading.read_corpus(tmp_path, pytest.fail)
    (tmp_path / "labelled").mkdir()
    for folder in (tmp_path, tmp_path / "labelled"):
        with pytest.raises(WikibiasError, match="wikibias classify --task labels"):
            reading.read_corpus(folder, pytest.fail)


def test_a_damaged_table(corpus: Path) -> None:
    path = corpus / "corpus" / "test.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(WikibiasError, match="not a Parquet file"):
        reading.read_corpus(corpus, pytest.fail)


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("role", ..., "no column 'role'"),
        *(("page_id", cell, "page_id is no number") for cell in ("x", None, [1])),
        ("label", "odd", r"test\.parquet:1: unknown label 'odd'"),
    ],
)
def test_a_table_of_somebody_else(column: str, cell: Any, said: str, corpus: Path) -> None:
    path = corpus / "corpus" / "test.parquet"
    table = pd.read_parquet(path).drop(columns=column)
    (table if cell is ... else table.assign(**{column: [cell] * len(table)})).to_parquet(path)
    with pytest.raises(WikibiasError, match=said):
        reading.read_corpus(corpus, pytest.fail)


@pytest.mark.parametrize("text", ["[" * 100_000, ""])
def test_a_manifest_that_is_none(text: str, corpus: Path) -> None:
    (corpus / "manifest.json").write_text(text)
    with pytest.raises(WikibiasError, match="not a manifest that can be read"):
        reading.read_corpus(corpus, print)


def sizes(splits: Splits) -> dict[str, int]:
    return {name: len(part) for name, part in splits.by_name.items()}


def test_a_corpus_names_its_sentences_and_says_what_it_is(corpus: Path) -> None:
    path = corpus / "corpus" / "test.parquet"
    pd.read_parquet(path).assign(diff_url="https://a.example/?diff=1").to_parquet(path)
    settings = {"detect": {"tagset": "npov", "pairing": ["removal-edit"]}}
    inputs = [{"wiki": "demoenwiki"}, {"wiki": "demoenwiki"}]
    said = {"lang": "en", "settings": settings, "inputs": inputs}
    (corpus / "manifest.json").write_text(json.dumps(said))
    found = reading.read_corpus(corpus, pytest.fail)
    assert (found.lang, sizes(found)) == ("en", {"train": 240, "dev": 80, "test": 80})
    assert found.train.edits is not None
    assert len(set(found.train.edits.tolist())) == 60
    assert not found.train.texts[0].endswith(".")  # the normalised form, not the reader's
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
    found = reading.read_corpus(corpus, pytest.fail)
    assert found.lang is None
    assert "tag set" not in found.corpus


def test_the_corpus_inside_of_a_result_is_that_of_the_result(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = reading.read_corpus(corpus / "corpus", pytest.fail)
    assert (inner.lang, sizes(inner)) == ("en", {"train": 240, "dev": 80, "test": 80})
    assert reading.result_folder(corpus / "corpus") == corpus
    assert reading.result_folder(corpus) == corpus
    monkeypatch.chdir(corpus / "corpus")
    assert reading.result_folder(Path()).resolve() == corpus
    # Without a manifest above it is a folder of its own.
    (corpus / "manifest.json").unlink()
    assert reading.result_folder(corpus / "corpus") == corpus / "corpus"


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
    found = reading.read_files(paths, LABELS, pytest.fail)
    assert sizes(found) == {"train": 240, "test": 80}
    assert found.by_name["test"].texts == [*tables["test"]["norm"]]
    assert found.by_name["test"].biased.tolist() == [*(tables["test"]["label"] == "biased")]
    assert sizes(reading.read_corpus(tmp_path / "x", pytest.fail)) == {"train": 240, "test": 80}


@pytest.mark.parametrize("form", FORMS)
def test_one_file_with_all_splits(form: str, corpus: Path, tmp_path: Path) -> None:
    tables = [pd.read_parquet(corpus / f"corpus/{n}.parquet") for n in ("test", "train", "dev")]
    whole = pd.concat(tables).replace({"split": {"dev": "validation"}})
    path = write(whole, tmp_path / f"all.{form}")
    found = reading.read_files({"train": path}, LABELS, pytest.fail)
    assert sizes(found) == {"train": 240, "dev": 80, "test": 80}
    assert found.by_name["dev"].ids is not None
    assert found.by_name["dev"].pages is not None
    with pytest.raises(WikibiasError, match="give it alone, or files of a split each"):
        reading.read_files({"train": path, "test": path}, LABELS, pytest.fail)


def test_folders_as_datasets_names_their_files(corpus: Path, tmp_path: Path) -> None:
    for ours, theirs in (("train", "train"), ("dev", "validation"), ("test", "test")):
        table = pd.read_parquet(corpus / f"corpus/{ours}.parquet")
        write(table, tmp_path / f"x/sentences/{theirs}-00000-of-00001.parquet")
        write(table.iloc[:3], tmp_path / f"x/pairs/{theirs}-00000-of-00001.parquet")
    assert sizes(reading.read_corpus(tmp_path / "x", pytest.fail)) == {
        "train": 240,
        "dev": 80,
        "test": 80,
    }


def read(path: Path) -> Examples:
    return reading.read_files({"train": path}, LABELS, pytest.fail).train


def test_the_normal_form_comes_before_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"label": "biased", "text": "The Best!", "norm": "the best"}\n')
    assert (read(path).texts, read(path).normalised) == (["the best"], True)
    path.write_text('{"label": "biased", "text": "The Best!"}\n\n')
    assert (read(path).texts, read(path).normalised) == (["The Best!"], False)


def test_a_cell_that_a_spreadsheet_would_calculate_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('label,sentence\nbiased,\'=1+1 is "great"\nneutral,"one\ntwo, three"\n')
    assert read(path).texts == ['=1+1 is "great"', "one\ntwo, three"]


def test_what_is_no_sentence_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"label": "biased", "text": null, "page_id": 1}\n'
        '{"label": "biased", "text": "one", "page_id": 7}\n'
        '{"label": "neutral", "text": "' + "x" * 20_001 + '"}\n'
    )
    said: list[str] = []
    found = reading.read_files({"train": path}, LABELS, said.append).train
    assert (found.texts, found.rows.tolist()) == (["one"], [2])
    assert found.pages is not None
    assert found.pages.tolist() == [7]
    assert said == [
        f"{path}:1: left out 1 row without a sentence",
        f"{path}:3: left out 1 row longer than 20,000 characters",
    ]


def test_pages_that_are_no_numbers_are_not_known(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("label,text,page_id\nbiased,one,A page\n")
    assert read(path).pages is None


FILES = tomllib.loads((CASES / "bad_sentence_files.toml").read_text("utf-8"))


@pytest.mark.parametrize("case", FILES["case"], ids=lambda case: case["name"])
def test_bad_input_is_named_with_its_line(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(case["content"].encode(case.get("encoding", "utf-8")))
    said: list[str] = []
    if "error" in case:
        with pytest.raises(WikibiasError) as caught:
            reading.read_files({"train": path}, LABELS, said.append)
        assert case["error"].replace("FILE", str(path)) in str(caught.value)
        return
    assert len(reading.read_files({"train": path}, LABELS, said.append).train) == case["sentences"]
    wanted = [case["warning"].replace("FILE", str(path))] if "warning" in case else []
    assert said == wanted


@pytest.mark.parametrize("line", ["{}\t{}\n", "__label__{} {}\n"])
def test_other_names_of_the_labels(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(line.format("rem", "one") + line.format("add", "two"))
    labels = reading.parse_labels("rem=biased,add=neutral")
    assert reading.read_files({"train": path}, labels, print).train.biased.tolist() == [True, False]


@pytest.mark.parametrize("given", ["rem", "rem=biased", "rem=baised,add=neutral", "=biased"])
def test_labels_that_make_no_sense(given: str) -> None:
    with pytest.raises(UsageError, match="--label-names"):
        reading.parse_labels(given)


ROWS = [
    {"text": "one", "labels": ["a", "b"], "judged": None, "page_id": 4},
    {"text": "two", "labels": [], "judged": ["b"], "page_id": 4},
    {"text": "three", "labels": ["a"], "judged": [], "page_id": 5},
]


@pytest.mark.parametrize("ending", ["jsonl", "tsv", "csv"])
def test_a_cell_is_a_list_or_has_commas(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{ending}"
    if ending == "jsonl":
        write(pd.DataFrame(ROWS), path)
    else:
        lines = 'text,labels,page_id\none,"a;b",4\ntwo,,4\n'
        sign = {"tsv": "\t", "csv": ","}[ending]
        path.write_text(lines.replace(",", sign).replace(";", ","))
    found = reading.read_label_files({"train": path}, lambda _: None)
    train = found.by_name["train"]
    assert found.names == ("a", "b")
    assert train.texts[:2] == ["one", "two"]
    assert train.labels[:2].tolist() == [[True, True], [False, False]]
    assert train.pages is not None
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
    path = write(pd.DataFrame(rows), tmp_path / "x.jsonl")
    found = reading.read_label_files({"train": path}, lambda _: None)
    assert list(found.by_name) == ["train", "dev", "test"]
    assert found.names == ("a", "b")
    assert found.by_name["test"].labels.tolist() == [[True, False]] * 2
    assert reading.read_label_files({"train": path}, lambda _: None, ["c"]).names == ("c",)


def test_the_tables_of_a_result_are_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="make them with `wikibias build --labels intents`"):
        reading.read_result(tmp_path, lambda _: None)
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
        write(pd.DataFrame(table), tmp_path / "labelled" / f"{split}.parquet")
    found = reading.read_result(tmp_path, lambda _: None)
    test = found.by_name["test"]
    assert test.texts == ["One (1).", "Two."]
    assert test.ids == ["x-1", "x-2"]
    assert test.of_label("a").biased.tolist() == [True, False]
    assert found.by_name["train"].edits is not None


def test_a_result_with_nothing_but_several_labels_is_told(tmp_path: Path) -> None:
    labelled = tmp_path / "labelled"
    labelled.mkdir()
    (labelled / "train.parquet").touch()
    assert reading.holds_labelled(labelled)
    assert reading.holds_labelled(tmp_path)
    (tmp_path / "corpus").mkdir()
    assert not reading.holds_labelled(tmp_path)


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
    files = examples.PairFiles({"train": [written(tmp_path / "a.tsv", rows)]})
    found = examples.pair_splits(files, print).by_name
    first = {"train": "A splendid mill.", "dev": "A fine barn.", "test": "A vile act."}
    assert {name: part.texts[0] for name, part in found.items()} == first


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
