"""Aligned sentences to pairs."""

from __future__ import annotations

from made_pairs import PROVENANCE
from wikibias.config.languages import load_language
from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.corpus.sentence_pairs.judging import judged
from wikibias.edits.pair_filters import WNC_FILTERS
from wikibias.records import SentencePair

BEFORE = "the splendid bridge crosses the river near the mill of the old town."
AFTER = "the bridge crosses the river near the mill of the old town."
OTHER = "in winter two trains a day stop at the harbour station."


def pairs_of(*texts: tuple[str, str]) -> tuple[list[SentencePair], Funnel]:
    funnel = Funnel()
    return list(judged(texts, PROVENANCE, WNC_FILTERS, funnel, load_language("en"))), funnel


def test_biased_and_neutral_pairs_and_what_is_dropped() -> None:
    dropped = ("it was built in 1901 by the town.", "it was built in 1902 by the town.")
    pairs, funnel = pairs_of((BEFORE, AFTER), (OTHER, OTHER), dropped)
    assert [(pair.label, pair.single_word) for pair in pairs] == [
        ("biased", True),
        ("neutral", False),
    ]
    biased, neutral = pairs
    assert [edit.type for edit in biased.edits] == ["deletion"]
    assert biased.source[slice(*map(int, biased.edits[0].source.split(":")))] == "splendid"
    assert (neutral.source, neutral.edits) == (neutral.target, ())
    assert len({pair.pair_id for pair in pairs}) == 2
    assert funnel.verdicts == {"biased": 1, "neutral": 1, "few_letters": 1}


def test_a_target_of_two_sources_drops_the_edit() -> None:
    pairs, funnel = pairs_of((BEFORE, AFTER), (OTHER, AFTER))
    assert pairs == []
    assert funnel.verdicts == {"repeated": 2}


def test_what_the_authors_would_call_neutral_is_biased_and_counted() -> None:
    pairs, funnel = pairs_of((BEFORE, AFTER.replace("old town", "very old town")))
    assert [pair.label for pair in pairs] == ["biased"]
    assert funnel.more["one_word_out_another_elsewhere"] == 1


def test_an_edit_without_sentences() -> None:
    assert pairs_of()[0] == []
