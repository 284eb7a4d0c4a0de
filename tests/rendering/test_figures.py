from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from wikibias.rendering import figures

KNOWN = {"value": 0.5, "low": 0.4, "high": 0.6}
UNKNOWN: dict[str, float | None] = {"value": None, "low": None, "high": None}
SCORES: dict[str, dict[str, float | None]] = {"f1": {**KNOWN}, "roc_auc": UNKNOWN}
TITLES = {"f1": "F1", "roc_auc": "ROC-AUC"}
ROWS: list[Mapping[str, Any]] = [
    {"n": 0, "alpha": 0.1, "idf": True, "f1": 0.5},
    {"n": 1, "alpha": 1, "idf": False, "f1": None},
]

DRAWN: dict[str, Callable[[], bytes]] = {
    "intervals": lambda: figures.intervals(("a", SCORES), ("b", SCORES), TITLES, "t"),
    "confusion": lambda: figures.confusion_matrix([[0, 0], [3, 1]], ["y", "n"], ("p", "t"), "t"),
    "calibration": lambda: figures.calibration_curve([(0.1, 0.0, 4)], ("x", "y"), "t"),
    "comparison": lambda: figures.comparison({"a": SCORES}, ("b", SCORES), TITLES, "t"),
    "grid": lambda: figures.parameter_grid(ROWS, ROWS[0], ["alpha", "idf"], ("f1", "F1 on dev")),
}


@pytest.mark.parametrize("name", DRAWN)
def test_scores_that_are_not_defined_are_left_out_and_bytes_repeat(name: str) -> None:
    png = DRAWN[name]()
    assert png.startswith(b"\x89PNG")
    assert png == DRAWN[name]()


def test_dollars_in_names_are_no_formula() -> None:
    """Which would fail: these are names of models, and values in the file of a grid."""
    name = r"$\\evil{$"
    rows = [{"n": n, "alpha": f"{name}{n}", "f1": 0.5} for n in range(2)]
    figures.parameter_grid(rows, rows[0], ["alpha"], ("f1", "F1"))
    figures.comparison({name: SCORES}, ("b", SCORES), TITLES, "t")
