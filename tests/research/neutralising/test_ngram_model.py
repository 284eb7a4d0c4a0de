"""A language model of up to three words in a row."""

from __future__ import annotations

from wikibias.research.neutralising.ngram_model import NgramModel

SENTENCES = ["the mill of the town", "the bridge of the town", "a mill by the river"] * 3


def model() -> NgramModel:
    found = NgramModel()
    for fold, sentence in enumerate(SENTENCES):
        found.add(sentence.split(), fold)
    return found


def test_a_word_that_was_never_seen_there_is_better_gone() -> None:
    keys = "the awful mill of the town".split()
    gains = [model().gain(keys, place, ()) for place in range(len(keys))]
    assert max(range(len(keys)), key=gains.__getitem__) == 1


def test_a_replacement_that_was_seen_there_gains() -> None:
    keys = "the hall of the town".split()
    assert model().gain(keys, 1, ("mill",)) > model().gain(keys, 1, ("river",))
    assert model().gain(keys, 1, ("hall",)) == 0


def test_a_fold_that_is_left_out_is_not_counted() -> None:
    found = NgramModel()
    found.add(["odd", "words"], 0)
    found.add(["the", "mill"], 1)
    never = NgramModel()
    never.add(["the", "mill"])
    keys = ["the", "words", "mill"]
    assert found.gain(keys, 1, (), 0) == never.gain(keys, 1, ())
