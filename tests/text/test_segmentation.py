"""Text to sentences."""

from __future__ import annotations

import pytest

from casefiles import cases
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Text, load_config
from wikibias.text.segmentation import Segmenter
from wikis import segmenter


@pytest.mark.parametrize("case", cases("sentences"))
def test_sentences(case):
    found = [s.text for s in segmenter(case["lang"]).split(case["text"])]
    assert found == case["sentences"]


def test_sentence_length_limits():
    language = load_language("en")
    limits = load_config().text
    split = Segmenter(language, limits).split
    assert split("One two three four five.") == []
    assert len(split("One two three four five six.")) == 1
    assert len(split(" ".join(["word"] * 299) + ".")) == 1
    assert split(" ".join(["word"] * 300) + ".") == []


def test_sentences_lose_no_text():
    text = 'He left. "I go," she said (ca. 1990). Then... nothing. what? Ah! «So» it is.'
    found = [s.text for s in segmenter("en").split(text)]
    assert "".join("".join(found).split()) == "".join(text.split())


def test_words_are_forgotten_in_time():
    """Memory does not grow with the words of a wiki, and nothing is split otherwise after that."""
    fresh = Segmenter(load_language("en"), Text(min_tokens=0, max_tokens=10_000))
    asked = "Dr. Smith came at 5 p.m. on foot. He went on."
    before = fresh.split(asked)
    most = 0
    for number in range(2000):
        words = " ".join(f"word{number}x{n}" for n in range(100))
        fresh.sentences(f"Seen: {words}.")
        most = max(most, len(fresh._nlp.vocab.strings))
    assert 100_000 < most < 160_000
    assert len(fresh._nlp.vocab.strings) < most
    assert fresh.split(asked) == before == segmenter("en").split(asked)
