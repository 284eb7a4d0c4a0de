"""What pages are about, as vectors of hashed words."""

from __future__ import annotations

import numpy as np

from wikibias.corpus.topics import DIMENSIONS, Topics

RIVERS = ["the river flows through the valley", "its tributary joins the river at the weir"]
SAINTS = ["the abbot founded the monastery", "the monks left the monastery with the abbot"]


def test_pages_of_one_subject_are_alike() -> None:
    topics = Topics()
    pages = [RIVERS[:1], SAINTS[:1], RIVERS[1:], SAINTS[1:]]
    for number, page in enumerate(pages):
        for sentence in page:
            topics.add(number, sentence)
    rows = topics.vectors(4)
    assert rows.shape == (4, DIMENSIONS)
    likeness = rows @ rows.T
    assert likeness[0].argsort()[-2] == 2
    assert likeness[1].argsort()[-2] == 3


def test_a_script_without_spaces_counts_in_pairs_of_letters() -> None:
    topics = Topics()
    for number, text in enumerate(["河流流经山谷", "河流汇入山谷", "修道院由院长创立"]):
        topics.add(number, text)
    rows = topics.vectors(3)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_a_page_of_which_nothing_is_known_is_like_none() -> None:
    topics = Topics()
    topics.add(2, "the river")
    topics.add(0, "the abbot")
    rows = topics.vectors(4)
    assert not rows[[1, 3]].any()
    assert np.allclose(np.linalg.norm(rows[[0, 2]], axis=1), 1)
    assert not Topics().vectors(1).any()
