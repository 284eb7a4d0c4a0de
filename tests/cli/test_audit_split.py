"""`wikibias audit-split`: what it finds, and the verdict at the end."""

from __future__ import annotations

import json
from pathlib import Path

from exports import wikibias


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


def test_a_folder_without_a_corpus(tmp_path: Path) -> None:
    done = wikibias("audit-split", tmp_path)
    assert done.code == 1
    assert "no sentences to train on" in done.errors[0]
