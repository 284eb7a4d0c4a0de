"""Differences of groups."""

from __future__ import annotations

from selection_bias_results import full, minimal
from wikibias.research.reports.selection_bias.differences import differences
from wikibias.research.reports.selection_bias.result import Result


def test_the_clear_ones_come_first() -> None:
    table = differences(Result(full()), "enwiki-2019", "year")
    assert table is not None
    clear = [str(row[-1]) for row in table.rows]
    assert clear == sorted(clear, reverse=True)
    assert len(table.rows) == 25
    assert "the first 25 of 198" in table.title
    assert "of 198, by chance 9.9" in table.title


def test_those_of_corpora_have_no_corpus() -> None:
    table = differences(Result(full()), None, "corpus")
    assert table is not None
    assert list(table.rows[0])[:2] == ["enwiki-2024", "enwiki-2019"]


def test_none_are_no_table() -> None:
    assert differences(Result(minimal()), "one", "label") is None
