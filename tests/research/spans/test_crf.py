"""The conditional random field."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tagged_pairs import PRAISE, made_sentences
from wikibias.errors import WikibiasError
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans import registry
from wikibias.research.spans.crf import Crf
from wikibias.research.spans.decoding import top_word

LISTS = [Lexicon.of("praise", PRAISE[:2])]


@pytest.fixture(scope="module")
def tagger() -> Crf:
    return Crf(lexicons=LISTS, l1=0.05, l2=0.5).fit(made_sentences(60), [])


def test_it_finds_what_editors_take_out(tagger: Crf) -> None:
    sentences = [each for each in made_sentences(20, seed=7) if each.biased]
    found = tagger.probabilities([each.words for each in sentences])
    for sentence, words in zip(sentences, found, strict=True):
        assert words.shape == (len(sentence.words), 2)
        top = top_word(words)
        assert top is not None
        assert sentence.words[top] in PRAISE
        assert words[top].sum() > 0.9


def test_what_was_learnt_from_small_letters_ignores_case(tagger: Crf) -> None:
    one, other = tagger.probabilities([["The", "Truly", "Mill"], ["the", "truly", "mill"]])
    assert np.array_equal(one, other)


def test_a_saved_one_answers_alike(tagger: Crf, tmp_path: Path) -> None:
    registry.save(tagger, tmp_path, {})
    loaded, described = registry.load(tmp_path)
    sentence = ["the", "glorious", "mill", "fell"]
    before, after = (each.probabilities([sentence])[0] for each in (tagger, loaded))
    assert np.array_equal(before, after)
    assert described["lexicons"] == {"praise": ["famously", "truly"]}
    assert sorted(described["files"]) == ["change_rates.json", "model.crfsuite"]


def test_the_same_sentences_make_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        Crf().fit(made_sentences(10), []).save(tmp_path)
        (tmp_path / "model.crfsuite").rename(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("content", [b"", b"x" * 100, b"lCRF\x09\x00\x00\x00 short"])
def test_what_is_no_model(content: bytes, tagger: Crf, tmp_path: Path) -> None:
    described = tagger.save(tmp_path)
    (tmp_path / "model.crfsuite").write_bytes(content)
    with pytest.raises(WikibiasError, match="not a model of CRFsuite"):
        Crf.load(tmp_path, {"seed": 0, "parameters": {}, **described})


def test_a_sentence_of_ten_thousand_words(tagger: Crf) -> None:
    (found,) = tagger.probabilities([["the", "mill"] * 5000])
    assert found.shape == (10_000, 2)
