"""Negatives of featured articles for labels: judged for them, and as long as their positives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus.labelled.matching import matched
from wikibias.corpus.labelled.sentences import KINDS, POSITIVE, Sentences
from wikibias.corpus.topics import DIMENSIONS

CITATION, CLARIFICATION = 0b01, 0b10
BOTH = CITATION | CLARIFICATION


def sentences(labels: list[int], judged: list[int], words: list[int], page: list[int]) -> Sentences:
    """Return positives where there are labels, and else sentences of featured articles."""
    numbers: NDArray[np.int64] = np.arange(len(labels))
    kind = [POSITIVE if each else KINDS.index("featured") for each in labels]
    topics = np.zeros((max(page) + 1, DIMENSIONS), np.float32)
    return Sentences(
        number=numbers,
        form=numbers,
        page=np.array(page),
        labels=np.array(labels),
        judged=np.array(judged),
        kind=np.array(kind),
        pages=tuple(("enwiki", each) for each in range(len(topics))),
        left_out={},
        words=np.array(words),
        section=np.zeros(len(labels), np.int64),
        topics=topics,
    )


def rng() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(0))


def test_each_label_takes_what_is_judged_for_it() -> None:
    """Four positives of citation; two of six sentences have a reference."""
    found = sentences(
        labels=[CITATION] * 4 + [0] * 6,
        judged=[CITATION] * 4 + [BOTH] * 4 + [CLARIFICATION] * 2,
        words=[20] * 10,
        page=[0] * 4 + [1, 1, 1, 2, 2, 2],
    )
    order = matched(found, np.arange(4, 10), 2, rng())
    assert sorted(order.tolist()) == [4, 5, 6, 7]


def test_labels_take_turns_and_lengths_are_those_of_the_positives() -> None:
    found = sentences(
        labels=[CITATION] * 3 + [CLARIFICATION] * 3 + [0] * 60,
        judged=[CITATION] * 3 + [CLARIFICATION] * 3 + [BOTH] * 60,
        words=[10] * 3 + [40] * 3 + [10, 20, 40] * 20,
        page=[0] * 6 + [1, 2, 3, 4, 5, 6] * 10,
    )
    order = matched(found, np.arange(6, 66), 2, rng())
    assert found.words[order[:6]].tolist() == [10, 40] * 3
    # As many again, should some fall out.
    assert len(order) == len(set(order.tolist())) == 12


def test_without_candidates_there_are_none() -> None:
    found = sentences([CITATION], [CITATION], [20], [0])
    assert not len(matched(found, np.zeros(0, np.int64), 2, rng()))
