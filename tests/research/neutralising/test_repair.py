"""What one edit leaves of a text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casefiles import cases
from wikibias.research.neutralising.repair import edited


@pytest.mark.parametrize("case", cases("rewrite_repairs"))
def test_an_edit_leaves_a_text_that_reads_well(case: dict[str, Any]) -> None:
    start = case["text"].index(case["word"])
    end = start + len(case["word"])
    found = edited(case["text"], start, end, case.get("by", ""), case.get("lang"))
    assert found == case["left"]


@given(st.text(max_size=40), st.data())
def test_any_text_can_be_edited_and_nothing_far_away_changes(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = edited(text, start, end, "", "en")
    assert len(found) <= len(text) + 1  # an article may grow
    assert (
        edited(text, start, start, "x", None)
        == text[:start] + ("X" if text[start : start + 1].isupper() else "x") + text[start:]
    )
