"""Stop words of languages, of files, and in the form of sentences."""

from pathlib import Path

import pytest

from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.selection_bias.samples import topic_words
from wikibias.text.segmentation import normalise
from wikibias.text.stop_words import listed_stop_words, stop_words


def test_stop_words_of_a_language_that_has_a_list_and_of_others() -> None:
    english = listed_stop_words("en")
    assert {"the", "n't"} <= set(english)
    assert english == sorted(english)
    assert listed_stop_words("xx") == listed_stop_words("tlh") == listed_stop_words("..") == []


@pytest.mark.parametrize("language", languages())
def test_every_configured_language_has_some_and_those_of_its_file_match(language: str) -> None:
    found = stop_words(language)
    assert len(found) >= 150
    of = load_language(language)
    single = [word for word in of.stopwords if " " not in normalise(word, keep_apostrophes=True)]
    text = normalise(" ".join(single), keep_apostrophes=of.keep_apostrophes)
    assert topic_words(text, found) == []


def test_what_the_list_of_the_configuration_lacks_comes_from_spacy() -> None:
    assert "the" not in load_language("en").stopwords
    assert "the" in stop_words("en")


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
    assert topic_words(norm, stop_words(language)) == left


def test_a_file_or_nothing_takes_their_place(tmp_path: Path) -> None:
    assert stop_words("", "none") == frozenset()
    path = tmp_path / "mine.txt"
    path.write_text("\ufeffVillage\r\n\r\n#river\n", "utf-8")
    assert stop_words("en", path) == {"village", "river"}


@pytest.mark.parametrize("language", ["", "tlh", "../en", "en-simple"])
def test_a_language_that_nobody_knows_is_refused_with_what_to_give(language: str) -> None:
    with pytest.raises(UsageError, match=r"--stop-words FILE \(one a line\), or --stop-words none"):
        stop_words(language)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="cannot be read"):
        stop_words("en", tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes(b"\xe9t\xe9\n")
    with pytest.raises(WikibiasError, match="not UTF-8"):
        stop_words("fr", tmp_path / "latin.txt")
