"""Edits found by their summary to pairs, by the rules of WNC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from made_pairs import PROVENANCE
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.corpus.sentence_pairs.harvest import Harvest
from wikibias.corpus.sentence_pairs.wnc import wnc_pairs
from wikibias.errors import UsageError
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.records import SentencePair, Signal, TagContext, TransitionRow

CONTEXT = TagContext((), (), (), None, None)
HEAD = "'''Elm''' is a town."
BEFORE = "The splendid [[bridge]] crosses the river near the mill. It was built of stone in 1901."
AFTER = BEFORE.replace("splendid ", "")
Texts = tuple[str | None, str | None]


def harvested(
    folder: Path, edits: Sequence[Texts], signal: Signal = "summary", first: bool = False
) -> tuple[list[SentencePair], Funnel]:
    """Return the pairs of some edits, and the funnel."""
    with writing(folder / "transitions/a.parquet", TRANSITIONS_TABLE, dict) as table:
        for number, (before, after) in enumerate(edits, 10):
            made = replace(
                PROVENANCE,
                signal=signal,
                after_rev_id=number,
                before_rev_id=None if first else number - 1,
            )
            table.write(TransitionRow(made, CONTEXT, before, after))
    harvest = Harvest(folder, ("a",), load_language("en"), Tiers(), Build(), 0, {})
    funnel = Funnel()
    return list(wnc_pairs(harvest, funnel)), funnel


def test_one_changed_line_gives_its_sentences(tmp_path: Path) -> None:
    pairs, funnel = harvested(tmp_path, [(f"{HEAD}\n{BEFORE}", f"{HEAD}\n{AFTER}")])
    biased, neutral = pairs
    assert biased.source == "the splendid bridge crosses the river near the mill."
    assert biased.target == "the bridge crosses the river near the mill."
    assert (biased.label, biased.single_word) == ("biased", True)
    assert (neutral.label, neutral.source) == ("neutral", "it was built of stone in 1901.")
    assert funnel.counts["single_block"] == funnel.counts["passed"] == 1
    assert biased.pair_id.startswith(f"{PROVENANCE.wiki}-10-")


@pytest.mark.parametrize(
    ("before", "after", "stage"),
    [
        (None, "Elm", "text not known"),
        ("Elm", "Elm", "no change"),
        ("Elm", "Elm\nThe mill", "no changed block"),
        ("Elm\n\nThe mill", "Elm\nThe mill", "no changed block"),
        ("Elm\nA\nThe mill\nEnd", "Elm\nThe town mill\nEnd", "purely deleted or added block"),
        ("A\nElm\nB\nEnd", "1\nElm\n2\nEnd", "more than one changed block"),
        ("{{POV}}", "{{NPOV}}", "empty after cleaning"),
        ("The mill fell. It rose.", "The mill fell.", "number of sentences differs"),
    ],
)
def test_where_an_edit_ends(
    before: str | None, after: str | None, stage: str, tmp_path: Path
) -> None:
    pairs, funnel = harvested(tmp_path, [(before, after), ("Elm was fine.", "Elm was stone.")])
    assert funnel.stages[stage] == 1
    assert {pair.provenance.after_rev_id for pair in pairs} <= {11}


def test_the_first_revision_of_a_page_has_no_previous_one(tmp_path: Path) -> None:
    pairs, funnel = harvested(tmp_path, [(None, "Elm")], first=True)
    assert (pairs, funnel.stages) == ([], {"no previous revision": 1})


def test_texts_that_are_still_to_be_fetched(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fetch --revisions"):
        harvested(tmp_path, [(None, None), (None, None)])


def test_edits_found_by_a_tag_do_not_count(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--signal summary"):
        harvested(tmp_path, [(BEFORE, AFTER)], signal="tag")
