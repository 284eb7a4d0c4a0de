"""The facts of an edit."""

import io
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import Page, export
from exports import Revision as Exported
from hostile_texts import kinds, slow
from paths import cases
from wikibias.config.languages import load_language
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.edits.intents import edit_facts
from wikibias.edits.intents.markup_elements import names_of
from wikibias.records import ChangedLine, Revision
from wikibias.text.similarity import changes

Things = dict[str, list[edit_facts.Edit | edit_facts.Line | edit_facts.Segment]]


def things(edit: edit_facts.Edit) -> Things:
    """Return an edit, its lines and their segments, by scope."""
    segments = [segment for line in edit.lines for segment in line.segments]
    return {"edit": [edit], "line": list(edit.lines), "segment": list(segments)}


@pytest.mark.parametrize("case", cases("edit_facts"))
def test_facts_of_edits(case: Any) -> None:
    names = names_of(load_language(case["lang"])) if "lang" in case else edit_facts.NAMES
    edit = edit_facts.facts_of(case["before"], case["after"], case.get("summary", ""), names)
    of = things(edit)
    found = {name: getattr(of[edit_facts.FACTS[name].of][0], name) for name in case["facts"]}
    assert found == case["facts"]


def test_every_fact_can_be_read_and_has_the_type_that_it_states() -> None:
    edit = edit_facts.facts_of(
        "The mill.\n* old\ngone", "The old mill.<ref>X</ref>\n* new", "copy-edit"
    )
    of = things(edit)
    assert len(of["segment"]) == 4
    types = {"truth": (bool,), "number": (int, float), "text": (str,)}
    for name, fact in edit_facts.FACTS.items():
        for thing in of[fact.of]:
            assert type(fact.read(thing)) in types[fact.type], name


def test_an_edit_that_changed_nothing_has_no_lines() -> None:
    edit = edit_facts.facts_of("same", "same")
    assert (edit.changed_lines, edit.page_references_added) == (0, 0)
    assert (edit.lines_in_sections, edit.lines_of_both) == ((), [])


def test_the_lines_of_an_edit_are_told_with_their_sections() -> None:
    edit = edit_facts.facts_of(
        "Lead.\n== Mill ==\nOld & new.\n", "Lead.\n== Mill ==\nNew.\nMore.\n"
    )
    assert [tuple(line) for line in edit.lines_in_sections] == [
        ("Old & new.", "New.", "Mill"),
        ("", "More.", "Mill"),
    ]


def test_a_line_seen_before_has_the_same_facts_from_bytes_as_from_text() -> None:
    before, after = "A &lt;ref> &amp; b.", "A <ref>&amp;</ref> c."
    xml = export([Page("Mill", [Exported(before), Exported(after, comment="why")])])
    older, newer = (r for page in fast_reader.read(io.BytesIO(xml)).pages for r in page.revisions)
    for _ in range(2):
        by_bytes = edit_facts.facts_between(older, newer)
        assert by_bytes is not None
        for edit in (by_bytes, edit_facts.facts_of(before, after, "why")):
            told = edit.lines[0].before, edit.lines[0].after, edit.summary
            assert told == (before, after, "why")
    assert edit_facts.facts_between(older, older) is None


def test_the_cost_of_hostile_texts_is_linear() -> None:
    def all_facts(text: str) -> None:
        of = things(edit_facts.facts_of(text, "the mill " + text[::-1]))
        for fact in edit_facts.FACTS.values():
            for thing in of[fact.of][:50]:
                fact.read(thing)

    assert slow(all_facts, kinds()[::20], 5_000) == {}


LINES = st.sampled_from(
    ["", " ", *'The mill.|The old mill.|== Mill ==|=== Dam ===|= x|a & "b" <c>|é\'|a'.split("|")]
)
TEXTS = st.lists(LINES, max_size=8).map("\n".join)


def changed(before: str, after: str) -> list[ChangedLine]:
    """Return the changed lines with their sections."""
    return list(read(edit_facts.region_of(before, after)))


def read(region: edit_facts.Region | None) -> Iterator[ChangedLine]:
    if region is None:
        return
    lines = list(edit_facts.changed_lines(region, edit_facts.blocks_of(region)))
    for line, section in zip(lines, edit_facts.sections_of(region, lines), strict=True):
        before, after = (region.read(side) if side else "" for side in (line.before, line.after))
        yield ChangedLine(before, after, section)


def of_whole_texts(before: str, after: str) -> list[ChangedLine]:
    """Return the changed lines as a reader would find them who compares all lines of the page."""
    old, new = before.split("\n"), after.split("\n")
    found = []
    for one, two, three, four in changes(old, new):
        pairs = zip_longest(range(one, two), range(three, four))
        for was, now in pairs:
            left = old[was] if was is not None else ""
            right = new[now] if now is not None else ""
            left, right = left if left.strip() else "", right if right.strip() else ""
            if right and now is not None:
                found.append(ChangedLine(left, right, above(new, now)))
            elif left and was is not None:
                found.append(ChangedLine(left, "", above(old, was)))
    return found


