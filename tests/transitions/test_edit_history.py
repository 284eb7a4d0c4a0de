"""What the history of a page tells of a transition, but for restores and what follows."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from histories import MATCHER, ORIGIN, history, revisions
from wikibias.config.thresholds import Reverts
from wikibias.records import History, Page, ReadRevision
from wikibias.transitions.detection import transitions


def removal(texts: list[str | None]) -> History:
    return next(t for t in history(texts) if t.provenance.kind == "removed").history


def test_revisions_without_text_between_are_counted() -> None:
    assert removal(["{{POV}} a", "b"]).revisions_between == 0
    assert removal([None, "{{POV}} a", None, None, "b", None]).revisions_between == 2


def test_tags_that_are_left_or_swapped_in() -> None:
    both = removal(["{{POV}} {{weasel}} a", "{{weasel}} {{peacock}} a"])
    assert (both.tags_left, both.tags_swapped_in) == (("Weasel",), ("Peacock",))
    none = removal(["{{POV}} a", "a"])
    assert (none.tags_left, none.tags_swapped_in) == ((), ())


def test_an_addition_swaps_nothing_in() -> None:
    added = history(["{{weasel}} a", "{{weasel}} {{POV}} a"])[-1]
    assert added.provenance.tags == ("POV",)
    assert (added.history.tags_left, added.history.tags_swapped_in) == (("Weasel",), ())


@pytest.mark.parametrize("parent", [None, 0, 1, 17])
def test_the_parent_is_what_the_dump_says(parent: int | None) -> None:
    first, second = (cast(ReadRevision, r) for r in revisions(["{{POV}} a", "b"]))
    page = Page(7, "P", 0, iter([first, replace(second, parent_id=parent)]))
    found = list(transitions([page], ORIGIN, MATCHER, per="tag", reverts=Reverts()))[-1]
    assert found.history.parent_rev_id == parent


def test_a_span_has_the_history_of_the_edit_that_ended_it() -> None:
    texts = ["a", "{{POV}} {{weasel}} b", "{{POV}} {{weasel}} c", "{{weasel}} a", "d", "e"]
    found = history(texts, spans="skip reverted")
    ended = {t.provenance.after_rev_id: t.history for t in found if t.provenance.kind == "removed"}
    spans = [t for t in found if t.provenance.pairing == "tagged-span"]
    assert [t.provenance.after_rev_id for t in spans] == [4, 5]
    assert all(t.history == ended[t.provenance.after_rev_id] for t in spans)
    assert [t.history.tags_left for t in spans] == [("Weasel",), ()]


def test_a_span_of_one_tag_of_several_has_its_tags_left_per_any_too() -> None:
    texts = ["a", "{{POV}} {{weasel}} b", "{{weasel}} c", "d", "e"]
    spans = history(texts, per="any", spans="skip reverted")
    left = [t.history.tags_left for t in spans if t.provenance.pairing == "tagged-span"]
    assert left == [("Weasel",), ()]
