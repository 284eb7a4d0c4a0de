"""What is learnt from must not be what is scored on."""

from __future__ import annotations

from wikibias.research.spans.overlaps import without
from wikibias.research.spans.sentences import of_neutral

TEXTS = [
    "The mill of the upper valley burned in 1874 .",
    "The mill of the upper valley burned down in 1874 and was rebuilt .",
    "A school for girls opened near the harbour .",
]


def test_the_same_and_nearly_the_same_are_left_out() -> None:
    sentences = [of_neutral(text) for text in TEXTS]
    found = without(
        sentences, [("the", "mill", "of", "the", "upper-valley", "burned", "in", "1874")]
    )
    assert [each.words for each in found.sentences] == [sentences[2].words]
    assert (found.same, found.near) == (1, 1)


def test_nothing_held_out_leaves_all() -> None:
    sentences = [of_neutral(text) for text in TEXTS]
    assert without(sentences, []).sentences == sentences
    assert without([], [("a",)]).sentences == []
