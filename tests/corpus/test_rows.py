"""The rows of a corpus."""

from __future__ import annotations

from dataclasses import replace

from made_edits import GONE, PROVENANCE, chosen_of, edit
from wikibias.records import CorpusSentence, Edit, History, Link


def rows(made: Edit) -> list[CorpusSentence]:
    return list(chosen_of([made]).sentences())


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
