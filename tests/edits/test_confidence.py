"""How far the label of a sentence can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from histories import history
from wikibias.config.thresholds import Tiers
from wikibias.edits.positives import confidence, evidence, faults_of
from wikibias.records import Edit, History, Link, Relation, Role, Sentence, TagContext

PROVENANCE = history(["{{POV}} a", "a"])[1].provenance
CONTEXT = TagContext(("article",), ("",), ("",), edited_text=True, only_tags=False)
WHOLE = Sentence("The mill is the finest in the county.", "the mill is the finest in the county")
REWRITTEN = Link("0", "The mill is in the county.", "rewritten", 80.0, "16:27")
GONE = Link("", "", "deleted", 0.0, "")
LIMITS = Tiers()


def edit(removed: int = 1, links: Sequence[Link] = (), **facts: Any) -> Edit:
    found = Edit(
        provenance=PROVENANCE,
        context=CONTEXT,
        removed=(WHOLE,) * removed,
        added=(),
        unchanged=(),
        same_text=False,
        after_redirect=False,
        after_chars=1000,
        readable=True,
        links=tuple(links),
    )
    return replace(found, **facts)


def judged(
    found: Edit, link: Link | None = REWRITTEN, role: Role = "removed", sentence: Sentence = WHOLE
) -> tuple[str, tuple[str, ...]]:
    return confidence(evidence(found, LIMITS), role, sentence, link, LIMITS)


def test_a_sentence_rewritten_by_a_small_edit_can_be_trusted() -> None:
    assert judged(edit()) == ("high", ("few_removed", "rewritten"))
    assert judged(edit(9)) == ("high", ("rewritten",))
    assert judged(edit(policy_words=("npov",)))[1] == ("names_policy", "few_removed", "rewritten")


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"history": History(restores_rev_id=7)}, "restores_earlier"),
        ({"history": History(tags_swapped_in=("Advert",))}, "tag_swapped"),
        ({"history": History(tag_back_days=0.5)}, "tag_back"),
        ({"provenance": replace(PROVENANCE, reverted=True)}, "reverted"),
        ({"summary_reverts": True}, "summary_reverts"),
        ({"share_of_page": 0.9, "removed": 6}, "page_replaced"),
        ({"removed": 16}, "many_removed"),
    ],
)
def test_what_speaks_against_an_edit_speaks_louder(facts: dict[str, Any], reason: str) -> None:
    assert judged(edit(policy_words=("npov",), **facts)) == ("low", (reason,))
    assert judged(edit(**facts), role="added") == ("low", (reason,))


def test_a_tag_that_is_left_keeps_a_sentence_in_the_middle() -> None:
    left = edit(history=History(tags_left=("POV",)))
    assert judged(left) == ("medium", ("tags_left", "few_removed", "rewritten"))
    assert judged(left, None, "unchanged") == ("low", ("tags_left",))


def test_few_sentences_are_no_page() -> None:
    assert judged(edit(5, share_of_page=0.9))[0] == "high"


def test_sentences_that_only_moved_do_not_make_an_edit_large() -> None:
    moved: Relation = "moved"
    links = [REWRITTEN, *[REWRITTEN._replace(relation=moved)] * 19]
    assert judged(edit(20, links))[0] == "high"
    assert judged(edit(20, [GONE] * 20))[1] == ("many_removed",)


@pytest.mark.parametrize("similarity", [10.0, 59.9, 97.1, 100.0])
def test_what_hardly_changed_or_became_something_else_is_not_rewritten(similarity: float) -> None:
    link = REWRITTEN._replace(similarity=similarity)
    assert judged(edit(), link) == ("medium", ("few_removed",))


def test_a_sentence_without_counterpart_is_in_the_middle_or_below() -> None:
    assert judged(edit(5, [GONE] * 5), GONE)[0] == "medium"
    assert judged(edit(6, [GONE] * 6), GONE) == ("low", ())


def test_unchanged_sentences_follow_the_page_and_not_the_edit() -> None:
    kept = History(survived_days=30.0)
    large = edit(20, [GONE] * 20, summary_reverts=True)
    assert judged(large, None, "unchanged") == ("medium", ())
    assert judged(replace(large, history=kept), None, "unchanged") == ("high", ("survived",))
    tagged = replace(kept, tags_left=("POV",))
    assert judged(replace(large, history=tagged), None, "unchanged")[0] == "low"


def test_how_long_a_tag_stood_says_nothing_for_the_text_before_it() -> None:
    tagged = edit(
        history=History(survived_days=99.0),
        provenance=replace(PROVENANCE, kind="added", pairing="addition-edit"),
    )
    assert judged(tagged, None, "unchanged") == ("medium", ())


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("The mill is old.", ()),
        ('He called it "the finest."', ()),
        ("これは水車である。", ()),
        ("यह एक चक्की है।", ()),
        ("Did it burn?", ()),
        ("The mill (built 1880.)", ()),
        ("The mill", ("no_stop",)),
        ("", ("no_stop",)),
        ('")', ("no_stop",)),
        ("THE MILL IS THE BEST!", ("capitals",)),
    ],
)
def test_faults_of_form(text: str, faults: tuple[str, ...]) -> None:
    assert faults_of(Sentence(text, "")) == faults


def test_a_fault_of_form_makes_any_tier_low() -> None:
    gap = WHOLE._replace(has_gap=True)
    listed = WHOLE._replace(block="list")
    assert judged(edit(), sentence=gap) == ("low", ("gap",))
    kept = edit(history=History(survived_days=99.0))
    assert judged(kept, None, "unchanged", listed) == ("low", ("not_running_text",))
