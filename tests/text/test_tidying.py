"""Paragraphs with their kinds and gaps."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import cases
from wikibias.records import Paragraph
from wikibias.text import tidying
from wikibias.text.cleaning import visible_paragraphs
from wikibias.text.tidying import GAP, SEAM, heading_key, paragraphs, without_litter, without_quotes
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


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("a _ b", "a |b"),
        ("a_ b", "a| b"),
        ("a_b", "a |b"),
        ("a ~ b", "a b"),
        ("a~b", "a b"),
        ("水~水", "水水"),
        ("_ a _", "|a|"),
        ("_", "|"),
        ("a (_) b", "a b"),
        ("a (_, b) c", "a (|b) c"),
        ("a, _. B", "a|. B"),
        ("a. _. B", "a. B"),
    ],
)
def test_marks(text: str, tidy: str) -> None:
    marked = text.replace("_", GAP).replace("~", SEAM)
    assert without_litter(marked).replace(GAP, "|") == tidy


def test_a_text_without_marks_keeps_what_somebody_wrote() -> None:
    text = "It calls main(), ,, twice.. (a, b) «x» ; so [sic] ..."
    assert without_litter(text) == text


@given(st.lists(st.sampled_from([GAP, SEAM, " ", *"()[],.;:ab水（）、。«»"])).map("".join))
def test_only_gaps_are_left(text: str) -> None:
    tidy = without_litter(" ".join(text.split()))
    assert SEAM not in tidy
    assert "  " not in tidy
    assert tidy == tidy.strip()
    assert f"{GAP} {GAP}" not in tidy


MARKED = st.lists(st.sampled_from([GAP, SEAM, *" (),.;)）ab"])).map("".join)


@given(MARKED)
def test_what_is_only_looked_for_is_not_there(text: str) -> None:
    """A quick pattern says where a slow one is worth its time."""
    for quick, slow in (
        (tidying._ENDS, tidying._END),
        (tidying._STANDS_APART, tidying._SPACE_BEFORE_STOP),
        (tidying._VANISHED_BEFORE_MARK, tidying._SPACE_BEFORE_MARK),
    ):
        assert (quick.search(text) is None) == (slow.search(text) is None)


def test_no_text_holds_them() -> None:
    assert all(unicodedata.category(mark) == "Cn" for mark in tidying.ALL)
    assert len(set(tidying.ALL)) == len(tidying.ALL)
    assert tidying.without_marks("a".join(tidying.ALL)) == "a" * (len(tidying.ALL) - 1)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("'''Elm''' is ''a'' '''''tree'''''", "Elm is a tree"),
        ("l'''Iliade''", "l'Iliade"),
        ("a ''''b'''", "a 'b"),
        ("no marks, don't", "no marks, don't"),
    ],
)
def test_marks_go_and_apostrophes_stay(line: str, text: str) -> None:
    assert without_quotes(line) == text
