"""The facts of an edit."""

import io
from time import process_time
from typing import Any

import pytest

from casefiles import cases
from exports import Page, Revision, export
from hostile_texts import kinds
from wikibias.config.languages import load_language
from wikibias.dumps.xml import fast_reader
from wikibias.edits.intents import edit_facts
from wikibias.edits.intents.markup_elements import names_of

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
    xml = export([Page("Mill", [Revision(before), Revision(after, comment="why")])])
    older, newer = (r for page in fast_reader.read(io.BytesIO(xml)).pages for r in page.revisions)
    for _ in range(2):
        by_bytes, by_text = (
            edit_facts.facts_between(older, newer),
            edit_facts.facts_of(before, after, "why"),
        )
        assert by_bytes is not None
        for edit in (by_bytes, by_text):
            assert (edit.lines[0].before, edit.lines[0].after, edit.summary) == (
                before,
                after,
                "why",
            )
    assert edit_facts.facts_between(older, older) is None


def test_the_edited_lines_are_those_of_both_sides() -> None:
    edit = edit_facts.facts_of("a\nThe mill.\n\nb", "A\nThe dam.\nnew\nb\nmore")
    both = [line for line in edit.lines if line.line_action == "edited"]
    assert [(line.before, line.after) for line in edit.lines_of_both] == [
        (line.before, line.after) for line in both
    ]
    assert len(both) == 2


def all_facts(before: str, after: str) -> float:
    """Return the seconds that it takes to read every fact of everything."""
    started = process_time()
    of = things(edit_facts.facts_of(before, after))
    for fact in edit_facts.FACTS.values():
        for thing in of[fact.of][:50]:
            fact.read(thing)
    return process_time() - started


@pytest.mark.parametrize("kind", kinds()[::20], ids=lambda kind: kind.name)
def test_the_cost_of_hostile_texts_is_linear(kind: Any) -> None:
    small, large = kind.text(5_000), kind.text(40_000)
    once = min(all_facts(small, "the mill " + small[::-1]) for _ in range(2))
    assert all_facts(large, "the mill " + large[::-1]) < 40 * once + 1
