"""Draws what the pages of classifiers show, and says in words what one sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from wikibias.kits import evaluation
from wikibias.kits.charts import Dot, Drawing, curves, dots, matrix
from wikibias.kits.document import Interval, number
from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.training import GridResult

CONSTANT = "always “biased”"
SHORT_TITLES = {metric: METRIC_TITLES[metric].split(" (")[0] for metric in METRICS}
COMPARED = ("mcc", "f1", "roc_auc", "brier")
"""The metrics by which models are compared in figures."""


def of_outcome(name: str, outcome: Outcome, shown: Sequence[str] = METRICS) -> dict[str, Drawing]:
    """Return the figures of one split, by the kind that their file names end in.

    Without the Brier score among the metrics shown there is no calibration curve either.
    """
    drawings = {
        "scores": _scores(name, outcome, shown),
        "confusion": _confusion(name, outcome),
    }
    if "brier" in shown:
        drawings["reliability"] = _reliability(name, outcome)
    return drawings


def of_comparison(
    split: str, experiments: Sequence[Experiment], constant: evaluation.Table
) -> dict[str, Drawing]:
    """Return a figure for each compared metric, with a row for each model, by metric."""
    found = {}
    for metric in COMPARED:
        scores = {e.model.name: e.outcomes[split].scores[metric] for e in experiments}
        # ROC-AUC of a constant is chance, whatever the sentences are.
        line = constant[metric]["value"]
        known = {name: entry["value"] for name, entry in scores.items()}
        values = ", ".join(f"{name} {number(value)}" for name, value in known.items())
        found[metric] = dots(
            {name: [_dot(entry)] for name, entry in scores.items()},
            title=f"{split}: {METRIC_TITLES[metric]}, 95 % intervals",
            alt=f"{values}. The dashed line is {CONSTANT}: {number(line)}.",
            reference=line,
        )
    return found


def of_grid(found: GridResult) -> dict[str, Drawing]:
    """Return a figure for each parameter: median and range of the score for each of its values."""
    choose = found.grid.choose
    known = [row for row in found.rows if row[choose] is not None]
    lowest = min((row[choose] for row in known), default=0.0)
    highest = max((row[choose] for row in known), default=1.0)
    drawings = {}
    for name, values in found.grid.space.items():
        rows: dict[str, Sequence[Dot]] = {}
        seen = []
        for value in dict.fromkeys(values):
            scores = [row[choose] for row in known if row[name] == value]
            if not scores:
                continue
            chosen = " (chosen)" if value == found.best[name] else ""
            middle = median(scores)
            rows[f"{value}{chosen}"] = [Dot(middle, min(scores), max(scores))]
            seen.append(f"{value}{chosen} {number(middle)}, up to {number(max(scores))}")
        drawings[name] = dots(
            rows,
            title=f"{name}: median and range of {SHORT_TITLES[choose]} on dev",
            alt=f"The median with {'; with '.join(seen)}.",
            lowest=lowest,
            highest=highest,
        )
    return drawings


def _scores(name: str, outcome: Outcome, shown: Sequence[str]) -> Drawing:
    rows = {
        SHORT_TITLES[metric]: [_dot(outcome.scores[metric]), _dot(outcome.constant[metric])]
        for metric in shown
    }
    values = ", ".join(
        f"{SHORT_TITLES[m]} {number(outcome.scores[m]['value'])} "
        f"({number(outcome.constant[m]['value'])})"
        for m in shown
    )
    low = outcome.scores["mcc"]["low"]
    reach = "" if low is None else f" The interval of MCC begins at {number(low)}."
    return dots(
        rows,
        title=f"{name}: scores, 95 % intervals",
        alt=f"Of the model, and in brackets of {CONSTANT}: {values}.{reach}",
        series=("model", CONSTANT),
    )


def _confusion(name: str, outcome: Outcome) -> Drawing:
    counts = evaluation.confusion(outcome.examples.biased, outcome.predicted)
    hit, missed = counts["true_positive"], counts["false_negative"]
    alarm, left = counts["false_positive"], counts["true_negative"]

    def cells(*row: int) -> list[tuple[str, float]]:
        shares = [value / max(1, sum(row)) for value in row]
        return [(f"{n:,}\n{share:.0%}", share) for n, share in zip(row, shares, strict=True)]

    return matrix(
        [cells(hit, missed), cells(alarm, left)],
        ["biased", "neutral"],
        ["biased", "neutral"],
        title=f"{name}: confusion matrix",
        alt=(
            f"Of {hit + missed:,} sentences labelled biased the model calls {hit:,} biased; of "
            f"{alarm + left:,} labelled neutral it calls {left:,} neutral."
        ),
        axes=("label", "predicted"),
    )


def _reliability(name: str, outcome: Outcome) -> Drawing:
    bins = evaluation.reliability(outcome.examples.biased, outcome.predicted.probabilities)
    points = [(mean, share) for mean, share, _ in bins]
    seen = "; ".join(f"{share:.0%} where it says {mean:.2f}" for mean, share in points)
    return curves(
        {f"model, {len(bins)} bins": points, "perfect": [(0, 0), (1, 1)]},
        title=f"{name}: share labelled biased (calibration curve)",
        alt=f"The share labelled biased is {seen or 'not known'}.",
        axis="predicted probability",
        most=(1, 1),
        percent=True,
    )


def _dot(entry: Interval | Mapping[str, Any]) -> Dot:
    return Dot(entry["value"], entry["low"], entry["high"])
