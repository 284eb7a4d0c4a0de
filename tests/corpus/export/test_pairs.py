"""Pairs that are made anew are those that a build with --pairs writes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sample_corpora import corpus
from wikibias.corpus.export.pairs import pairs_of
from wikibias.errors import WikibiasError
from wikibias.pipeline.manifest import load_recorded


def parts(folder: Path) -> list[str]:
    return [entry["part"] for entry in load_recorded(folder)["inputs"]]


@pytest.mark.parametrize(
    "options",
    [
        ["--filters", "paper"],
        ["--filters", "paper", "--split", "sentence"],
        ["--pairing", "addition-edit", "--pairing", "tagged-span", "--pairing", "removal-edit"],
    ],
)
def test_they_equal_what_a_build_writes(options: list[str]) -> None:
    plain, paired = corpus("en", *options), corpus("en", *options, "--pairs")
    made = list(pairs_of(plain, parts(plain), written=False))
    assert made
    assert made == list(pairs_of(paired, parts(paired), written=True))
    assert made == list(pairs_of(paired, parts(paired), written=False))


def test_edits_that_do_not_belong_to_the_corpus_are_no_source(tmp_path: Path) -> None:
    folder = tmp_path / "en"
    shutil.copytree(corpus(), folder)
    shutil.rmtree(folder / "edits")
    with pytest.raises(WikibiasError, match="wikibias build --restart"):
        list(pairs_of(folder, parts(folder), written=False))
