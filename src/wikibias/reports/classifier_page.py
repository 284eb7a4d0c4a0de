"""Draws the figures and writes the pages of one model, a grid search and a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wikibias.messages import counted
from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.models.evaluation import metrics
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.training import Comparison, GridResult
from wikibias.rendering import figures
from wikibias.rendering.html import Table, render
from wikibias.rendering.numbers import number, p_value, with_interval
from wikibias.storage.atomic import write_bytes, write_text

CONSTANT = "always “biased”"
_COMPARED = ("f1", "mcc", "roc_auc", "brier")
_MOST_ERRORS = 8
_LONGEST_ERROR = 300
_SHORT_TITLES = {metric: METRIC_TITLES[metric].split(" (")[0] for metric in METRICS}


def write_experiment(experiment: Experiment, out: Path) -> None:
    """Write `report.html` and the figures of one model.

    Raises:
        DiskError: the folder cannot be written.
    """
    splits = []
    for name, outcome in experiment.outcomes.items():
        pictures = _figures(name, outcome)
        for kind, png in pictures.items():
            write_bytes(out / "figures" / f"{name}-{kind}.png", png)
        splits.append(
            {
                "title": f"{name}: {counted(len(outcome.examples), 'sentence')}",
                "scores": _scores(outcome),
                "figures": {f"{name}: {kind}": png for kind, png in pictures.items()},
                "errors": _errors(outcome),
            }
        )
    lead = (
        f"Seed {experiment.model.seed}; 95 % bootstrap intervals. F1 alone proves nothing: "
        "compare with the constant classifier, and look at MCC, which is 0 for any constant."
    )
    title = f"wikibias classify: {experiment.model.name}"
    context = {"title": title, "lead": lead, "splits": splits, "name": experiment.model.name}
    write_text(out / "report.html", render(__package__, "model.html.j2", context))


def write_grid(found: GridResult, out: Path) -> None:
    """Write the figure of a grid search.

    Raises:
        DiskError: the folder cannot be written.
    """
    choose = found.grid.choose
    label = f"{METRIC_TITLES[choose]} on dev"
    png = figures.parameter_grid(found.rows, found.best, list(found.grid.space), (choose, label))
    write_bytes(out / "figures" / "grid.png", png)


def write_comparison(found: Comparison, out: Path) -> None:
    """Write `report.html` and the figures of several models.

    Raises:
        DiskError: the folder cannot be written.
    """
    splits = []
    for split, first in found.experiments[0].outcomes.items():
        scores = {e.model.name: e.outcomes[split].scores for e in found.experiments}
        png = figures.comparison(
            scores,
            (CONSTANT, first.constant),
            {metric: _SHORT_TITLES[metric] for metric in _COMPARED},
            f"{split}, 95 % intervals",
        )
        write_bytes(out / "figures" / f"{split}-comparison.png", png)
        splits.append(
            {
                "title": f"{split}: {counted(len(first.examples), 'sentence')}",
                "models": _models({**scores, CONSTANT: first.constant}),
                "figures": {f"{split}: models": png},
                "mcnemar": _mcnemar(found.mcnemar[split]),
            }
        )
    lead = "Same training data, same held-out sentences; 95 % bootstrap intervals."
    context = {"title": "wikibias classify: models", "lead": lead, "splits": splits}
    write_text(out / "report.html", render(__package__, "comparison.html.j2", context))


def _scores(outcome: Outcome) -> Table:
    rows = [
        [METRIC_TITLES[m], with_interval(outcome.scores[m]), with_interval(outcome.constant[m])]
        for m in METRICS
    ]
    return Table(["", "model [95 %]", f"{CONSTANT} [95 %]"], rows)


def _models(tables: Mapping[str, metrics.Table]) -> Table:
    rows = [
        [name, *(number(scores[metric]["value"]) for metric in METRICS)]
        for name, scores in tables.items()
    ]
    return Table(["", *_SHORT_TITLES.values()], rows)


def _mcnemar(tests: Iterable[Mapping[str, Any]]) -> Table:
    rows = [
        [t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}", p_value(t["p"])]
        for t in tests
    ]
    return Table(["first", "second", "only first right", "only second right", "p"], rows, 2)


def _errors(outcome: Outcome) -> Table:
    """Return the wrongly classified sentences with the most confident predictions."""
    probabilities, truth = outcome.predicted.probabilities, outcome.examples.biased
    wrong = [i for i in range(len(truth)) if outcome.predicted.decisions[i] != truth[i]]
    wrong.sort(key=lambda i: (-abs(probabilities[i] - 0.5), i))
    rows = [
        [
            outcome.examples.texts[i][:_LONGEST_ERROR],
            f"{outcome.examples.rows[i]}",
            number(float(probabilities[i])),
            "biased" if truth[i] else "neutral",
        ]
        for i in wrong[:_MOST_ERRORS]
    ]
    return Table(["sentence", "row", "P(biased)", "label"], rows, prose=True)


def _figures(name: str, outcome: Outcome) -> dict[str, bytes]:
    """Return the figures of one split, by the kind that their file names end in."""
    truth, predicted = outcome.examples.biased, outcome.predicted
    counts = metrics.confusion(truth, predicted)
    return {
        "scores": figures.intervals(
            ("model", outcome.scores),
            (CONSTANT, outcome.constant),
            METRIC_TITLES,
            f"{name}: scores, 95 % intervals",
        ),
        "confusion": figures.confusion_matrix(
            [
                [counts["true_positive"], counts["false_negative"]],
                [counts["false_positive"], counts["true_negative"]],
            ],
            ["biased", "neutral"],
            ("predicted", "label"),
            f"{name}: confusion matrix",
        ),
        "reliability": figures.calibration_curve(
            metrics.reliability(truth, predicted.probabilities),
            ("predicted probability", "share labelled biased"),
            f"{name}: calibration curve",
        ),
    }
