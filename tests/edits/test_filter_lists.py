"""Which filters an edit is asked."""

from dataclasses import replace
from typing import Any

import pytest

from made_edits import edit
from wikibias.config.choices import Positive
from wikibias.config.signals import FEATURED, INTENT, REFERENCED_FILTERS
from wikibias.config.thresholds import load_config
from wikibias.edits import filters
from wikibias.errors import UsageError
from wikibias.records import Edit, History, Link

POSITIVES: dict[str, Positive] = {"citation": "referenced"}
LISTS = filters.FilterLists("default", "drop", POSITIVES)
REWRITTEN = Link("0", "It was the oldest mill of all.", "rewritten", 90.0, "")
INSERTED = Link("", "", "inserted", 0.0, "")


def intent(signal: str = "clarification", *, reverted: bool = False, **facts: Any) -> Edit:
    made = edit(removed=facts.pop("removed", ["It is a mill."]), added=facts.pop("added", []))
    source = replace(
        made.provenance, signal=signal, pairing="intent-edit", tags=(), reverted=reverted
    )
    links = facts.pop("links", (REWRITTEN,) * len(made.removed))
    return replace(made, provenance=source, links=links, **facts)


def judged(found: Edit, lists: filters.FilterLists = LISTS) -> str | None:
    return filters.verdict(found, load_config().filter, lists.of(found.provenance))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (intent(), None),
        (intent(reverted=True), "reverted"),
        (intent(summary_reverts=True), "summary_reverts"),
        (intent(history=History(restores_rev_id=1)), "restores_earlier"),
        (intent(readable=False), "unreadable"),
        (intent(removed=[], same_text=True), "markup_only"),
        (intent(removed=[], added=["It is new."], added_links=(INSERTED,)), "new_sentences"),
        (intent(removed=[]), "no_positive"),
        (intent("citation", removed=[], same_text=True), "no_positive"),
        (intent(links=(REWRITTEN._replace(counterpart="It is a mil."),)), "slip"),
        (intent("citation", links=(REWRITTEN._replace(counterpart="It is a mil."),)), None),
        (intent(links=(Link("", "", "deleted", 0.0, ""),)), None),
    ],
)
def test_verdicts_on_edits_with_an_intent(found: Edit, expected: str | None) -> None:
    assert judged(found) == expected


def test_featured_articles_are_asked_next_to_nothing() -> None:
    made = intent("featured", removed=[], reverted=True)
    assert judged(made) == "no_sentence"
    assert judged(replace(made, unchanged=edit(unchanged=["It is a mill."]).unchanged)) is None
    assert judged(replace(made, texts_missing=True)) == "unknown_text"


ASKED = INTENT.filters or ()


def test_edits_of_tags_are_asked_what_the_user_lists() -> None:
    lists = filters.FilterLists("paper,-spelling", "drop", POSITIVES)
    assert "spelling" not in lists.of_signal("tag")
    assert lists.of_signal("tag") == lists.of_signal("summary")
    assert lists.of_signal("citation") == list(REFERENCED_FILTERS)


def test_a_minus_leaves_a_filter_out_for_intents_too() -> None:
    lists = filters.FilterLists("-slip,-summary_reverts", "drop", POSITIVES)
    assert not {"slip", "summary_reverts"} & set(lists.of_signal("clarification"))
    assert lists.of_signal("tag") == list(filters.FILTERS.own())
    for listed in ("slip", "-slipp"):
        with pytest.raises(UsageError, match="unknown filter"):
            filters.FilterLists(listed, "drop", POSITIVES)


def test_undone_edits_can_be_kept() -> None:
    lists = filters.FilterLists("default", "keep", POSITIVES)
    assert judged(intent(reverted=True), lists) is None
    assert lists.off == {"reverted"}
    assert "reverted" in lists.of_signal("citation")


def test_all_that_may_be_asked_is_announced_in_order() -> None:
    assert LISTS.announced(["tag"]) == list(filters.FILTERS.own())
    assert LISTS.announced(["clarification", "featured"]) == [
        *ASKED,
        *(name for name in FEATURED.filters or () if name not in ASKED),
    ]


def test_every_filter_has_a_title_and_says_what_it_drops() -> None:
    for name, each in filters.OTHER_FILTERS.items():
        assert filters.filter_title(name) == each.title
        assert (each.reason.__doc__ or "").startswith("Drop ")
        assert name not in filters.FILTERS
    lists = (ASKED, REFERENCED_FILTERS, FEATURED.filters or ())
    assert all(filters.filter_named(name) for names in lists for name in names)
    assert filters.filter_title("gone") == "gone"
