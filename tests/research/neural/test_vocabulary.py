"""Words as numbers, and the n-grams of their letters; needs no torch."""

from __future__ import annotations

import json

import pytest

from wikibias.research.neural.words import (
    LONGEST_SENTENCE,
    Vocabulary,
    character_ngrams,
    frequent,
    spans,
    words,
)


def test_words_are_lower_case_and_marks_stand_alone() -> None:
    text = "The Mill, 「水車」!"
    assert words(text) == ["the", "mill", ",", "「", "水", "車", "」", "!"]
    assert [text[start:end].lower() for start, end in spans(text)] == words(text)


def test_a_long_text_is_read_from_its_beginning() -> None:
    assert len(words("mill " * 10_000)) == LONGEST_SENTENCE


def test_the_commonest_come_first() -> None:
    sentences = [["the", "mill"], ["the", "barn", "mill"], ["the", "tower"]]
    assert frequent(sentences, 2) == ["the", "mill"]


def test_an_unknown_word_is_told_by_its_letters() -> None:
    vocabulary = Vocabulary(["mill"], ["the", "mill"], 1000)
    found = vocabulary.numbered([["the", "mill"], [], ["mills", "the"]])
    assert found.known == [0, 1, 0, 0]
    assert found.learnt == [1, 2, 0, 0]
    assert found.places == [[0, 1], [2], [3, 0]]
    assert found.starts[0] == 0
    mill, mills = (set(character_ngrams(word, 1000)) for word in ("mill", "mills"))
    assert mill & mills


def test_the_same_ngrams_on_each_machine() -> None:
    assert character_ngrams("of", 1000) == [155, 205, 434]


@pytest.mark.parametrize("word", ["", "x", "\ud800", "y" * 100_000])
def test_any_word_has_some(word: str) -> None:
    found = character_ngrams(word, 7)
    assert 1 <= len(found) <= 150
    assert all(0 <= each < 7 for each in found)


def test_it_is_kept_as_json() -> None:
    vocabulary = Vocabulary(["mill"], ["the"], 5)
    assert Vocabulary.of_dict(json.loads(json.dumps(vocabulary.as_dict()))) == vocabulary
    with pytest.raises(ValueError, match="no vocabulary"):
        Vocabulary.of_dict({"given": [1], "learnt": [], "buckets": 5})
