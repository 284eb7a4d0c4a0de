"""Logistic regression on differences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wikibias.models.estimators import registry

TOWNS = ("Elm", "Oak", "Ash", "Fir", "Yew", "Box")
PAIRS = [
    (f"The {word} mill of {town} burned down.", f"The mill of {town} burned down.")
    for word in ("splendid", "awful")
    for town in TOWNS
]
TEXTS = [text for pair in PAIRS for text in pair]
BIASED = np.tile([True, False], len(PAIRS))
EDITS = np.repeat(np.arange(len(PAIRS)), 2)
NEW = ["A splendid barn stood here then.", "A barn stood here then."]


def test_it_tells_the_sides_of_a_new_pair_apart() -> None:
    model = registry.fit(registry.create("pair-lr"), TEXTS, BIASED, EDITS)
    first, second = model.predict_proba(NEW)
    assert first > second


def test_without_edits_it_learns_from_sentences() -> None:
    model = registry.fit(registry.create("pair-lr"), TEXTS, BIASED)
    first, second = model.predict_proba(NEW)
    assert first > second


@pytest.mark.parametrize("edits", [EDITS, np.arange(len(TEXTS))])
def test_it_is_saved_without_pickle_and_loaded_again(tmp_path: Path, edits: object) -> None:
    model = registry.fit(registry.create("pair-lr"), TEXTS, BIASED, np.asarray(edits))
    registry.save(model, tmp_path / "model", {})
    again = registry.load(tmp_path / "model")
    assert again.predict_proba(NEW).tolist() == model.predict_proba(NEW).tolist()


def test_edits_with_one_side_say_nothing() -> None:
    more = [*TEXTS, "A splendid lone sentence stands here."]
    biased, edits = np.append(BIASED, False), np.append(EDITS, 99)
    with_it = registry.fit(registry.create("pair-lr", longest=2), more, biased, edits)
    assert with_it.predict_proba(NEW)[0] > with_it.predict_proba(NEW)[1]


def test_models_that_know_no_pairs_learn_as_ever() -> None:
    model = registry.fit(registry.create("char-lr"), TEXTS, BIASED, EDITS)
    assert model.predict_proba(NEW).shape == (2,)
