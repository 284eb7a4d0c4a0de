"""The tagger on an encoder: a tiny one is made and trained here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tiny_encoders
from made_pairs import PRAISE, made_pairs, made_sentences
from wikibias.errors import UsageError
from wikibias.research.spans.taggers import TAGGERS, Tagger, top_word

pytestmark = pytest.mark.neural


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [side for pair in made_pairs(40) for side in pair]
    return tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), texts)


@pytest.fixture(scope="module")
def tagger(base: Path) -> Tagger:
    made = TAGGERS.create("encoder", base=str(base), epochs=12, rate=5e-3)
    return made.fit(made_sentences(40), made_sentences(10, seed=3))


def test_it_learns_what_editors_take_out(tagger: Tagger) -> None:
    sentences = [each for each in made_sentences(20, seed=7) if each.biased]
    found = tagger.probabilities([each.words for each in sentences])
    tops = [top_word(words) for words in found]
    hits = [
        top is not None and each.words[top] in PRAISE
        for each, top in zip(sentences, tops, strict=True)
    ]
    assert sum(hits) > 15


def test_a_saved_one_answers_alike(tagger: Tagger, tmp_path: Path) -> None:
    TAGGERS.save(tagger, tmp_path, {})
    loaded, described = TAGGERS.load(tmp_path)
    sentence = ["the", "glorious", "mill", "opened"]
    one, other = (each.probabilities([sentence])[0] for each in (tagger, loaded))
    assert np.allclose(one, other, atol=1e-6)
    assert described["training"]["device"]
    assert "model.safetensors" in described["files"]


def test_long_and_empty_sentences(tagger: Tagger) -> None:
    long, empty, short = tagger.probabilities([["the", "truly"] * 5000, [], ["truly"]])
    assert long.shape == (10_000, 2)
    assert empty.shape == (0, 2)
    assert 0 < short.sum() < 1
    assert tagger.probabilities([]) == []


def test_an_encoder_must_be_named() -> None:
    with pytest.raises(UsageError, match="say which one with --base"):
        TAGGERS.create("encoder").fit(made_sentences(2), [])
