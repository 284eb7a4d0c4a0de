"""How likely two sentences of an edit are a pair."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.alignment import Side, Weights, Words, gains_of, nearer, places
from wikibias.records import Sentence
from wikibias.text.normalisation import normalise

Gains = dict[tuple[int, int], int]
TEXTS = st.lists(
    st.lists(st.sampled_from("a bb mill stone 1850 1851".split())).map(" ".join), max_size=12
)


def gains(left: list[str], right: list[str]) -> Gains:
    removed, added = (
        Side.of([Sentence(text, normalise(text)) for text in texts]) for texts in (left, right)
    )
    stand = places([None] * len(left), len(right)), places([None] * len(right), len(left))
    return gains_of((removed, added), Weights((removed, added)), stand)


def test_words_that_many_sentences_have_count_less() -> None:
    names = ("Osgood", "Pell", "Marlow", "Hale")
    left = [f"The band's song {name} is the best of all." for name in names]
    found = gains(left, [f"The band's song {name} was sung by a choir." for name in names[::-1]])
    assert max(found, key=lambda pair: (pair[0] == 0, found[pair])) == (0, 3)
    assert max(found, key=lambda pair: (pair[0] == 3, found[pair])) == (3, 0)


def test_one_word_in_common_makes_no_pair() -> None:
    sang = ["Osgood sang in a choir each winter."]
    assert gains(sang, ["The quarry of Osgood gave work to ninety men."]) == {}


def test_other_endings_of_words_make_no_difference() -> None:
    assert gains(["Мостът е построен от занаятчии."], ["Мостовете са построени от занаятчиите."])


def test_letters_of_a_script_without_spaces_count_two_by_two() -> None:
    assert gains(["この水車は谷で最も美しい。"], ["この水車は谷で古い。"])
    assert gains(["この水車は谷で最も美しい。"], ["鉄道が廃止された。"]) == {}


@given(TEXTS, TEXTS)
def test_the_sides_count_alike(left: list[str], right: list[str]) -> None:
    swapped = {(b, a): gain for (a, b), gain in gains(right, left).items()}
    assert gains(left, right) == swapped


def in_common(left: Words, right: Words, weights: Weights) -> float:
    common = sum(weights[word] * min(many, right[word]) for word, many in left.items())
    both = sum(weights[word] * many for side in (left, right) for word, many in side.items())
    return 2 * common / max(1, both)


@given(TEXTS, TEXTS, st.randoms())
def test_one_sentence_more_is_counted_as_all_together(
    left: list[str], right: list[str], random: Any
) -> None:
    one, other = (
        Side.of([Sentence(text, normalise(text)) for text in texts]) for texts in (left, right)
    )
    weights = Weights((one, other))
    for whole in one.words:
        parts, more = (random.choice(other.words or [Counter()]) for _ in range(2))
        total = weights.total(whole), weights.total(parts), weights.total(more)
        expected = in_common(whole, parts + more, weights) - in_common(whole, parts, weights)
        assert nearer(whole, parts, more, weights, total) == expected


@given(TEXTS, TEXTS)
def test_a_word_counts_the_less_the_more_sentences_have_it(
    left: list[str], right: list[str]
) -> None:
    sides = tuple([text.split() for text in texts] for texts in (left * 5, right))
    one, other = (
        Side.of([Sentence(text, normalise(text)) for text in texts]) for texts in (left * 5, right)
    )
    weights = Weights((one, other))
    for word in ("a", "bb", "mill", "stone", "1850"):
        many = max(sum(word in text for text in side) for side in sides)
        length = {"1850": 5}.get(word, len(word))
        if many:
            assert weights[word] == (1_000_000 * length // (5 * many) if many <= 32 else 0)


def test_places_lie_between_those_of_the_neighbours() -> None:
    found = places([None, 0, None, None, 4, None], 6)
    assert list(found.own) == [0, 2, 3, 5]
    assert list(found.other) == pytest.approx([-0.5, 4 / 3, 8 / 3, 5])
