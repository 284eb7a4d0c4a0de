"""What changed within a line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.intents.changed_lines import Change, changes_of
from wikibias.text.similarity import changes

LINES = st.lists(
    st.sampled_from(["the", "old", "mill", " ", "  ", ".", "<ref>", "[[", "]]", "é_1", "水車"]),
    max_size=12,
).map("".join)


@given(LINES, LINES)
def test_the_segments_make_the_newer_line_of_the_older(before: str, after: str) -> None:
    line = before
    for change in reversed(changes_of(before, after)):
        at = change.at_before
        assert line[at:].startswith(change.deleted)
        assert after[change.at_after :].startswith(change.inserted)
        line = line[:at] + change.inserted + line[at + len(change.deleted) :]
    assert line == after


@given(LINES.filter(bool), LINES.filter(bool))
def test_what_the_lines_share_at_their_ends_changes_nothing(before: str, after: str) -> None:
    sides = [re.findall(r"\w+|\s+|[^\w\s]", line) for line in (before, after)]
    numbers = {token: number for number, token in enumerate(dict.fromkeys(sides[0] + sides[1]))}
    keys = [[numbers[token] for token in side] for side in sides]
    expected = [
        ("".join(sides[0][one:two]), "".join(sides[1][three:four]))
        for one, two, three, four in changes(keys[0], keys[1])
    ]
    assert [change[:2] for change in changes_of(before, after)] == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("The mill stood.", "The old mill stood.", [("", "old ")]),
        ("The mill stood.", "The mill stood.<ref>X</ref>", [("", "<ref>X</ref>")]),
        ("It is [[old]].", "It is [[new]].", [("old", "new")]),
        ("", "The mill.", [("", "The mill.")]),
        ("The mill.", "", [("The mill.", "")]),
        ("", "", []),
        ("same", "same", []),
    ],
)
def test_a_tag_does_not_drag_words_along(
    before: str, after: str, expected: list[tuple[str, str]]
) -> None:
    assert [change[:2] for change in changes_of(before, after)] == expected


def test_a_line_of_two_megabytes_is_one_segment() -> None:
    before, after = "old mill " * 200_000, "new dam " * 250_000
    assert changes_of(before, after) == [Change(before.rstrip(), after.rstrip(), 0, 0)]
