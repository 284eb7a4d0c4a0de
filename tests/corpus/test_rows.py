"""The rows of a corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from made_edits import GONE, PROVENANCE, chosen_of, edit
from wikibias.records import AlignedPair, CorpusSentence, Edit, History, Link


def rows(made: Edit) -> list[CorpusSentence]:
    return list(chosen_of([made]).rows())


def test_columns_of_a_link() -> None:
    link = Link("3", "It was.", "rewritten", 77.0, "0:3")
    found, other = rows(edit(removed=["It is.", "Gone."], links=(link, GONE)))
    assert found.pair_id == "enwiki-2-3"
    assert (found.counterpart, found.relation, found.similarity) == ("It was.", "rewritten", 77.0)
    assert found.changed_spans == "0:3"
    assert (other.pair_id, other.counterpart, other.relation) == (None, None, "deleted")
    assert other.similarity is None
    assert (found.tier, found.tier_reasons) == ("high", ("few_removed", "rewritten"))


def test_a_row_is_named_after_its_edit_its_role_and_its_place_there() -> None:
    made = edit(removed=["One.", "Two."], added=["Three."], unchanged=["Four."])
    names = [row.sentence_id for row in rows(made)]
    assert names == [
        "enwiki-2-removed-0",
        "enwiki-2-removed-1",
        "enwiki-2-added-0",
        "enwiki-2-unchanged-0",
    ]
    span = replace(made, provenance=replace(PROVENANCE, pairing="tagged-span"))
    assert rows(span)[0].sentence_id == "enwiki-tagged-span-1-2-removed-0"


def test_what_is_known_of_the_edit_stands_in_each_row() -> None:
    history = History(survived_days=90.0)
    made = edit(removed=["One."], added=["Two."], history=history, share_of_page=0.2)
    for row in rows(made):
        assert (row.history, row.share_of_page, row.block) == (history, 0.2, "paragraph")


REWRITTEN = Link("0", "The mill is old.", "rewritten", 80.0, "12:16")


def made() -> Edit:
    facts: dict[str, Any] = {
        "removed": ["The mill is grand.", "It is gone.", "One half here.", "Other half here."],
        "added": ["The mill is old.", "One half, other half here."],
        "links": (
            REWRITTEN,
            GONE,
            Link("1", "One half, other half here.", "merged", 70.0, "9:14"),
            Link("1", "One half, other half here.", "merged", 70.0, "0:5 11:16"),
        ),
        "added_links": (
            Link("0", "The mill is grand.", "rewritten", 80.0, "12:15"),
            Link("1", "One half here. Other half here.", "merged", 70.0, "8:10"),
        ),
    }
    return edit(**facts)


def pairs(found: Edit, **choices: Any) -> list[AlignedPair]:
    return list(chosen_of([found], **choices).pairs())


def test_a_pair_holds_both_texts_and_what_changed_in_each() -> None:
    first, second = pairs(made())
    assert (first.pair_id, first.relation, first.similarity) == ("enwiki-2-0", "rewritten", 80.0)
    assert (first.removed, first.added) == ("The mill is grand.", "The mill is old.")
    assert (first.removed_spans, first.added_spans) == ("12:16", "12:15")
    assert first.sentence_ids == ("enwiki-2-removed-0",)
    assert (second.removed, second.added) == (
        "One half here. Other half here.",
        "One half, other half here.",
    )
    # Spans of the second half move on by the first one and a space.
    assert second.removed_spans == "9:14 15:20 26:31"
    assert second.sentence_ids == ("enwiki-2-removed-2", "enwiki-2-removed-3")


def test_tier_and_split_are_those_of_its_sentences() -> None:
    found = made()
    corpus = chosen_of([found])
    sentences = {s.sentence_id: s for s in corpus.rows()}
    for pair in corpus.pairs():
        assert {sentences[each].split for each in pair.sentence_ids} == {pair.split}
        assert {sentences[each].tier for each in pair.sentence_ids} == {pair.tier}
        assert {sentences[each].pair_id for each in pair.sentence_ids} == {pair.pair_id}


def test_only_pairs_of_sentences_in_the_corpus() -> None:
    assert len(pairs(made(), max_per_edit=1)) == 1
    both = edit(2, ["The mill is grand."], links=(REWRITTEN,))
    assert pairs(both) == []  # nothing on the other side is recorded
    assert pairs(edit(removed=["The mill is grand."], added=["It is old."])) == []
