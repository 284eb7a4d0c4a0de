"""Paragraphs to sentences with spaCy; the cases are those of test_segmentation."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

import wikibias.text.spacy_splitter  # noqa: F401 (registers it, as the entry point does)
from hostile_texts import Kind, is_quick, kinds, slow
from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.selection_bias.samples import topic_words
from wikibias.text import spacy_splitter
from wikibias.text.segmentation import Segmenter, normalise


def test_words_are_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with the words of a wiki, and sentences stay the same after that."""
    monkeypatch.setattr(spacy_splitter, "_MOST_WORDS", 10_000)
    fresh = spacy_splitter.SpacySplitter(load_language("en"))
    asked = "Dr. Smith came at 5 p.m. on foot. He went on."
    before = list(fresh(asked))
    most = 0
    for number in range(120):
        words = " ".join(f"word{number}x{n}" for n in range(100))
        assert len(list(fresh(f"Seen: {words}. It is."))) == 2
        most = max(most, len(fresh._nlp.vocab.strings))
    assert 8_000 < most < 11_000
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
SPLITTERS = {lang: spacy_splitter.SpacySplitter(load_language(lang)) for lang in ("en", "fr", "ja")}


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
        Kind("runs of openings", "(" * 150 + "x§" + "a" * 1700 + ". "),
        Kind("runs of closings", "x§" + "a" * 1700 + ")" * 150 + ". "),
        Kind("runs of suffixes", "x§" + "'s" * 900 + ". "),
        Kind("runs of signs", "x§" + ":)" * 90 + ". "),
    ]
    splitter = SPLITTERS[lang]
    # Shorter texts hold a run once, and spaCy remembers it: they would take no time at all.
    assert slow(lambda text: list(splitter(text)), paragraphs, size=4_000) == {}
    # A run that is only as long as it may be takes no time in the square of that either.
    for kind in paragraphs[-4:]:
        assert is_quick(lambda text: list(splitter(text)), kind.text(9_000), 0.4), kind.name


def test_stop_words_of_a_language_that_has_a_list_and_of_others() -> None:
    english = spacy_splitter.listed_stop_words("en")
    assert {"the", "n't"} <= set(english)
    assert english == sorted(english)
    assert (
        spacy_splitter.listed_stop_words("xx")
        == spacy_splitter.listed_stop_words("tlh")
        == spacy_splitter.listed_stop_words("..")
        == []
    )


@pytest.mark.parametrize("language", languages())
def test_every_configured_language_has_some_and_those_of_its_file_match(language: str) -> None:
    found = spacy_splitter.stop_words(language)
    assert len(found) >= 150
    of = load_language(language)
    single = [word for word in of.stopwords if " " not in normalise(word, keep_apostrophes=True)]
    text = normalise(" ".join(single), keep_apostrophes=of.keep_apostrophes)
    assert topic_words(text, found) == []


def test_what_the_list_of_the_configuration_lacks_comes_from_spacy() -> None:
    assert "the" not in load_language("en").stopwords
    assert "the" in spacy_splitter.stop_words("en")


@pytest.mark.parametrize(
    ("language", "sentence", "left"),
    [
        ("en", "He didn't say they're wrong; it isn't the mayor's.", ["wrong", "mayor"]),
        ("fr", "L'église n'est pas celle d'une reine", ["église", "reine"]),
        ("it", "Dell'arte e l'opera", ["arte", "opera"]),
        ("ca", "L'església no s'ha obert", ["església", "obert"]),
        ("uk", "Сім'я та п'яний король", ["сім'я", "п'яний", "король"]),
        ("no", "Hun er dronning", ["dronning"]),
        ("vi", "Chúng tôi chết", ["chết"]),
        ("zh", "我们的大学", ["大学"]),
        ("ja", "この村の水車", ["の村", "村の", "の水", "水車"]),
    ],
)
def test_words_with_apostrophes_and_phrases(language: str, sentence: str, left: list[str]) -> None:
    of = load_language(language)
    norm = normalise(sentence, keep_apostrophes=of.keep_apostrophes)
    assert topic_words(norm, spacy_splitter.stop_words(language)) == left


def test_a_file_or_nothing_takes_their_place(tmp_path: Path) -> None:
    assert spacy_splitter.stop_words("", "none") == frozenset()
    path = tmp_path / "mine.txt"
    path.write_text("\ufeffVillage\r\n\r\n#river\n", "utf-8")
    assert spacy_splitter.stop_words("en", path) == {"village", "river"}


@pytest.mark.parametrize("language", ["", "tlh", "../en", "en-simple"])
def test_a_language_that_nobody_knows_is_refused_with_what_to_give(language: str) -> None:
    with pytest.raises(UsageError, match=r"--stop-words FILE \(one a line\), or --stop-words none"):
        spacy_splitter.stop_words(language)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="cannot be read"):
        spacy_splitter.stop_words("en", tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes(b"\xe9t\xe9\n")
    with pytest.raises(WikibiasError, match="not UTF-8"):
        spacy_splitter.stop_words("fr", tmp_path / "latin.txt")


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
