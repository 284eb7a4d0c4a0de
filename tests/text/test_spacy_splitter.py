"""Paragraphs to sentences with spaCy; the cases are those of test_segmentation."""

import re
from functools import cache
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

import wikibias.text.spacy_splitter  # noqa: F401 (registers it, as the entry point does)
from hostile_texts import Kind, is_quick, kinds, slow
from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.text import spacy_splitter
from wikibias.text.segmentation import Segmenter


def test_words_are_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with the words of a wiki, and sentences stay the same after that."""
    monkeypatch.setattr(spacy_splitter, "_MOST_WORDS", 6_000)
    fresh = spacy_splitter.SpacySplitter(load_language("en"))
    asked = "Dr. Smith came at 5 p.m. on foot. He went on."
    before = list(fresh(asked))
    most = 0
    for number in range(40):
        words = " ".join(f"word{number}x{n}" for n in range(100))
        assert len(list(fresh(f"Seen: {words}. It is."))) == 2
        most = max(most, len(fresh._nlp.vocab.strings))
    assert 5_000 < most < 7_000
    assert len(fresh._nlp.vocab.strings) < most
    assert list(fresh(asked)) == before == ["Dr. Smith came at 5 p.m. on foot.", "He went on."]


# What ends a sentence or not, opens the next, or makes the tokenizer cut.
FRAGMENTS = [
    *'. .. ... … ? ! ." .( ) ( " « » “ 「 」 。 ！ ． , - —'.split(),
    *"aa. b A. No. no. N. 7 m. г. Dr. e.g.".split(),
    *"中 中. 中… か ก is. It it's :) $ 1,000 1. 1km http://a.b/c. 's A.B. a..b x\u0301".split(),
    *[" ", " ", " ", "  ", "\t", "\u00a0", "\u2009"],
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join)
SPLITTERS = {lang: spacy_splitter.SpacySplitter(load_language(lang)) for lang in ("en", "ja")}


@cache
def tokenizers(lang: str) -> tuple[Any, Any]:
    """Return the tokenizer of a language as it is, and one that looks at the ends of a run."""
    plain, ours = (spacy.blank(load_language(lang).spacy).tokenizer for _ in range(2))
    spacy_splitter._look_at_the_ends(ours)
    return plain, ours


@given(TEXTS, st.sampled_from(["en", "hu"]))
def test_the_tokenizer_finds_the_signs_that_it_would_find(text: str, lang: str) -> None:
    plain, ours = tokenizers(lang)
    assert span(ours.prefix_search(text)) == span(plain.prefix_search(text))
    assert span(ours.suffix_search(text)) == span(plain.suffix_search(text))


def span(found: re.Match[str] | None) -> tuple[int, int] | None:
    return found.span() if found else None


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_paragraph_takes_more_than_its_share_of_time(lang: str) -> None:
    paragraphs = [
        *(k for k in kinds() if lang == "en" and k.name.startswith(("sentences", "brackets"))),
        Kind("abbreviations of units", "m. "),
        Kind("numbers", "No. 7 "),
        Kind("ellipses", "a… "),
        Kind("ellipses in a script without spaces", "中…"),
        Kind("foreign words", "a. 中. "),
        Kind("addresses", "http://example.com/aaa?b=c&d. "),
        Kind("openings", ' "', before="Aa."),
        Kind("stops in a word", "a..a"),
        Kind("pieces", "a. b。"),
    ]
    assert slow(lambda text: list(SPLITTERS[lang](text)), paragraphs, 1_500) == {}


def test_no_run_without_spaces_takes_more_than_its_share_of_time() -> None:
    runs = [
        Kind("runs of openings", "(" * 150 + "x§" + "a" * 1700 + ". "),
        Kind("runs of closings", "x§" + "a" * 1700 + ")" * 150 + ". "),
        Kind("runs of suffixes", "x§" + "'s" * 900 + ". "),
        Kind("runs of signs", "x§" + ":)" * 90 + ". "),
    ]
    # Shorter texts hold a run once, and spaCy remembers it: they would take no time at all.
    assert slow(lambda text: list(SPLITTERS["en"](text)), runs, size=4_000) == {}
    # A run that is only as long as it may be takes no time in the square of that either.
    for kind in runs:
        assert is_quick(lambda text: list(SPLITTERS["en"](text)), kind.text(9_000), 0.4), kind.name


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
