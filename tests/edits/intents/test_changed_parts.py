"""The parts of two wikitexts that differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.intents.elements import changed_parts

LINES = st.lists(st.sampled_from(["== A ==", "== B ==", "mill", "{{x", "}}", "", "river"]))
WIKITEXTS = LINES.map("\n".join)


def sides(before: str, after: str) -> list[tuple[str, str]]:
    return [(part.before, part.after) for part in changed_parts(before, after).changed]


def test_common_lines_are_cut_off_where_no_markup_is_open() -> None:
    assert sides("a\n\nb\nc\n\nd", "a\n\nx\nc\n\nd") == [("\nb\nc\n", "\nx\nc\n")]
    assert sides("{{x\n|b\n}}\nc", "{{x\n|d\n}}\nc") == [("{{x\n|b\n}}\nc", "{{x\n|d\n}}\nc")]
    assert sides("<ref>a\nb\n</ref>", "<ref>a\nd\n</ref>") == [
        ("<ref>a\nb\n</ref>", "<ref>a\nd\n</ref>")
    ]


def test_sections_that_are_the_same_are_passed_over() -> None:
    assert sides("top\n== A ==\nmill\n== B ==\nriver", "top\n== A ==\nmill\n== B ==\nbank") == [
        ("== B ==\nriver", "== B ==\nbank")
    ]


def test_a_section_keeps_its_partner_under_a_new_heading() -> None:
    body = "Monks built the mill by the river."
    parts = changed_parts(f"\n== History ==\n{body}", f"\n== Past ==\n{body}").changed
    assert [(part.before, part.after) for part in parts] == [
        (f"== History ==\n{body}", f"== Past ==\n{body}")
    ]


@given(before=WIKITEXTS, after=WIKITEXTS)
def test_what_is_cut_off_is_in_both(before: str, after: str) -> None:
    parts = changed_parts(before, after)
    assert (parts.changed == []) <= (sorted(before.split("\n")) == sorted(after.split("\n")))
    gone = sorted(line for part in parts.changed for line in part.before.split("\n"))
    assert len(gone) <= len(before.split("\n")) + len(parts.changed)
    assert changed_parts(before, before).changed == []
