"""fastText behind the protocol of models."""

from __future__ import annotations

import numpy as np

from sample_examples import examples
from wikibias.models.estimators import registry

TRAIN = examples("train", 240, 1)


def test_a_label_inside_a_sentence_does_not_reach_fasttext() -> None:
    model = registry.create("fasttext").fit(
        ["__label__biased the river\nx"] * 20 + TRAIN.texts, np.r_[[False] * 20, TRAIN.biased]
    )
    assert 0 <= model.predict_proba(["the river"])[0] <= 1
