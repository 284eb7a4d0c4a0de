from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.corpus import near_duplicates
from wikibias.errors import UsageError

SENTENCES = st.lists(
    st.lists(
        st.sampled_from(["red", "green", "blue", "old", "new", "fox", "dog", "cat"]),
        min_size=1,
        max_size=7,
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, SENTENCES, st.sampled_from(["word", "char"]), st.sampled_from([0.3, 0.5, 0.9]))
def test_no_pair_is_missed_and_none_invented(
    left: list[list[str]], right: list[list[str]], kind: str, threshold: float
) -> None:
    a, b = near_duplicates.vectors(kind, *([" ".join(s) for s in part] for part in (left, right)))
    found = near_duplicates.similar(a, b, threshold)
    everything = (a @ b.T).toarray()
    sure = np.abs(everything - threshold) > 1e-6  # on the border rounding decides
    wanted = set(zip(*np.nonzero((everything >= threshold) & sure), strict=True))
    pairs = list(zip(found.left, found.right, strict=True))
    assert {pair for pair in pairs if sure[pair]} == wanted
    assert pairs == sorted(pairs)
    assert found.cosine == pytest.approx(everything[found.left, found.right])


def test_groups_are_chains() -> None:
    texts = [
        "a b c d e f".replace(" ", "x "),
        "a b c d e g".replace(" ", "x "),
        "something else altogether here",
    ]
    groups = near_duplicates.groups(texts, "word", 0.3)
    assert groups[0] == groups[1] != groups[2]


def test_an_unknown_kind_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="did you mean 'word'"):
        near_duplicates.vectors("words", ["a"])