def above(lines: list[str], number: int) -> str:
    """Return the heading above a line."""
    return next(
        (title for line in lines[:number][::-1] if (title := edit_facts.heading_of(line))), ""
    )


@given(TEXTS, TEXTS)
def test_what_both_texts_share_at_the_ends_changes_nothing(before: str, after: str) -> None:
    assert changed(before, after) == of_whole_texts(before, after)


@given(TEXTS, TEXTS)
def test_edited_lines_are_the_changed_lines_of_both_sides(before: str, after: str) -> None:
    region = edit_facts.region_of(before, after)
    if region is not None:
        blocks = edit_facts.blocks_of(region)
        both = [
            line for line in edit_facts.changed_lines(region, blocks) if line.before and line.after
        ]
        assert list(edit_facts.edited_lines(region, blocks)) == both


def revisions(texts: list[str]) -> tuple[list[Revision], list[Revision]]:
    """Return revisions with these texts as either reader gives them."""
    xml = export([Page("Mill", [Exported(text) for text in texts])])
    found = []
    for reader in (fast_reader, mwxml_reader):
        dump = reader.read(io.BytesIO(xml))
        found.append([revision for page in dump.pages for revision in page.revisions])
    return found[0], found[1]


def seen(before: Revision, after: Revision) -> list[ChangedLine]:
    return list(read(edit_facts.region_between(before, after)))


@given(st.lists(TEXTS.filter(bool), min_size=2, max_size=4))
def test_both_readers_lead_to_the_same_lines(texts: list[str]) -> None:
    fast, plain = revisions(texts)
    assert [revision.text for revision in fast] == texts
    for number in range(1, len(texts)):
        expected = seen(plain[number - 1], plain[number])
        assert seen(fast[number - 1], fast[number]) == expected
        assert expected == changed(texts[number - 1], texts[number])


def test_an_end_of_line_that_xml_makes_of_a_carriage_return_cuts_a_line() -> None:
    xml = export([Page("Mill", [Exported("One A two"), Exported("One A three")])])
    dump = fast_reader.read(io.BytesIO(xml.replace(b" A ", b"\r")))
    before, after = (revision for page in dump.pages for revision in page.revisions)
    assert seen(before, after) == [ChangedLine("two", "three")]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("== Mill ==", "Mill"),
        ("===Dam=== <!-- see talk -->", "Dam"),
        ("= One =", "One"),
        ("== Open", ""),
        ("====", "=="),
        ("Mill ==", ""),
        ("", ""),
        ("=" * 5000, ""),
    ],
)
def test_headings(line: str, title: str) -> None:
    assert edit_facts.heading_of(line) == title


def test_lines_by_the_hundred_thousand_are_one_block() -> None:
    region = edit_facts.region_of(
        "\n".join(f"a{n}" for n in range(50_000)), "\n".join(f"b{n}" for n in range(50_000))
    )
    assert region is not None
    assert [len(block.before) for block in edit_facts.blocks_of(region)] == [50_000]
    assert sum(1 for _ in edit_facts.changed_lines(region, edit_facts.blocks_of(region))) == 50_000


LINES_SEGMENTS = st.lists(
    st.sampled_from(["the", "old", "mill", " ", "  ", ".", "<ref>", "[[", "]]", "é_1", "水車"]),
    max_size=12,
).map("".join)


@given(LINES_SEGMENTS, LINES_SEGMENTS)
def test_the_segments_make_the_newer_line_of_the_older(before: str, after: str) -> None:
    line = before
    for change in reversed(edit_facts.changes_of(before, after)):
        at = change.at_before
        assert line[at:].startswith(change.deleted)
        assert after[change.at_after :].startswith(change.inserted)
        line = line[:at] + change.inserted + line[at + len(change.deleted) :]
    assert line == after


@given(LINES_SEGMENTS.filter(bool), LINES_SEGMENTS.filter(bool))
def test_what_the_lines_share_at_their_ends_changes_nothing(before: str, after: str) -> None:
    sides = [re.findall(r"\w+|\s+|[^\w\s]", line) for line in (before, after)]
    expected = [
        ("".join(sides[0][one:two]), "".join(sides[1][three:four]))
        for one, two, three, four in changes(*sides)
    ]
    assert [change[:2] for change in edit_facts.changes_of(before, after)] == expected


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
    assert [change[:2] for change in edit_facts.changes_of(before, after)] == expected


def test_an_endless_line_is_one_segment() -> None:
    before, after = "old mill " * 50_000, "new dam " * 60_000
    assert edit_facts.changes_of(before, after) == [
        edit_facts.Change(before.rstrip(), after.rstrip(), 0, 0)
    ]
