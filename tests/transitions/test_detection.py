"""Where a tag comes or goes, and whether the change was undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from histories import MATCHER, ORIGIN, history, revisions
from wikibias.config.thresholds import Reverts
from wikibias.errors import DumpError
from wikibias.mediawiki.titles import diff_url
from wikibias.records import (
    ChangedLine,
    EditFact,
    Page,
    ReadRevision,
    Revision,
    Transition,
    Unreadable,
)
from wikibias.transitions.detection import transitions


def seen(found: list[Transition]) -> list[tuple[str, int | None, int, tuple[str, ...]]]:
    return [
        (
            t.provenance.kind,
            t.provenance.before_rev_id,
            t.provenance.after_rev_id,
            t.provenance.tags,
        )
        for t in found
    ]


def test_added_and_removed() -> None:
    assert seen(history(["a", "{{POV}} a", "{{POV}} b", "b"])) == [
        ("added", 1, 2, ("POV",)),
        ("removed", 3, 4, ("POV",)),
    ]


def test_tagged_from_the_first_revision_on() -> None:
    (added,) = history(["{{POV}}"])
    assert seen([added]) == [("added", None, 1, ("POV",))]
    assert added.before_text == ""
    assert added.provenance.before_timestamp is None


def test_one_of_two_tags_is_a_transition_of_that_tag() -> None:
    texts = ["{{POV}}{{Weasel}}", "{{POV}}", ""]
    assert seen(history(texts))[1:] == [
        ("removed", 1, 2, ("Weasel",)),
        ("removed", 2, 3, ("POV",)),
    ]
    assert seen(history(texts, per="any"))[1:] == [("removed", 2, 3, ("POV",))]


def test_two_tags_at_once_are_one_transition() -> None:
    assert seen(history(["{{POV}}{{Weasel}}", "x"]))[1:] == [("removed", 1, 2, ("POV", "Weasel"))]


def test_swap_is_a_removal_and_an_addition() -> None:
    assert seen(history(["{{POV}}", "{{Weasel}}"]))[1:] == [
        ("removed", 1, 2, ("POV",)),
        ("added", 1, 2, ("Weasel",)),
    ]
    assert seen(history(["{{POV}}", "{{Weasel}}"], per="any"))[1:] == []


def test_alias_of_the_same_tag_is_none() -> None:
    assert (
        len(history(["{{POV}}", "{{NPOV}}", "{{ pov\n}}", "{{Template:Neutrality|date=x}}"])) == 1
    )


def test_unknown_text_neither_starts_nor_ends_a_tag() -> None:
    assert len(history(["{{POV}} a", None, "{{POV}} b"])) == 1
    assert seen(history(["{{POV}} a", None, None, "b"]))[1:] == [("removed", 1, 4, ("POV",))]
    assert seen(history([None, "{{POV}}"])) == [("added", None, 2, ("POV",))]


def test_blank_page_is_known() -> None:
    assert seen(history(["{{POV}} a", ""]))[1:] == [("removed", 1, 2, ("POV",))]


def reverted(found: list[Transition]) -> list[bool]:
    return [t.provenance.reverted for t in found]


def test_a_removal_that_is_undone_is_reverted() -> None:
    assert reverted(history(["{{POV}} a", "a", "{{POV}} a"])) == [False, True, False]


def test_a_removal_in_a_row_of_undone_edits_is_reverted() -> None:
    assert reverted(history(["{{POV}} a", "{{POV}} b", "c", "d", "{{POV}} b"]))[1] is True


def test_reach_of_a_revert_in_days_and_revisions() -> None:
    assert reverted(history(["{{POV}} a", "a", "{{POV}} a"], [0, 1, 49]))[1] is True
    assert reverted(history(["{{POV}} a", "a", "{{POV}} a"], [0, 1, 50]))[1] is False
    between = [f"edit {n}" for n in range(16)]
    assert reverted(history(["{{POV}} a", *between, "{{POV}} a"]))[1] is False
    assert reverted(history(["{{POV}} a", *between[1:], "{{POV}} a"]))[1] is True
    near = Reverts(radius=1, days=9)
    assert reverted(history(["{{POV}} a", "x", "y", "{{POV}} a"], reverts=near))[1] is False


def test_a_removal_that_restores_an_older_revision_is_not_itself_reverted() -> None:
    assert reverted(history(["a", "{{POV}} a", "a"])) == [True, False]


TEXTS = st.lists(st.sampled_from(["a", "{{POV}} a", "{{Weasel}} a", "{{POV}}{{Weasel}}", None]))


@given(TEXTS)
def test_transitions_agree_with_a_plain_comparison(texts: list[str | None]) -> None:
    """Hold the stream against a list of all known revisions, compared pair by pair."""
    known = [(n, MATCHER.tags(t)) for n, t in enumerate(texts, start=1) if t is not None]
    expected: list[tuple[str, int | None, int, tuple[str, ...]]] = []
    first: tuple[int | None, dict[str, str]] = (None, {})
    for (before_id, before), (after_id, after) in zip([first, *known], known, strict=False):
        if gone := sorted(before.keys() - after.keys()):
            expected.append(("removed", before_id, after_id, tuple(gone)))
        if new := sorted(after.keys() - before.keys()):
            expected.append(("added", before_id, after_id, tuple(new)))
    assert seen(history(texts)) == expected


def test_address_of_a_diff() -> None:
    wiki = "http://fr.wikipedia.org/wiki/Accueil"
    assert diff_url(wiki, 3, 4) == "https://fr.wikipedia.org/w/index.php?diff=4&oldid=3"
    assert diff_url(wiki, None, 4) == "https://fr.wikipedia.org/w/index.php?diff=4"
    own = "http://localhost/w/index.php/Main_Page"
    assert diff_url(own, 3, 4) == "http://localhost/w/index.php?diff=4&oldid=3"
    assert diff_url("", 3, 4) == ""
    assert diff_url("javascript:alert(1)", 3, 4) == ""


def test_bots_are_marked() -> None:
    made = [
        replace(r, editor_kind="bot")
        for r in revisions(["{{POV}}", "a"])
        if isinstance(r, ReadRevision)
    ]
    pages = iter([Page(7, "P", 0, iter(made))])
    found = transitions(pages, ORIGIN, MATCHER, per="tag", reverts=Reverts())
    assert [t.provenance.by_bot for t in found] == [True, True]


def test_folding_a_tag_into_a_wrapper_or_out_of_it_is_no_transition() -> None:
    texts = [
        "{{POV}} a",
        "{{Multiple issues|{{NPOV}}}} a",
        "{{Article issues|POV=May 2008|weasel=}} a",
        "{{Multiple issues|\n{{Npov|date=x}}\n{{stub}}}} a",
        "{{NPOV}} a",
    ]
    (only,) = history(texts)
    assert (only.provenance.kind, only.provenance.after_rev_id) == ("added", 1)


def broken(texts: list[str], error: Exception) -> Iterator[Revision]:
    """Yield revisions, then fail as reading or matching may."""
    yield from revisions(texts)
    raise error


def pages_with(error: Exception) -> Iterator[Page]:
    yield Page(7, "P", 0, broken(["{{POV}} a", "a"], error))
    yield Page(8, "Q", 0, iter(revisions(["{{POV}} a"])))


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), ValueError("an odd page")])
def test_what_a_page_raises_ends_this_page_only(error: Exception) -> None:
    skipped: list[Unreadable] = []
    pages = pages_with(error)
    found = transitions(pages, ORIGIN, MATCHER, per="tag", reverts=Reverts(), skip=skipped.append)
    assert [(t.provenance.page_id, t.provenance.kind) for t in found] == [
        (7, "added"),
        (7, "removed"),
        (8, "added"),
    ]
    (named,) = skipped
    assert (named.page, named.page_id, named.revision) == ("P", 7, None)
    assert named.cause.startswith(type(error).__name__)


@pytest.mark.parametrize("error", [DumpError("is cut off"), KeyboardInterrupt()])
def test_damage_and_interrupts_are_no_fault_of_a_page(error: Exception) -> None:
    skipped: list[Unreadable] = []
    found = transitions(
        pages_with(error), ORIGIN, MATCHER, per="tag", reverts=Reverts(), skip=skipped.append
    )
    with pytest.raises(type(error)):
        list(found)
    assert skipped == []


class OddIntents:
    """Finds an intent in every edit, but fails on the third revision."""

    facts: tuple[EditFact, ...] = ()
    intents: Mapping[str, tuple[ChangedLine, ...]] = {"odd": (ChangedLine("a", "b", ""),)}

    def __init__(self, error: Exception) -> None:
        self._error = error

    def judge(self, before: Revision, after: Revision) -> OddIntents:
        if after.id == 3:
            raise self._error
        return self


def test_what_an_edit_raises_costs_its_intents_only() -> None:
    skipped: list[Unreadable] = []
    found = transitions(
        [Page(7, "P", 0, iter(revisions(["a", "b", "{{POV}} c", "d"])))],
        ORIGIN,
        MATCHER,
        per="tag",
        reverts=Reverts(),
        skip=skipped.append,
        intents=OddIntents(ValueError("an odd edit")),
    )
    told = [(t.provenance.signal, t.provenance.after_rev_id) for t in found]
    assert told == [("odd", 2), ("tag", 3), ("tag", 4), ("odd", 4)]
    (named,) = skipped
    assert (named.page_id, named.revision) == (7, 3)
    assert "an odd edit" in named.cause


def test_a_damaged_text_is_no_odd_edit() -> None:
    skipped: list[Unreadable] = []
    page = Page(7, "P", 0, iter(revisions(["a", "b", "c"])))
    found = transitions(
        [page],
        ORIGIN,
        None,
        per="tag",
        reverts=Reverts(),
        skip=skipped.append,
        intents=OddIntents(DumpError("is damaged")),
    )
    with pytest.raises(DumpError):
        list(found)
    assert skipped == []
