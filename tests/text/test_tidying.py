"""Paragraphs with their kinds and gaps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casefiles import cases
from wikibias.records import Paragraph
from wikibias.text import tidying
from wikibias.text.cleaning import visible_paragraphs
from wikibias.text.tidying import heading_key, paragraphs
from wikis import rules


def with_gaps(paragraph: Paragraph) -> str:
    """Return the text of a paragraph with a bar at each gap."""
    text = paragraph.text
    for gap in reversed(paragraph.gaps):
        text = f"{text[:gap]}|{text[gap:]}"
    return text


@pytest.mark.parametrize("case", cases("blocks"))
def test_kinds_and_gaps(case: dict[str, Any]) -> None:
    found = visible_paragraphs(case["wikitext"], rules(case.get("lang", "en")))
    assert [[p.block, with_gaps(p)] for p in found] == case["paragraphs"]


PIECES = [*tidying.ALL, "Words", "Ab. ", " ", "(", ")", ",", ".", "\n", "\n\n", "''", "'''", "水"]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_gaps_lie_inside_tidy_texts(raw: str) -> None:
    raw = raw.replace(tidying.HEADING, f"\n\n{tidying.HEADING}2Title\n\n")
    for paragraph in paragraphs(raw, {}):
        assert paragraph.text == paragraph.text.strip()
        assert not any(mark in paragraph.text for mark in tidying.ALL)
        assert all(0 <= gap <= len(paragraph.text) for gap in paragraph.gaps)
        assert sorted(set(paragraph.gaps)) == list(paragraph.gaps)


def test_sections_end_with_a_heading_of_their_level_or_above() -> None:
    def heading(level: int, title: str) -> str:
        return f"\n\n{tidying.HEADING}{level}{title}\n\n"

    raw = (
        "Lead."
        + heading(3, "See also")
        + "An entry."
        + heading(4, "Notes")
        + "Another entry."
        + heading(3, "History")
        + "Text."
    )
    found = paragraphs(raw, {"see also": "see_also"})
    assert [p.block for p in found] == ["paragraph", "see_also", "see_also", "paragraph"]


def test_a_heading_is_looked_up_without_bold_case_and_colon() -> None:
    assert heading_key(" '''See  Also''': ") == heading_key("see also")
