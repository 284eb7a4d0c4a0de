"""The words with the largest effect on a prediction."""

from __future__ import annotations

from sample_examples import examples
from wikibias.models.estimators import registry
from wikibias.models.prediction import drivers

TRAIN = examples("train", 240, 1)


def trained(name: str, seed: int = 0) -> registry.Model:
    return registry.create(name, seed=seed).fit(TRAIN.texts, TRAIN.biased)


def test_the_words_that_give_it_away_are_named() -> None:
    words = drivers(trained("nb-lr"), "the town opened a truly north school")
    assert words[0][0] == "truly"
    assert words[0][1] > 0
