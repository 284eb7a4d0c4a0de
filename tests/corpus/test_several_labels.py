"""What edits with an intent and featured articles tell of sentences, and the choice of them."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_edits import (
    BARE,
    CITED,
    INTENTS,
    REWRITTEN,
    TAGS,
    added,
    chosen,
    edit,
    featured,
    intent_edit,
    tag_edit,
    unlike,
    whole,
)
from wikibias.corpus import evidence
from wikibias.corpus.candidates import MOST_LABELS, Candidates, Choice, read
from wikibias.corpus.composition import tallied_labels
from wikibias.corpus.evidence import FEATURED, REMOVED, intent_evidence
from wikibias.corpus.rows import labels_of
from wikibias.corpus.sampling import without_doubles
from wikibias.corpus.splits import Dealt
from wikibias.errors import UsageError
from wikibias.records import Edit, LabelledSentence
from wikibias.tags.tagset import load_tagset


def rows(*edits: Edit, **choices: Any) -> list[LabelledSentence]:
    return list(chosen(intent_evidence(edits, INTENTS), **choices).rows())


TEXTS = unlike(400)


def test_as_many_negatives_of_each_label_as_positives() -> None:
    edits = [
        intent_edit("citation", 1, removed=TEXTS[:4], unchanged=TEXTS[100:120]),
        intent_edit("point-of-view", 2, removed=TEXTS[4:6], unchanged=TEXTS[120:140], number=3),
    ]
    found = rows(*edits)
    against = Counter(label for row in found if row.negative for label in row.judged)
    assert against == {"citation": 4, "point-of-view": 2}


def test_a_featured_sentence_serves_all_labels_that_it_is_judged_for() -> None:
    edits = [
        intent_edit("citation", 1, removed=TEXTS[:2]),
        intent_edit("clarification", 2, removed=TEXTS[2:4], number=3),
        featured(3, TEXTS[100:110]),
    ]
    assert [row.judged for row in rows(*edits) if row.negative] == [INTENTS] * 2
    cited = featured(3, TEXTS[100:110], [CITED] * 10)
    made = chosen(intent_evidence([*edits[:2], cited], INTENTS))
    assert made.composition.notes[0].startswith("citation: only 0 negatives for 2 positives")


def test_a_featured_sentence_is_as_long_as_a_positive() -> None:
    short = [f"{one} {two} mill" for one, two in zip(TEXTS[:20], TEXTS[20:40], strict=True)]
    long = [" ".join(TEXTS[at : at + 12]) for at in range(40, 340, 12)]
    edits = [intent_edit("citation", 1, removed=short[:6]), featured(3, [*short[10:], *long])]
    found = [row for row in rows(*edits) if row.negative]
    assert len(found) == 6
    assert {len(row.text.split()) for row in found} == {3}
    with_long = [intent_edit("citation", 1, removed=long[:6]), featured(3, [*short, *long[10:]])]
    assert {len(row.text.split()) for row in rows(*with_long) if row.negative} == {12}


def test_only_the_negatives_that_are_asked_for() -> None:
    edits = [
        intent_edit("citation", 1, removed=TEXTS[:3], unchanged=TEXTS[100:120]),
        featured(3, TEXTS[200:220]),
    ]
    assert {row.negative for row in rows(*edits, negatives="featured")} == {None, "featured"}
    mixed = Counter(row.negative for row in rows(*edits) if row.negative)
    assert sorted(mixed.values()) == [1, 2]


def test_a_page_stands_in_one_split_and_known_pages_stay() -> None:
    edits = [
        intent_edit("citation", page, removed=TEXTS[page * 3 : page * 3 + 3], number=page)
        for page in range(1, 30)
    ]
    site = edits[0].provenance.wiki
    found = rows(*edits, known={(site, 7): Dealt(2, 1)})
    of_pages = Counter((row.provenance.page_id, row.split) for row in found)
    assert len(of_pages) == 29
    assert of_pages[7, "test"] == 3
    assert {split for _, split in of_pages} == {"train", "dev", "test"}


def test_near_duplicates_of_other_pages_are_named_and_stand_in_one_split() -> None:
    long = "the old mill at the river burnt down in the year of the great flood in spring"
    edits = [
        intent_edit("citation", page, removed=[f"{long} {page}", *TEXTS[page * 3 : page * 3 + 2]])
        for page in range(1, 20)
    ]
    made = chosen(intent_evidence(edits, INTENTS))
    found = list(made.rows())
    alike = [row for row in found if row.near_duplicates]
    assert len({row.split for row in alike}) == 1
    assert made.composition.near_duplicates == len(alike) > 1
    assert made.composition.left_out["near_duplicate"] == 19 - len(alike)


def test_the_composition_counts_the_rows() -> None:
    edits = [
        intent_edit("citation", 1, TEXTS[:3], TEXTS[200:203], TEXTS[100:110]),
        intent_edit("clarification", 1, TEXTS[2:3], number=3),
    ]
    made = chosen(intent_evidence(edits, INTENTS))
    found = list(tallied_labels(made.rows(), made.composition))
    counted = made.composition
    assert counted.sentences == len(found) == sum(counted.splits.values())
    assert counted.positives == 3
    assert counted.several == {"1": 2, "2": 1}
    assert sum(counted.labels["citation"].values()) == 3
    assert counted.relations == {"rewritten": 3}
    assert counted.negatives["citation"] == counted.kinds
    assert counted.pages == 1
    assert counted.first_day is not None


def test_where_little_is_to_choose_from_the_notes_say_so() -> None:
    made = chosen(intent_evidence([intent_edit("citation", 1, unlike(1))], INTENTS))
    (note,) = [note for note in made.composition.notes if "empty" in note]
    assert "too few pages (1) to split by page" in note
    made = chosen(
        intent_evidence([intent_edit("citation", 1, unlike(1))], INTENTS), split_by="sentence"
    )
    (note,) = [note for note in made.composition.notes if "empty" in note]
    assert note.endswith("empty: too few sentences to split")
    made = chosen([])
    assert list(made.rows()) == []
    assert made.composition.notes == ["no sentence with labels by intents could be chosen"]


MADE = st.lists(
    st.tuples(
        st.sampled_from(INTENTS),
        st.integers(1, 5),
        st.lists(st.sampled_from(TEXTS[:20]), max_size=4),
        st.lists(st.sampled_from(TEXTS[:40]), max_size=6),
    ),
    max_size=8,
)


@given(MADE, st.integers(0, 3))
@settings(deadline=None, max_examples=30)
def test_what_holds_of_every_corpus(
    made: list[tuple[str, int, list[str], list[str]]], seed: int
) -> None:
    edits = [
        intent_edit(intent, page, removed, unchanged=unchanged, number=number)
        for number, (intent, page, removed, unchanged) in enumerate(made, 2)
    ]
    edits.append(featured(9, TEXTS[30:60]))
    found = rows(*edits, seed=seed)
    assert found == rows(*edits, seed=seed)
    assert len({row.sentence_id for row in found}) == len(found)
    wanted: dict[tuple[int, str], set[str]] = {}
    for made_edit in edits:
        for sentence in made_edit.removed:
            key = made_edit.provenance.page_id, sentence.norm
            wanted.setdefault(key, set()).add(made_edit.provenance.signal)
    positives = {(row.provenance.page_id, row.norm): set(row.labels) for row in found if row.labels}
    assert all(wanted[key] == labels for key, labels in positives.items())
    forms = {norm for _, norm in wanted}
    negatives = [row for row in found if row.negative]
    assert not forms & {row.norm for row in negatives}
    assert all(row.judged and not row.labels for row in negatives)
    assert len({row.norm for row in negatives}) == len(negatives)
    of_pages = {(row.provenance.page_id, row.split) for row in found}
    assert len(of_pages) == len({page for page, _ in of_pages})


CHOICE = Choice(lengths=range(1, 300), negatives="mixed")


def joined(*edits: Edit, lengths: range = range(1, 300)) -> Candidates:
    choice = replace(CHOICE, lengths=lengths)
    return without_doubles(read(intent_evidence(edits, INTENTS), choice, INTENTS))


def labels(found: Candidates) -> list[tuple[str, ...]]:
    return [labels_of(bits, INTENTS) for bits in found.labels.tolist()]


def test_a_sentence_of_two_edits_of_a_page_gets_both_labels() -> None:
    first = intent_edit("citation", removed=["A mill"])
    found = joined(first, intent_edit("clarification", removed=["a mill!"], number=3))
    assert labels(found) == [("citation", "clarification")]
    assert found.judged.tolist() == found.labels.tolist()
    assert found.number.tolist() == [0]
    other = joined(first, intent_edit("clarification", page=2, removed=["A mill"]))
    assert labels(other) == [("citation",), ("clarification",)]


def test_what_was_wanting_anywhere_is_no_negative() -> None:
    found = joined(
        intent_edit("citation", removed=["A mill"]),
        intent_edit("clarification", number=3, unchanged=["A mill"]),
        featured(2, ["A mill", "A church"]),
    )
    assert found.role.tolist() == [REMOVED, FEATURED]
    # Nobody has said anything of clarification here that counts.
    assert labels_of(int(found.judged[0]), INTENTS) == ("citation",)
    assert found.left_out == {"wanting_elsewhere": 1}


def test_a_negative_stands_once() -> None:
    found = joined(featured(2, ["A church"]), featured(3, ["A church"]))
    assert (found.role.tolist(), found.left_out) == ([FEATURED], {"duplicate": 1})


def test_what_a_featured_article_says_goes_before_what_an_edit_left() -> None:
    found = joined(
        intent_edit("citation", removed=["A mill"], unchanged=["A church"]),
        featured(1, ["A church"]),
    )
    assert found.role.tolist() == [REMOVED, FEATURED]
    assert labels_of(int(found.judged[1]), INTENTS) == INTENTS


def test_lengths_and_lines() -> None:
    made = intent_edit("citation", removed=["One", "One two three four"], unchanged=[])
    listed = whole("One two")._replace(block="list")
    found = joined(made, tag_edit({}), lengths=range(2, 4))
    assert (len(found.number), found.left_out) == (0, {"too_short": 1, "too_long": 1})
    other = intent_edit("citation", unchanged=[listed])  # type: ignore[list-item]
    assert joined(other, lengths=range(2, 4)).left_out == {"list": 1}


def test_too_many_labels() -> None:
    many = [str(number) for number in range(MOST_LABELS + 1)]
    with pytest.raises(UsageError, match="63 labels"):
        read([], CHOICE, many)


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
