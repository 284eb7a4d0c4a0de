"""How many edits pairs of texts have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports import wikibias
from wikibias.edits.edited_spans import EditCounts


def test_edits_of_many_pairs_are_counted() -> None:
    counts = EditCounts()
    for pair in (("a grand mill", "a mill"), ("a grand mill", "an old mill"), ("a mill", "a mill")):
        counts.add(*pair)
    found = counts.as_dict()
    assert found["adjacency"] == {"substitution": 1, "deletion": 1, "addition": 0}
    assert found["adjacency_per_pair"] == {"0": 1, "1": 2}
    assert found["rule"] == found["adjacency"]


@pytest.mark.parametrize(
    ("name", "counts", "per_pair"),
    [
        ("word", (206, 210, 0), {"1": 416}),
        ("multi", (450, 333, 128), {"1": 254, "2": 142, "3": 59, "4": 32, "5": 13}),
    ],
)
def test_published_pairs_have_the_edits_that_were_counted(
    name: str, counts: tuple[int, ...], per_pair: dict[str, int], shared: Path, tmp_path: Path
) -> None:
    file = shared / "pairs" / f"wnc_{name}_test.even.tsv"
    columns = ("--source", "src_tok", "--target", "tgt_tok")
    done = wikibias("pairs", file, "--rules", "wnc", *columns, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "out" / "funnel.json").read_text(encoding="utf-8"))["edits"]
    assert tuple(found["adjacency"].values()) == counts
    assert found["adjacency_per_pair"] == per_pair
