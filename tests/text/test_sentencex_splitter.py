"""Sentences with sentencex, an extra."""

from __future__ import annotations

import sys

import pytest

from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.text.segmentation import SentencexSplitter


def test_sentences_are_stripped_and_whole() -> None:
    split = SentencexSplitter(load_language("en"))
    assert list(split(" Dr. Smith left. Why? ")) == ["Dr. Smith left.", "Why?"]
    assert list(split("")) == []


def test_without_the_package_the_message_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(UsageError, match=r"run: pip install '?sentencex"):
        SentencexSplitter(load_language("en"))
