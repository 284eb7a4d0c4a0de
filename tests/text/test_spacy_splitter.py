"""Paragraphs to sentences with spaCy; the cases are those of test_segmentation."""

from __future__ import annotations

from wikibias.config.languages import load_language
from wikibias.text.spacy_splitter import SpacySplitter


def test_words_are_forgotten_in_time() -> None:
    """Memory does not grow with the words of a wiki, and sentences stay the same after that."""
    fresh = SpacySplitter(load_language("en"))
    asked = "Dr. Smith came at 5 p.m. on foot. He went on."
    before = list(fresh(asked))
    most = 0
    for number in range(2000):
        words = " ".join(f"word{number}x{n}" for n in range(100))
        assert len(list(fresh(f"Seen: {words}."))) == 1
        most = max(most, len(fresh._nlp.vocab.strings))
    assert 100_000 < most < 160_000
    assert len(fresh._nlp.vocab.strings) < most
    assert list(fresh(asked)) == before == ["Dr. Smith came at 5 p.m. on foot.", "He went on."]
