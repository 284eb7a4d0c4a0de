from __future__ import annotations

import numpy as np

from wikibias.research.neural.encoder import joined, targets


def test_types_are_learnt_where_there_is_any() -> None:
    labels = np.array([[True, False], [False, False], [False, False], [True, True]])
    judged = np.array([[True, True], [True, True], [True, False], [False, True]])
    any_first, known = targets(labels, judged)
    assert any_first.tolist() == [
        [True, True, False],
        [False, False, False],
        [False, False, False],
        [True, False, True],
    ]
    assert known.tolist() == [
        [True, True, True],
        [True, False, False],
        [False, False, False],  # it has none that is known, and not all are judged
        [True, False, True],
    ]


def test_a_type_is_as_likely_as_any_and_it() -> None:
    assert joined(np.array([[0.5, 0.5, 1.0]])).tolist() == [[0.25, 0.5]]
