"""Grid search: the same scores as a plain search, in less time."""

from __future__ import annotations

from typing import Any

import pytest

from sample_examples import examples
from wikibias.errors import UsageError
from wikibias.models.constants import CHOICES
from wikibias.models.grid_search import (
    Grid,
    Row,
    fingerprint,
    plain_search,
    read_grid,
    search,
    winner,
)

STOPWORDS = ("the", "of")


TRAIN, DEV = examples("train", 240, 1), examples("dev", 80, 2)


def run(grid: Grid, skip: list[int] | None = None, jobs: int = 1) -> list[dict[str, Any]]:
    found = search(
        grid, grid.combinations(), TRAIN, DEV, stopwords=STOPWORDS, jobs=jobs, skip=skip or []
    )
    return sorted((row for rows in found for row in rows), key=lambda row: int(row["n"]))


def test_the_72_combinations_of_sgd_score_as_in_a_plain_search() -> None:
    grid = read_grid("sgd")
    plain = plain_search(grid, grid.combinations(), TRAIN, DEV, stopwords=STOPWORDS)
    shared = run(grid)
    assert shared == plain
    for metric in CHOICES:
        assert winner(shared, metric) == winner(plain, metric)


def test_lr_scores_as_in_a_plain_search() -> None:
    space: dict[str, list[Any]] = {
        "ngrams": [1, 2],
        "max_features": [50, 300],
        "idf": [True, False],
        "c": [0.1, 10.0],
    }
    grid = Grid("lr", "mcc", {**space, "solver": ["saga"]})
    plain = plain_search(grid, grid.combinations(), TRAIN, DEV, stopwords=STOPWORDS)
    assert run(grid) == plain


def test_two_processes_find_the_same() -> None:
    grid = Grid("sgd", "f1", {"ngrams": [1, 2], "max_features": [50], "alpha": [0.01, 0.001]})
    assert run(grid, jobs=2) == run(grid)


def test_what_is_done_is_not_done_again() -> None:
    grid = Grid("char-lr", "mcc", {"longest": [3, 4], "c": [0.1, 1.0]})
    everything = run(grid)
    assert run(grid, skip=[0, 3]) == [everything[1], everything[2]]


def test_the_fingerprint_depends_on_the_data() -> None:
    grid = read_grid("sgd")
    marks = {
        fingerprint(grid, grid.combinations(), parts, STOPWORDS, seed)
        for parts, seed in (((TRAIN, DEV), 0), ((TRAIN, DEV), 1), ((DEV, TRAIN), 0))
    }
    assert len(marks) == 3


def test_of_equals_the_first_wins_and_an_unknown_score_never_does() -> None:
    rows: list[Row] = [{"n": 2, "f1": 0.5}, {"n": 1, "f1": 0.5}, {"n": 0, "f1": None}]
    assert winner(rows, "f1")["n"] == 1


def test_a_wrong_parameter_is_told_before_anything_is_tried() -> None:
    with pytest.raises(UsageError, match="no parameter 'alfa'; did you mean 'alpha'"):
        run(Grid("sgd", "f1", {"alfa": [0.1]}))
