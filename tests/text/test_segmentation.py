"""Text to sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from casefiles import cases
from outside import install
from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.records import Sentence
from wikibias.text.segmentation import Segmenter
from wikis import segmenter


@pytest.mark.parametrize("case", cases("sentences"))
def test_sentences(case: dict[str, Any]) -> None:
    found = [s.text for s in segmenter(case["lang"]).split(case["text"])]
    assert found == case["sentences"]


def test_a_sentence_may_be_of_any_length_but_has_a_word() -> None:
    split = segmenter("en").split
    assert len(split("Gone.")) == 1
    assert len(split(" ".join(["word"] * 1000) + ".")) == 1
    assert split("...\n*** !!!\n\u2014") == []


def test_sentences_lose_no_text() -> None:
    text = 'He left. "I go," she said (ca. 1990). Then... nothing. what? Ah! «So» it is.'
    found = [s.text for s in segmenter("en").split(text)]
    assert "".join("".join(found).split()) == "".join(text.split())


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package that adds a segmenter, which cuts at semicolons."""
    code = (
        "def semicolons(language):\n"
        "    return lambda paragraph: [s.strip() for s in paragraph.split(';')]\n"
    )
    install(tmp_path, monkeypatch, code, "[wikibias.segmenters]\nsemicolons = outside:semicolons\n")


def test_a_language_may_name_the_segmenter_of_another_package(outside: None) -> None:
    language = replace(load_language("en"), segmenter="semicolons")
    found = Segmenter(language).split("One. Two; THREE!\nFour")
    assert found == [
        Sentence("One. Two", "one two"),
        Sentence("THREE!", "three"),
        Sentence("Four", "four"),
    ]


def test_an_unknown_segmenter_is_refused_with_the_nearest_name() -> None:
    language = replace(load_language("en"), segmenter="spacey")
    with pytest.raises(UsageError, match="unknown segmenter 'spacey'; did you mean 'spacy'"):
        Segmenter(language)
