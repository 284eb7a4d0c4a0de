"""Cosines, and what is no vector."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wikibias.research.selection_bias.similarity.cosine import cosines, unit


def test_by_hand() -> None:
    found = cosines(unit([[3, 4], [-4, -3]]), unit([[1, 0], [0, 2]]))
    assert np.allclose(found, [[0.6, 0.8], [-0.8, -0.6]])


@pytest.mark.parametrize("row", [[0, 0], [float("nan"), 1], [float("inf"), 1]])
def test_what_is_no_vector_is_like_nothing(row: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(cosines(unit([row]), unit([[1, 0]]))).all()


@given(arrays(np.float64, (3, 4), elements=st.floats(allow_nan=True, allow_infinity=True)))
@pytest.mark.hypothesis
def test_a_cosine_is_a_cosine_or_none(rows: np.ndarray) -> None:
    found = cosines(unit(rows), unit(rows))
    known = found[~np.isnan(found)]
    assert (np.abs(known) <= 1).all()
    assert np.allclose(np.diag(found)[~np.isnan(np.diag(found))], 1)
