"""Pairs that are made anew are those that a build with --pairs writes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from exports import wikibias
from results import extract, write_parts
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


def test_a_corpus_that_grew_part_by_part(tmp_path: Path) -> None:
    files, out = write_parts(tmp_path / "in", removals=2), tmp_path / "out"
    assert extract(out, files[2], files[0], "--filters", "paper").code == 0
    assert extract(out, *files, "--filters", "paper").code == 0
    made = list(pairs_of(out, parts(out), written=False))
    assert wikibias("build", "--restart", "--pairs", out).code == 0
    assert made == list(pairs_of(out, parts(out), written=True))


def test_edits_that_do_not_belong_to_the_corpus_are_no_source(tmp_path: Path) -> None:
    folder = tmp_path / "en"
    shutil.copytree(corpus(), folder)
    shutil.rmtree(folder / "edits")
    with pytest.raises(WikibiasError, match="wikibias build --restart"):
        list(pairs_of(folder, parts(folder), written=False))
