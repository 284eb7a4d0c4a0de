"""The sections of a page of sentence pairs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from wikibias.reports import pairs_sections
from wikibias.reports.pair_predictions import Score
from wikibias.reports.pairs_statistics import PairCounts

FUNNEL: dict[str, Any] = {
    "matched": 597,
    "reverts": 75,
    "pover": 2,
    "kept": 520,
    "single_block": 173,
    "passed": 114,
    "biased": 105,
    "single_word": 18,
    "neutral": 311,
    "after_length_ratio": 97,
    "stages": {"not_one_block": 347, "restores_earlier": 59, "passed": 114},
    "verdicts": {"neutral": 311, "biased": 105},
    "length_ratio": {"mean": 1.1, "sd": 0.2},
}


def test_the_funnel_in_a_figure_and_in_tables() -> None:
    found = pairs_sections.funnel(FUNNEL)
    (figure,) = found.figures
    assert figure.alt == (
        "Of 597 edits, these steps take: reverts and robots 75, poverty 2, not one block 347, "
        "earlier text restored 59; 114 are left."
    )
    funnel, edits, sentences = found.tables
    assert funnel.rows[-1] == ["biased pairs of usual lengths", "97"]
    assert edits.rows[0] == ["not one block", "347"]
    assert sentences.title == "Aligned sentences"
    assert "mean 1.1, sd 0.2" in found.says[-1]


def test_edits_that_a_tag_found_have_no_steps_of_summaries() -> None:
    told = {"matched": 0, "stages": {"no_pair": 10, "passed": 3}}
    (figure,) = pairs_sections.funnel(told).figures
    assert figure.alt == "Of 13 edits, these steps take: no pair 10; 3 are left."


def test_a_funnel_of_a_file_of_pairs_begins_later() -> None:
    found = pairs_sections.funnel({"matched": None, "biased": 832, "verdicts": {"biased": 832}})
    assert found.figures == []
    assert found.tables[0].rows == [["biased pairs", "832"]]


def test_no_funnel_and_a_damaged_one() -> None:
    for told in ({}, {"stages": [], "matched": "many", "length_ratio": 3}):
        assert "no funnel.json" in pairs_sections.funnel(told).says[0]


def test_what_editors_did() -> None:
    counts = PairCounts(
        labels=Counter(biased=4),
        single_word=1,
        types=Counter(deletion=5, addition=1),
        relations=Counter(rewritten=3, merged=1),
        spans=Counter({1: 2, 2: 2}),
    )
    found = pairs_sections.edits(counts)
    assert found.says[0].startswith("6 edited spans in 4 biased pairs, 1.50 a pair. In 1 (25%)")
    assert found.tables[0].rows == [
        ["substitutions", "0", "0.0%"],
        ["deletions", "5", "83.3%"],
        ["additions", "1", "16.7%"],
    ]
    assert found.tables[1].rows[0] == ["rewritten", "3", "75.0%"]


def test_frequent_changes_and_none() -> None:
    counts = PairCounts()
    assert pairs_sections.changes(counts).says == ["Nothing was done more than once."]
    for _ in range(2):
        counts.changes["substitution"].add(("claimed", "said"))
        counts.changes["deletion"].add(("famous", ""))
    replaced, deleted = pairs_sections.changes(counts).tables
    assert (list(replaced.header), replaced.rows) == (
        ["was", "became", "times"],
        [["claimed", "said", "2"]],
    )
    assert deleted.rows == [["famous", "2"]]


def test_an_empty_folder_has_all_sections() -> None:
    counts = PairCounts()
    assert "holds no pair" in pairs_sections.about({}, counts).says[0]
    assert pairs_sections.composition(counts).tables == []
    assert pairs_sections.edits(counts).says == ["There is no biased pair."]
    assert pairs_sections.lengths(counts).says == ["There is no pair."]


def test_scores_of_marks_and_rewrites() -> None:
    marks, rewrites = pairs_sections.scores(
        [Score("tagger", False, 10, 2, 5), Score("copy", True, 4, 4, 0)]
    )
    assert marks.rows == [["tagger", "10", "20.0%", "50.0%"]]
    assert rewrites.rows == [["copy", "4", "100.0%", "0.0%"]]


def test_facts_of_the_folder() -> None:
    counts = PairCounts(
        languages={f"l{n}": Counter(biased=n) for n in range(9)}, dumps={"20260101", "20260201"}
    )
    found = pairs_sections.in_short({"format": "x", "rules": "own", "files": {}}, counts)
    assert found["rules"] == "own"
    assert found["language"] == "l8, l7, l6, l5, l4, l3 and 3 more"
    assert found["dump of"] == "2026-01-01, 2026-02-01"
    assert "found by" not in found
