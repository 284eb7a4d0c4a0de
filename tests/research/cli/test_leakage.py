"""`wikibias audit-split`: what it finds, and the verdict at the end."""

import json
from pathlib import Path

import pandas as pd

from exports import export, history, wikibias

NAMES = ("train", "dev", "test")


def test_files_and_a_corpus(corpus: Path, tsv: dict[str, Path], tmp_path: Path) -> None:
    done = wikibias("audit-split", *tsv.values(), "--json", tmp_path / "a.json")
    assert done.code == 0
    assert "of test has a near-duplicate in train" in done.out
    assert json.loads((tmp_path / "a.json").read_text())["sentences"]["test"] == 80
    assert wikibias("audit-split", corpus).code == 0


def verdict(*paths: Path) -> str:
    done = wikibias("audit-split", *paths)
    assert done.code == 0
    return done.out.splitlines()[-1]


def test_the_verdict(tsv: dict[str, Path]) -> None:
    none = "no sentence of dev or test has a near-duplicate in train."
    assert verdict(*tsv.values()) == f"No verdict, too few in dev and test: {none}"
    held_out = tsv["dev"].read_text(encoding="utf-8") + tsv["test"].read_text(encoding="utf-8")
    both, one = tsv["test"].with_name("both.tsv"), tsv["test"].with_name("one.tsv")
    both.write_text(held_out, encoding="utf-8")
    none = "no sentence of test has a near-duplicate in train."
    assert verdict(tsv["train"], both).startswith(f"The split is clean: {none}")
    (first, *_) = tsv["train"].read_text(encoding="utf-8").splitlines(keepends=True)
    one.write_text(held_out + first, encoding="utf-8")
    some = "no more than 0.6% of test has a near-duplicate in train."
    assert verdict(tsv["train"], one).startswith(f"The split is clean: {some}")
    leaks = verdict(tsv["train"], tsv["train"])
    assert leaks.startswith("The split leaks: 100.0% of test has a near-duplicate in train.")
    assert "--cv near-duplicate" in leaks
    assert verdict(tsv["train"]).startswith("There is only one split, so nothing can leak")


def test_two_sentences_are_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("biased\tthe very best dam\nneutral\ta long dam here\n")
    (tmp_path / "test.tsv").write_text("biased\tthe very best dam\nneutral\tsome mill on a hill\n")
    done = wikibias("audit-split", tmp_path / "train.tsv", tmp_path / "test.tsv")
    last = "No verdict, too few in test: 1 of 2 sentences of test have a near-duplicate in train."
    assert done.out.splitlines()[-1] == last
    assert done.err.splitlines() == [
        "Warning: test: too few sentences to judge the split by (2 sentences, 1 of the rarer "
        "class; 50 of each class are enough)"
    ]
    given = [tmp_path / "train.tsv", tmp_path / "test.tsv"]
    wikibias("audit-split", *given, "--json", tmp_path / "a.json")
    found = json.loads((tmp_path / "a.json").read_text())
    assert (found["leaks"], found["too_few"], len(found["warnings"])) == (None, ["test"], 1)


def test_every_format_of_a_corpus_gives_the_same_answer(corpus: Path, tmp_path: Path) -> None:
    tables = [pd.read_parquet(corpus / f"corpus/{name}.parquet") for name in NAMES]
    pd.concat(tables).to_json(tmp_path / "all.jsonl", orient="records", lines=True)
    pd.concat(tables).to_csv(tmp_path / "all.csv", index=False)
    pd.concat(tables).to_parquet(tmp_path / "all.parquet")
    for name, table in zip(NAMES, tables, strict=True):
        rows = [*zip(table["label"], table["norm"], strict=True)]
        (tmp_path / f"{name}.txt").write_text("".join(f"__label__{a} {b}\n" for a, b in rows))
        (tmp_path / f"{name}.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in rows))
    shown = wikibias("audit-split", corpus)
    assert (shown.code, "of dev has a near-duplicate" in shown.out) == (0, True)
    for given in (
        [corpus / "corpus"],
        [corpus / f"corpus/{name}.parquet" for name in NAMES],
        [tmp_path / f"{name}.txt" for name in NAMES],
        [tmp_path / f"{name}.tsv" for name in NAMES],
        *([tmp_path / f"all.{form}"] for form in ("jsonl", "csv", "parquet")),
    ):
        assert wikibias("audit-split", *given).out == shown.out, given


def test_what_export_writes_gives_the_same_answer_as_the_corpus(tmp_path: Path) -> None:
    pages = [history(f"Village {n}", 4, topic=n) for n in range(12)]
    (tmp_path / "dump.xml").write_bytes(export(pages))
    given = ["--lang", "en", "--workers", 1, "-o", tmp_path / "c", tmp_path / "dump.xml"]
    assert wikibias("extract", "-q", *given).code == 0
    shown = wikibias("audit-split", tmp_path / "c")
    assert "Near-duplicates" in shown.out
    for form in ("hf", "parquet", "jsonl", "csv", "fasttext"):
        out = tmp_path / form
        assert wikibias("export", "--format", form, "-o", out, tmp_path / "c").code == 0
        assert wikibias("audit-split", out).out == shown.out, form


def test_a_folder_without_a_corpus(tmp_path: Path) -> None:
    done = wikibias("audit-split", tmp_path)
    assert done.code == 1
    assert "no sentences to train on" in done.errors[0]
