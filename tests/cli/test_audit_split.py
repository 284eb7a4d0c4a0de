"""`wikibias audit-split`: what it finds, and the verdict at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from exports import wikibias

NAMES = ("train", "dev", "test")


def test_files_and_a_corpus(corpus: Path, tsv: dict[str, Path], tmp_path: Path) -> None:
    done = wikibias("audit-split", *tsv.values(), "--json", tmp_path / "a.json")
    assert done.code == 0
    assert "of test has a near-duplicate in train" in done.out
    assert json.loads((tmp_path / "a.json").read_text())["sentences"]["test"] == 80
    assert wikibias("audit-split", corpus, "--ngrams", "word").code == 0


def verdict(*paths: Path) -> str:
    done = wikibias("audit-split", *paths)
    assert done.code == 0
    return done.out.splitlines()[-1]


def test_the_verdict(tsv: dict[str, Path]) -> None:
    none = "no sentence of dev or test has a near-duplicate in train."
    few = "Too few sentences to judge the split (dev 80, test 80; 100 are enough): "
    assert verdict(*tsv.values()) == few + none
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


def test_a_folder_without_a_corpus(tmp_path: Path) -> None:
    done = wikibias("audit-split", tmp_path)
    assert done.code == 1
    assert "no sentences to train on" in done.errors[0]
