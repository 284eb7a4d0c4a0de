"""What edits with an intent and featured articles tell of sentences."""

from dataclasses import replace

import pytest

from made_edits import (
    BARE,
    CITED,
    INTENTS,
    REWRITTEN,
    TAGS,
    added,
    edit,
    featured,
    intent_edit,
    tag_edit,
    whole,
)
from wikibias.corpus import evidence
from wikibias.records import Edit
from wikibias.tags.tagset import load_tagset


def became(found: evidence.LabelEvidence) -> tuple[str | None, str | None]:
    link = found.link
    return (link.relation, link.counterpart) if link else (None, None)


def test_a_positive_is_judged_for_the_intent_of_its_edit_alone() -> None:
    made = intent_edit("clarification", removed=["A mill"], became=["A water mill"])
    first, second = evidence.intent_evidence([made], INTENTS)
    assert first.labels == first.judged == ("clarification",)
    assert first.role == evidence.REMOVED
    assert became(first) == ("rewritten", "A water mill")
    assert first.context.section == "Life"
    assert (second.sentence.text, second.role) == ("A water mill", evidence.ADDED)
    assert (second.labels, second.judged) == ((), ("clarification",))


def test_an_added_sentence_that_is_no_counterpart_answers_nothing() -> None:
    made = intent_edit("clarification", removed=["A mill"], became=["A water mill", "New"])
    told = [find.sentence.text for find in evidence.intent_evidence([made], INTENTS)]
    assert told == ["A mill", "A water mill"]


def test_what_an_edit_left_alone_is_judged_for_its_intent() -> None:
    made = intent_edit("citation", removed=["A mill"], unchanged=["A church"])
    *_, last = evidence.intent_evidence([made], INTENTS)
    assert (last.role, last.labels, last.judged) == (evidence.UNCHANGED, (), ("citation",))


def test_a_sentence_of_a_featured_article_with_a_reference_did_need_one() -> None:
    made = featured(3, ["A mill stood here", "A church stood here"], [BARE, CITED])
    bare, cited = evidence.intent_evidence([made], INTENTS)
    assert (bare.role, bare.judged) == (evidence.FEATURED, INTENTS)
    assert cited.judged == ("clarification", "point-of-view")
    assert (
        list(evidence.intent_evidence([replace(made, contexts=(CITED, CITED))], ("citation",)))
        == []
    )


def test_edits_of_other_signals_are_left_out() -> None:
    other = intent_edit("simplification", removed=["A mill"])
    assert (
        list(evidence.intent_evidence([edit(removed=["A"], unchanged=["B"]), other], INTENTS)) == []
    )


MILL, CHURCH = "The mill burnt down.", "The church stands."


def found(made: Edit) -> list[tuple[str, tuple[str, ...], str | None]]:
    return [(f.sentence.text, f.labels, became(f)[0]) for f in evidence.tag_evidence([made], TAGS)]


def test_a_tag_that_is_answered_with_a_reference_leaves_the_sentence_as_it_is() -> None:
    made = tag_edit({"Citation needed": MILL}, unchanged=[MILL, CHURCH])
    first, other = evidence.tag_evidence([made], TAGS)
    assert (first.labels, became(first)) == (("citation",), ("same_text", MILL))
    assert (first.days_stood, first.context.section) == (5.0, "Life")
    assert (other.sentence.text, other.role) == (CHURCH, evidence.UNCHANGED)


def test_a_sentence_that_was_rewritten() -> None:
    link = REWRITTEN._replace(counterpart="The mill burnt down in May.")
    made = tag_edit({"Clarify": MILL}, removed=[MILL], added=[link.counterpart])
    first, *_ = evidence.tag_evidence([replace(made, links=(link,))], TAGS)
    assert (first.labels, became(first)[1]) == (("clarification",), link.counterpart)


def test_what_tags_point_at() -> None:
    made = tag_edit({"Citation needed": MILL, "Who": MILL, "Clarify": MILL}, unchanged=[MILL])
    assert found(made) == [(MILL, ("citation", "clarification"), "same_text")]
    made = tag_edit({"Citation needed": f"{MILL}\n{CHURCH}"}, unchanged=[MILL, CHURCH])
    assert [text for text, *_ in found(made)] == [MILL, CHURCH]
    # A sentence that the edit does not tell of stands as it was pointed at.
    assert found(tag_edit({"Clarify": MILL}))[0] == (MILL, ("clarification",), None)
    # Tags of articles and of other sets point at nothing, and other pairings are passed over.
    assert found(tag_edit({"POV": MILL}, unchanged=[MILL])) == []
    assert found(tag_edit({"Clarify": "Life"}, scope="section", unchanged=[MILL])) == []
    source = replace(made.provenance, signal="summary", pairing="summary-edit")
    assert found(replace(made, provenance=source)) == []


def test_where_other_tags_are_left_nobody_knows_what_has_none() -> None:
    made = tag_edit({"Citation needed": MILL}, left=["Clarify"], unchanged=[MILL, CHURCH])
    (only,) = evidence.tag_evidence([made], TAGS)
    assert only.judged == ("citation",)
    (clean, _) = evidence.tag_evidence(
        [replace(made, history=replace(made.history, tags_left=()))], TAGS
    )
    assert clean.judged == ("citation", "clarification")


def test_of_a_tag_that_has_just_come_nobody_knows_what_becomes_of_the_sentence() -> None:
    made = added(tag_edit({"Citation needed": MILL}, unchanged=[MILL, CHURCH]))
    (only,) = evidence.tag_evidence([made], TAGS)
    assert (only.link, only.days_stood) == (None, None)


@pytest.mark.parametrize("wrapped", ["burnt down", f"{MILL} {CHURCH}"])
def test_a_wrapping_tag_means_the_sentences_that_it_wraps_or_lies_in(wrapped: str) -> None:
    made = tag_edit({"Clarify": wrapped}, scope="wrapping", unchanged=[MILL, CHURCH])
    wanted = [MILL] if wrapped == "burnt down" else [MILL, CHURCH]
    assert [text for text, labels, _ in found(made) if labels] == wanted
    # What no page has is not looked for.
    made = tag_edit({"Clarify": "a " * 20_000}, scope="wrapping", unchanged=[whole("A")])
    assert [labels for _, labels, _ in found(made)] == []


def test_the_families_of_a_set() -> None:
    tags = evidence.InlineTags.of(load_tagset("inline-cleanup", "en"))
    families = ["citation", "clarification", "disputed", "source", "tone", "weasel"]
    assert tags.labels == families
    # Tags of whole articles say nothing of a sentence.
    assert "POV" not in evidence.InlineTags.of(load_tagset("npov", "en")).families
