"""Writes the page of a cross table: models trained on each of several sets, tested on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from wikibias.kits.charts import Drawing, curves, matrix
from wikibias.kits.document import Table, number, with_interval
from wikibias.kits.evaluation import Table as Scores
from wikibias.kits.files import write_text
from wikibias.kits.html import render
from wikibias.models.constants import METRIC_TITLES
from wikibias.research.transfer import Cell, LabelledSet, length_only

PAGE = "report.html"
Curves = Mapping[str, Sequence[tuple[int, Scores]]]
# Two tables, since one with five intervals in a row is wider than a page.
_SHOWN = (("precision", "recall", "f1"), ("mcc", "roc_auc", "accuracy"))


def write_cross_page(
    sets: Sequence[LabelledSet],
    cells: Mapping[str, Sequence[Cell]],
    learning: Mapping[str, Curves],
    out: Path,
) -> None:
    """Write `report.html`: for each model the cross table and, where there are any, the curves.

    Raises:
        DiskError: the folder cannot be written.
    """
    shown = [
        {
            "name": name,
            "figures": [_matrix(name, sets, found), *_curves(name, learning.get(name, {}))],
            "scores": [_scores(found, metrics) for metrics in _SHOWN],
        }
        for name, found in cells.items()
    ]
    context = {
        "title": "wikibias cross-evaluate",
        "lead": (
            "Rows: what a model was trained on; columns: what it was tested on. No model is tested "
            "on a sentence that it was trained on. 95 % bootstrap intervals."
        ),
        "models": shown,
        "sets": _sets(sets),
    }
    write_text(out / PAGE, render("wikibias.reports", "cross.html.j2", context))


def _matrix(name: str, sets: Sequence[LabelledSet], found: Sequence[Cell]) -> Drawing:
    names = [each.name for each in sets]
    found_at = {(cell.train, cell.test): cell.scores for cell in found}
    mcc = {place: scores["mcc"]["value"] or 0.0 for place, scores in found_at.items()}

    def cell(row: str, column: str) -> tuple[str, float]:
        f1 = number(found_at[row, column]["f1"]["value"])
        return f"F1 {f1}\nMCC {number(mcc[row, column])}", max(0.0, mcc[row, column])

    row, column = max(mcc, key=lambda place: mcc[place])
    return matrix(
        [[cell(row, column) for column in names] for row in names],
        names,
        names,
        title=f"{name}: F1 and MCC, shaded by MCC",
        alt=f"F1 and MCC of {name}; the best MCC, {number(mcc[row, column])}, of {row} on {column}",
        axes=("train", "test"),
    )


def _curves(name: str, learning: Curves) -> list[Drawing]:
    series = {
        which: [(float(size), scores["f1"]["value"] or 0.0) for size, scores in points]
        for which, points in learning.items()
        if points
    }
    if not series:
        return []
    alt = "; ".join(
        f"{which}: {number(points[-1][1])} at the end" for which, points in series.items()
    )
    return [
        curves(
            series,
            title=f"F1 of {name} by the number of training sentences",
            alt=alt,
            axis="training sentences",
            most=(max(point[0] for points in series.values() for point in points), 1.0),
        )
    ]


def _scores(found: Sequence[Cell], metrics: Sequence[str]) -> Table:
    rows = [
        [
            f"{cell.train} on {cell.test}",
            *(f"{count:,}" for count in (cell.trained_on, cell.tested_on, cell.shared)),
            *(with_interval(cell.scores[metric]) for metric in metrics),
        ]
        for cell in found
    ]
    titles = [METRIC_TITLES[metric] for metric in metrics]
    header = ["train on test", "trained on", "tested on", "shared", *titles]
    return Table(header, rows, title=", ".join(titles), stacks=True)


def _sets(sets: Sequence[LabelledSet]) -> Table:
    rows = [
        [
            each.name,
            f"{len(each.train):,}",
            f"{int(each.train.biased.sum()):,}",
            "folds" if each.test is None else f"{len(each.test):,}",
            number(length_only(each.train)),
        ]
        for each in sets
    ]
    header = ["set", "sentences to train on", "positive", "to test on", "length alone"]
    return Table(header, rows, title="Sentences", stacks=True)
