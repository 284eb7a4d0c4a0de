"""What edits with an intent and featured articles tell of sentences."""

from __future__ import annotations

from dataclasses import replace

from made_edits import edit
from made_labelled import BARE, CITED, INTENTS, featured, intent_edit
from wikibias.corpus.labelled.intent_finds import intent_finds


def test_a_positive_is_judged_for_the_intent_of_its_edit_alone() -> None:
    made = intent_edit("clarification", removed=["A mill"], became=["A water mill"])
    first, second = intent_finds([made], INTENTS)
    assert (first.labels, first.judged, first.negative) == (("clarification",),) * 2 + (None,)
    assert (first.counterpart, first.relation) == ("A water mill", "rewritten")
    assert first.context.section == "Life"
    assert (second.sentence.text, second.negative) == ("A water mill", "edited")
    assert (second.labels, second.judged) == ((), ("clarification",))


def test_an_added_sentence_that_is_no_counterpart_answers_nothing() -> None:
    made = intent_edit("clarification", removed=["A mill"], became=["A water mill", "New"])
    assert [find.sentence.text for find in intent_finds([made], INTENTS)] == [
        "A mill",
        "A water mill",
    ]


def test_what_an_edit_left_alone_is_judged_for_its_intent() -> None:
    made = intent_edit("citation", removed=["A mill"], unchanged=["A church"])
    *_, last = intent_finds([made], INTENTS)
    assert (last.negative, last.labels, last.judged) == ("unchanged", (), ("citation",))


def test_a_sentence_of_a_featured_article_with_a_reference_did_need_one() -> None:
    made = featured(3, ["A mill stood here", "A church stood here"], [BARE, CITED])
    bare, cited = intent_finds([made], INTENTS)
    assert (bare.negative, bare.judged) == ("featured", INTENTS)
    assert cited.judged == ("clarification", "point-of-view")
    assert list(intent_finds([replace(made, contexts=(CITED, CITED))], ("citation",))) == []


def test_edits_of_other_signals_are_left_out() -> None:
    other = intent_edit("simplification", removed=["A mill"])
    assert list(intent_finds([edit(removed=["A"], unchanged=["B"]), other], INTENTS)) == []
