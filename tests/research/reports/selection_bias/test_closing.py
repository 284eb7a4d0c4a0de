"""Correlations and provenance."""

from __future__ import annotations

from selection_bias_results import full, minimal
from wikibias.research.reports.selection_bias.closing import correlations, provenance
from wikibias.research.reports.selection_bias.result import Result


def test_a_correlation_is_put_into_words() -> None:
    result = full()
    result["correlations"] = [
        {
            "corpus": None, "keywords": "own", "figure": figure, "with": "topics",
            "rho": rho, "p": p, "points": 9,
        }
        for figure, rho, p in (("b1", 0.9, 0.001), ("mean_max", -0.1, 0.8), ("max", None, None))
    ]  # fmt: skip
    part = correlations(Result(result))
    assert part is not None
    (row,) = part.blocks[0].tables[0].rows
    assert list(row) == [
        *("all", "own", "topics", "9"),
        *("rises 0.90 (p 0.0010)", "unclear -0.10", "does not vary"),
    ]


def test_a_correlation_within_a_corpus_is_but_rho() -> None:
    result = full()
    result["correlations"] = [
        {
            "corpus": "enwiki-2019", "keywords": "own", "figure": "b1", "with": "topics",
            "rho": 0.9, "p": None, "points": 9,
        }
    ]  # fmt: skip
    part = correlations(Result(result))
    assert part is not None
    assert part.blocks[0].tables[0].rows[0][-3] == "0.90"


def test_no_correlations_have_no_section() -> None:
    assert correlations(Result(minimal())) is None


def test_settings_and_the_command_are_told() -> None:
    similarity, settings, again = provenance(Result(full())).blocks
    assert ("dimensions", "50") in similarity.facts
    assert ("sentences at most", "20,000") in settings.facts
    assert ("base setting", "8 topics of 8 words") in settings.facts
    assert ("pairs without a similarity", "count as 0") in settings.facts
    assert again.commands == ["wikibias selection-bias corpora/one --keywords tag-set"]
    assert provenance(Result(minimal())).blocks[-1].commands == []
