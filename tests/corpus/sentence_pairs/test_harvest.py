"""What pairs are made from."""

from __future__ import annotations

import pytest

from sample_corpora import corpus
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.sentence_pairs.harvest import RULES, Harvest, RulesName, finder
from wikibias.kits.schemas import PAIRS_TABLE, TRANSITIONS_TABLE


@pytest.mark.parametrize("rules", RULES)
def test_all_rules_are_there(rules: RulesName) -> None:
    assert callable(finder(rules))


def test_the_rows_of_all_parts() -> None:
    folder = corpus()
    parts = tuple(path.stem for path in sorted((folder / "transitions").iterdir()))
    harvest = Harvest(folder, parts, load_language("en"), Tiers(), Build(), 0, {})
    assert harvest.has(TRANSITIONS_TABLE)
    assert not harvest.has(PAIRS_TABLE)
    revisions = [row.provenance.after_rev_id for row in harvest.rows(TRANSITIONS_TABLE)]
    assert revisions
