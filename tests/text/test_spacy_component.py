"""Tests of the sentence rules in a pipeline of spaCy."""

import pytest
import spacy

import wikibias.text.spacy_component  # noqa: F401 (registers it, as the entry point does)
from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.text.segmentation import Segmenter

NAME = "wikibias_sentences"
TEXT = 'Dr. Smith left the mill. It is 3.5 m high. A "fine" day.\nA line is a paragraph'


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_sentences_are_those_of_the_rules(lang: str) -> None:
    nlp = spacy.blank("xx")
    nlp.add_pipe(NAME, config={"lang": lang})
    expected = Segmenter(load_language(lang)).sentences(TEXT)
    assert [sentence.text.strip() for sentence in nlp(TEXT).sents] == expected


def test_a_language_that_is_not_known_is_refused() -> None:
    with pytest.raises(UsageError, match="xx"):
        spacy.blank("xx").add_pipe(NAME)
