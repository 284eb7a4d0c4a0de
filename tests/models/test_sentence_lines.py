"""Files with a labelled sentence on each line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from paths import CASES
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.examples import LONGEST
from wikibias.models.reading import parse_labels, read_lines

FILES = tomllib.loads((CASES / "bad_sentence_files.toml").read_text("utf-8"))


@pytest.mark.parametrize("case", FILES["case"], ids=lambda case: case["name"])
def test_bad_input_is_named_with_its_line(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(case["content"].encode(case.get("encoding", "utf-8")))
    said: list[str] = []
    if "error" in case:
        with pytest.raises(WikibiasError) as caught:
            read_lines(path, warn=said.append)
        assert case["error"].replace("FILE", str(path)) in str(caught.value)
        return
    assert len(read_lines(path, warn=said.append)) == case["sentences"]
    wanted = [case["warning"].replace("FILE", str(path))] if "warning" in case else []
    assert said == wanted


def test_a_line_of_a_megabyte_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("biased\tone\nneutral\t" + "x" * 1_000_000 + "\nneutral\ttwo\n")
    said: list[str] = []
    assert read_lines(path, warn=said.append).texts == ["one", "two"]
    assert said == [f"{path}:2: left out 1 line longer than {LONGEST:,} characters"]


def test_other_names_of_the_labels(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("rem\tone\nadd\ttwo\n")
    assert read_lines(path, parse_labels("rem=biased,add=neutral")).biased.tolist() == [True, False]


@pytest.mark.parametrize("given", ["rem", "rem=biased", "rem=baised,add=neutral", "=biased"])
def test_labels_that_make_no_sense(given: str) -> None:
    with pytest.raises(UsageError, match="--labels"):
        parse_labels(given)


def test_a_line_without_end_is_not_gathered(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(b"biased\tone\nneutral\t" + b"x" * 10_000_001)
    with pytest.raises(WikibiasError, match=r"x\.tsv:2: longer than 10 MB"):
        read_lines(path)


def test_lines_as_fasttext_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("__label__biased the very best\n\n__label__neutral\n__label__neutral a dam\n")
    said: list[str] = []
    found = read_lines(path, warn=said.append)
    assert found.texts == ["the very best", "a dam"]
    assert found.biased.tolist() == [True, False]
    assert said == [
        f"{path}:2: left out 1 line blank",
        f"{path}:3: left out 1 line without a sentence",
    ]
    path.write_text("__label__rem one\n__label__add two\n")
    assert read_lines(path, parse_labels("rem=biased,add=neutral")).biased.tolist() == [True, False]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("__label__biased one\nneutral\ttwo\n", ":2: no __label__ at the beginning"),
        ("__label__bad one\n", ":1: unknown label 'bad'"),
        ("biased\tone\n__label__neutral two\n", ":2: no tab"),
    ],
)
def test_lines_of_two_kinds(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(content)
    with pytest.raises(WikibiasError, match=said):
        read_lines(path)
