"""Scores of whole files: the published ones must come out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wikibias.errors import UsageError
from wikibias.research.spans.conll import parse_columns
from wikibias.research.spans.scoring import score_file

LABELS = "prediction,gold"


def scores(path: Path, columns: str | None = None, *, clean_up: bool = False) -> dict[str, Any]:
    return score_file(
        path,
        parse_columns(columns),
        clean_up=clean_up,
        warn=lambda _: None,
        resamples=10,
        seed=0,
    )


@pytest.mark.parametrize(
    ("name", "columns", "clean_up", "counts"),
    [
        ("wikibias_tagging_test.even.conll", None, False, (526, 16409, 441, 492, 189, 242)),
        ("wikibias_tagging_test.even.conll", None, True, (526, 16409, 441, 492, 206, 243)),
        ("wikibias_dev.tags", LABELS, False, (533, 14223, 418, 796, 53, 73)),
        ("wikibias_dev_top1.tags", LABELS, False, (533, 14223, 418, 477, 37, 53)),
        ("wikibias_dev_top3.tags", LABELS, False, (533, 14223, 418, 1044, 59, 92)),
    ],
)
def test_published_files_have_their_counts(
    name: str, columns: str | None, clean_up: bool, counts: tuple[int, ...], shared: Path
) -> None:
    found = scores(shared / "pairs" / name, columns, clean_up=clean_up)
    keys = ("sentences", "tokens", "gold", "predicted")
    measured = (*(found[key] for key in keys), found["exact"]["tp"], found["right_boundary"]["tp"])
    assert measured == counts


def test_what_is_needed_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("fine B\nmill O\n")
    with pytest.raises(UsageError, match="no column prediction; name the columns"):
        scores(path)
    path.write_text("B B\nO O\n")
    with pytest.raises(UsageError, match="--clean-up needs a column word"):
        scores(path, LABELS, clean_up=True)
