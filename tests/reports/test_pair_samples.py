"""Sampled pairs as a page shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_pairs import written_pairs
from wikibias.reports.pair_samples import by_editor, joined_spans, plain, sampled, shown
from wikibias.reports.reading import Place

ROW: dict[str, Any] = {
    "source": "The splendid mill stands here.",
    "target": "The mill is here.",
    "label": "biased",
    "relation": "rewritten",
    "edit_type": ["deletion", "substitution", "substitution"],
    "edit_source": ["4:12", "18:24"],
    "edit_target": ["", "9:11"],
    "tier": "high",
    "tier_reasons": ["no_revert"],
    "similarity": 71.0,
    "signal": "summary",
    "pair_id": "x-1",
}


def test_the_two_sides_are_marked() -> None:
    change = by_editor(ROW)
    assert [p.text for p in change.before if p.changed] == ["splendid", "stands"]
    assert [p.text for p in change.after if p.changed] == ["is"]
    assert change.note == ""
    assert by_editor(ROW | {"relation": "merged"}, "the editor").note == "the editor, merged"


def test_a_neutral_pair_has_one_side() -> None:
    change = by_editor(ROW | {"label": "neutral", "edit_source": [], "target": ROW["source"]})
    assert [piece.text for piece in change.before] == [ROW["source"]]
    assert (change.after, change.note) == ((), "left alone")


def test_facts() -> None:
    found = shown(ROW, [])
    assert found.title == "pair x-1"
    assert found.facts == [
        "found by its summary",
        "tier high (no revert)",
        "1 deletion, 2 substitutions",
        "71 % alike",
    ]
    assert shown({}, []).facts == []


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        (["12:18", "4:6"], "4:6 12:18"),
        (["1:5", "3:9 9:11", ""], "1:11"),
        (["", "x:y", "7"], ""),
    ],
)
def test_spans_are_put_in_order(given: list[str], joined: str) -> None:
    assert joined_spans(given) == joined


@given(st.lists(st.text("0123456789: ", max_size=12)))
def test_any_spans_can_be_joined(given: list[str]) -> None:
    ends = [int(part) for span in joined_spans(given).split() for part in span.split(":")]
    assert ends[::2] == sorted(ends[::2])


def test_a_long_text_is_cut() -> None:
    (piece,) = plain("x" * 5000)
    assert len(piece.text) < 1000
    assert plain("") == ()


def test_pairs_of_a_folder(tmp_path: Path) -> None:
    folder = written_pairs(tmp_path / "p", 3)
    first, _ = sampled([Place(folder / "pairs.parquet", row) for row in (0, 3)])
    assert "".join(piece.text for piece in first.changes[0].before).startswith("The splendid")
