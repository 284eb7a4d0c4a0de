"""Taggers that any other must beat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tagged_pairs import PRAISE, made_sentences
from wikibias.errors import UsageError
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans import registry
from wikibias.research.spans.decoding import top_word
from wikibias.research.spans.registry import Tagger

LISTS = [Lexicon.of("a", ["so called", "truly"]), Lexicon.of("b", ["truly"])]


def top(tagger: Tagger, sentence: str) -> str | None:
    words = sentence.split()
    place = top_word(tagger.probabilities([words])[0])
    return None if place is None else words[place]


def test_the_word_that_was_changed_most_often() -> None:
    tagger = registry.create("frequent").fit(made_sentences(30), [])
    assert top(tagger, f"The {PRAISE[0].upper()} mill stood .") == PRAISE[0].upper()


def test_the_word_that_is_in_most_lists() -> None:
    tagger = registry.create("lexicon", lexicons=LISTS)
    assert top(tagger, "the so called mill is truly old") == "truly"
    assert tagger.probabilities([["so", "called", "mill"]])[0].sum(axis=1).tolist() == [0.5, 0.5, 0]
    with pytest.raises(UsageError, match="name at least one list of words with --lexicon"):
        registry.create("lexicon")


def test_the_longest_word_that_is_no_name() -> None:
    assert top(registry.create("longest"), "he saw Constantinople 123456789012 often") == "often"


@pytest.mark.parametrize("name", ["frequent", "lexicon", "longest"])
def test_a_saved_one_answers_alike(name: str, tmp_path: Path) -> None:
    tagger = registry.create(name, lexicons=LISTS).fit(made_sentences(20), [])
    registry.save(tagger, tmp_path, {})
    loaded, _ = registry.load(tmp_path)
    words = [["the", "truly", "glorious", "mill"], []]
    for one, other in zip(tagger.probabilities(words), loaded.probabilities(words), strict=True):
        assert np.array_equal(one, other)
        assert one.shape[1] == 2
