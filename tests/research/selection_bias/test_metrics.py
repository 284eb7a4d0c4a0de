"""B1 and B2 on a toy whose figures are fractions, and their order on any similarities."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wikibias.research.selection_bias.metrics import FIGURES, scores, with_identity

NAN = float("nan")


def test_two_topics_by_hand() -> None:
    first = np.array([[0.5, 0.1], [NAN, NAN]])
    second = np.array([[-0.4, -0.2], [0.8, NAN]])
    zero = dict(zip(FIGURES, scores([first, second], "zero").mean(), strict=True))
    assert np.isclose(zero["b1"], (0.15 + 0.05) / 2)
    assert np.isclose(zero["mean_max"], (0.25 + 0.3) / 2)
    assert np.isclose(zero["max"], (0.5 + 0.8) / 2)
    assert np.isclose(zero["mean_max_floor0"], (0.25 + 0.4) / 2)
    skip = dict(zip(FIGURES, scores([first, second], "skip").mean(), strict=True))
    assert np.isclose(skip["b1"], (0.3 + 0.2 / 3) / 2)
    assert np.isclose(skip["mean_max"], (0.5 + 0.3) / 2)


def test_a_topic_without_any_pair_is_left_out_or_zero() -> None:
    none, one = np.full((2, 2), NAN), np.array([[0.5, 0.5]])
    assert np.allclose(scores([none, one], "skip").mean(), 0.5)
    assert np.allclose(scores([none, one], "zero").mean(), 0.25)
    assert np.isnan(scores([none], "skip").mean()).all()


def test_the_same_word_is_one_even_without_a_vector() -> None:
    found = with_identity(np.full((2, 3), NAN), ["Islam", "tax"], ["islam", "#tag", "ISLAM"])
    assert found[0, 0] == found[0, 2] == 1
    assert np.isnan(found[0, 1])
    assert np.isnan(found[1]).all()


@given(
    st.lists(
        arrays(
            np.float64,
            st.tuples(st.integers(1, 5), st.just(4)),
            elements=st.floats(0, 1),
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["zero", "skip"]),
)
def test_b1_is_below_b2(similarities: list[np.ndarray], missing: str) -> None:
    b1, mean_max, largest, floored, _ = scores(similarities, missing).mean()  # type: ignore[arg-type]
    assert b1 <= mean_max + 1e-12
    assert mean_max <= largest + 1e-12
    assert mean_max == floored
