"""Sentence pairs by our own rules."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from made_edits import PROVENANCE, edit
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.sentence_pairs.harvest import Funnel, Harvest
from wikibias.corpus.sentence_pairs.rules import own_pairs
from wikibias.edits.alignment import align
from wikibias.records import Edit, SentencePair
from wikibias.text.segmentation import Segmenter

GRAND = "The grand mill of the valley was built by the famous mason in 1811."
PLAIN = "The mill of the valley was built by the mason in 1811."


def aligned(removed: Sequence[str], added: Sequence[str], lang: str = "en", **facts: Any) -> Edit:
    """Return an edit whose sentences are paired as the pipeline pairs them."""
    split = Segmenter(load_language(lang)).sentences
    made = edit(
        removed=[s for t in removed for s in split(t)],
        added=[s for t in added for s in split(t)],
        **facts,
    )
    links, added_links = align(made.removed, made.added)
    return replace(made, links=links, added_links=added_links)


def harvested(
    *edits: Edit, lang: str = "en", reason: str | None = None, seed: int = 0
) -> tuple[list[SentencePair], Funnel]:
    """Return the pairs of some edits, which the filters of edits have judged."""
    harvest = Harvest(
        Path(),
        (),
        load_language(lang),
        Tiers(),
        Build(),
        seed,
        {},
        lambda: ((each, reason) for each in edits),
    )
    funnel = Funnel()
    return list(own_pairs(harvest, funnel)), funnel


def biased(pairs: Sequence[SentencePair]) -> list[tuple[str, str]]:
    """Return source and target of the biased pairs."""
    return [(pair.source, pair.target) for pair in pairs if pair.label == "biased"]


def test_a_pair_tells_what_was_done_and_how_far_it_can_be_trusted() -> None:
    pairs, funnel = harvested(aligned([GRAND], [PLAIN]))
    (pair,) = pairs
    assert (pair.source, pair.target, pair.relation) == (GRAND, PLAIN, "rewritten")
    assert [(e.type, GRAND[slice(*map(int, e.source.split(":")))]) for e in pair.edits] == [
        ("deletion", "grand"),
        ("deletion", "famous"),
    ]
    assert pair.tier == "high"
    assert "rewritten" in pair.tier_reasons
    assert not pair.single_word
    assert funnel.stages == {"passed": 1}
    assert funnel.verdicts == {"biased": 1}


@pytest.mark.parametrize(
    ("lang", "source", "target"),
    [
        (
            "fr",
            "L'église, édifiée à grands frais, est la plus élégante de la côte méditerranéenne.",
            "L'église, édifiée à grands frais, est située près de la côte méditerranéenne.",
        ),
        # Words of letters that a to z lacks alone.
        (
            "pl",
            "Żółw źle żył w tej małej zatoce przez wiele lat.",
            "Żółw żył w tej małej zatoce przez wiele lat.",
        ),
        (
            "ru",
            "Жалкий поэт написал свою первую поэму в 1820 году.",
            "Поэт написал свою первую поэму в 1820 году.",
        ),
        (
            "ja",
            "この寺は日本で最も美しい寺として広く知られている。",
            "この寺は紅葉の名所として広く知られている。",
        ),
    ],
)
def test_every_script_is_kept_as_it_is(lang: str, source: str, target: str) -> None:
    pairs, funnel = harvested(aligned([source], [target], lang), lang=lang)
    assert biased(pairs) == [(source, target)], funnel.verdicts


def test_edits_of_several_sentences_splits_and_merges() -> None:
    one = "The church was sadly neglected by the greedy council after the long war of the valley."
    other = "The bridge is the finest of the whole country and was opened by the queen in 1871."
    parts = "The bridge was opened by the queen in 1871. It is the longest of the whole country."
    pairs, _ = harvested(
        aligned(
            [one, other],
            ["The church was neglected by the council after the long war of the valley.", parts],
        )
    )
    assert [pair.relation for pair in pairs] == ["rewritten", "split"]
    assert pairs[1].target == parts


@pytest.mark.parametrize(
    ("source", "target", "verdict"),
    [
        (PLAIN, PLAIN.replace("1811", "1911"), "number_only"),
        (PLAIN, PLAIN.replace("mason", "masons"), "few_letters"),
        (
            "The neutral molecules of the gas move about in the great vessel for a long time.",
            "The uncharged molecules of the gas move about in the vessel for a long time.",
            "other_meaning",
        ),
    ],
)
def test_what_is_no_rewrite(source: str, target: str, verdict: str) -> None:
    pairs, funnel = harvested(aligned([source], [target]))
    assert pairs == []
    assert funnel.verdicts == {verdict: 1}
    assert funnel.stages == {"no_pair": 1}


def test_edits_that_the_filters_drop_are_counted() -> None:
    pairs, funnel = harvested(aligned([GRAND], [PLAIN]), reason="reverted")
    assert pairs == []
    assert funnel.stages == {"reverted": 1}


def test_where_a_tag_was_added_the_older_text_is_not_the_biased_one() -> None:
    made = aligned([GRAND], [PLAIN], provenance=replace(PROVENANCE, kind="added"))
    pairs, funnel = harvested(made)
    assert pairs == []
    assert funnel.stages == {"tag_added": 1}


def test_of_the_same_text_the_latest_pair_counts() -> None:
    later = PROVENANCE.after_timestamp + timedelta(days=1)
    first = aligned([GRAND], [PLAIN], number=2)
    second = aligned([GRAND], [PLAIN.replace("mason", "old mason")], number=3)
    second = replace(second, provenance=replace(second.provenance, after_timestamp=later))
    for edits in ((first, second), (second, first)):
        pairs, funnel = harvested(*edits)
        assert [pair.provenance.after_rev_id for pair in pairs] == [3]
        assert funnel.verdicts == {"biased": 1, "repeated": 1}
        of_none = {"edits": 0, "passed": 0, "biased": 0}
        assert funnel.more["by_signal"] == {
            "tag": {"edits": 2, "passed": 2, "biased": 1},
            "summary": of_none,
        }


def test_as_many_neutral_sentences_as_biased_ones_drawn_with_a_seed() -> None:
    rest = [f"The {word} of the village stands near the river." for word in ("inn", "dam", "kiln")]
    made = aligned([GRAND], [PLAIN], unchanged=[*rest, "* no sentence"])
    drawn = set()
    for seed in range(5):
        pairs, _ = harvested(made, seed=seed)
        (neutral,) = (pair for pair in pairs if pair.label == "neutral")
        assert neutral.source == neutral.target
        assert neutral.edits == ()
        drawn.add(neutral.source)
        assert harvested(made, seed=seed)[0] == pairs
    assert len(drawn) > 1
    assert drawn <= set(rest)


def test_a_sentence_that_another_edit_rewrote_is_no_neutral_one() -> None:
    one = aligned([GRAND], [PLAIN], number=2)
    other = aligned(
        ["The lovely dam of the village was the pride of all the people."],
        ["The dam of the village was the pride of all the people."],
        number=3,
        unchanged=[GRAND],
    )
    pairs, funnel = harvested(one, other)
    assert [pair.label for pair in pairs] == ["biased", "biased"]
    assert funnel.verdicts["neutral_elsewhere_biased"] == 1
    assert len({pair.pair_id for pair in pairs}) == 2
