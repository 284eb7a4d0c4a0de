"""Labels of words, and the spans that they mark."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.research.spans.labels import first_orphan, is_label, labelled, spans

LABELS = st.lists(st.sampled_from(["O", "B-bias", "I-bias"]), max_size=12)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("", []),
        ("O O", []),
        ("B I O B", [(0, 2), (3, 4)]),
        ("B B I", [(0, 1), (1, 3)]),
        ("I I O I", [(0, 2), (3, 4)]),
        ("B-framing I-demographic", [(0, 2)]),
    ],
)
def test_spans_begin_with_b_or_with_an_i_after_o(labels: str, found: list[object]) -> None:
    assert spans(labels.split()) == found


@given(LABELS)
def test_labels_of_the_spans_are_the_labels_without_orphans(labels: list[str]) -> None:
    made = labelled(len(labels), spans(labels))
    assert spans(made) == spans(labels)
    assert first_orphan(made) is None
    assert (made == labels) == (first_orphan(labels) is None)


@pytest.mark.parametrize("text", ["O", "B", "I", "B-bias", "I-framing"])
def test_labels(text: str) -> None:
    assert is_label(text)


@pytest.mark.parametrize("text", ["", "o", "X", "B-", "O-bias", "bias", "BI", f"B-{'x' * 99}"])
def test_what_is_no_label(text: str) -> None:
    assert not is_label(text)
