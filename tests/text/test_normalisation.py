"""Sentences to the form that is compared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casefiles import cases
from wikibias.text.normalisation import normalise
from wikis import segmenter


@pytest.mark.parametrize("case", cases("norm"))
def test_norm(case: dict[str, Any]) -> None:
    assert segmenter(case["lang"]).normalise(case["text"]) == case["norm"]


@given(st.text(), st.booleans())
def test_norm_is_stable(text: str, keep: bool) -> None:
    once = normalise(text, keep_apostrophes=keep)
    assert normalise(once, keep_apostrophes=keep) == once
    assert once == once.strip()
    assert "  " not in once
    assert "\t" not in once
    assert "\n" not in once
