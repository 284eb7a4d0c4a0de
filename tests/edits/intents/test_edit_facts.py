"""The facts of an edit."""

from __future__ import annotations

import pytest

from wikibias.edits.intents.edit_facts import FACTS, facts_of, value
from wikibias.edits.intents.edit_parts import Edit, Line, Segment


def test_every_fact_of_an_edit_can_be_read_and_has_the_type_that_it_states() -> None:
    edit = facts_of("The mill.\n* old\ngone", "The old mill.<ref>X</ref>\n* new", "copy-edit")
    things: dict[str, list[Edit | Line | Segment]] = {
        "edit": [edit],
        "line": list(edit.lines),
        "segment": [segment for line in edit.lines for segment in line.segments],
    }
    assert len(things["segment"]) == 4
    for name, fact in FACTS.items():
        for thing in things[fact.scope]:
            assert type(value(name, thing)) is fact.type, name


def test_an_edit_that_changed_nothing_has_no_lines() -> None:
    edit = facts_of("same", "same")
    assert (value("changed_lines", edit), value("page_references_added", edit)) == (0, 0)
    assert edit.changed_lines == ()


def test_there_is_no_fact_of_another_name() -> None:
    with pytest.raises(KeyError):
        value("tone", facts_of("a", "b"))
