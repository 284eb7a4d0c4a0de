"""Figures and pages of classifiers: one model, a grid search, a comparison of models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wikibias.messages import counted
from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.evaluation.metrics import Table, confusion, reliability
from wikibias.models.training import Comparison, GridResult
from wikibias.rendering import figures
from wikibias.rendering.html import heading, images, page, paragraph, table
from wikibias.rendering.numbers import number, p_value, with_interval
from wikibias.storage.atomic import write_bytes, write_text

CONSTANT = "always “biased”"
_COMPARED = ("f1", "mcc", "roc_auc", "brier")
_MOST_ERRORS = 8
_SHOWN = 300


def _scores(outcome: Outcome) -> str:
    rows = [
        [METRIC_TITLES[m], with_interval(outcome.scores[m]), with_interval(outcome.constant[m])]
        for m in METRICS
    ]
    return table(["", "model [95 %]", f"{CONSTANT} [95 %]"], rows)


def _short(metric: str) -> str:
    return METRIC_TITLES[metric].split(" (")[0]


def _models(tables: Mapping[str, Table]) -> str:
    header = ["", *map(_short, METRICS)]
    return table(
        header,
        (
            [name, *(number(scores[metric]["value"]) for metric in METRICS)]
            for name, scores in tables.items()
        ),
    )


def _mcnemar(tests: Iterable[Mapping[str, Any]]) -> str:
    header = ["first", "second", "only first right", "only second right", "p"]
    return table(
        header,
        (
            [t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}", p_value(t["p"])]
            for t in tests
        ),
        text_columns=2,
    )


def _errors(outcome: Outcome) -> str:
    chances, truth = outcome.said.chances, outcome.examples.biased
    wrong = [i for i in range(len(truth)) if outcome.said.decisions[i] != truth[i]]
    wrong.sort(key=lambda i: (-abs(chances[i] - 0.5), i))
    rows = [
        [
            outcome.examples.texts[i][:_SHOWN],
            f"{outcome.examples.rows[i]}",
            number(float(chances[i])),
            "biased" if truth[i] else "neutral",
        ]
        for i in wrong[:_MOST_ERRORS]
    ]
    return table(["sentence", "row", "P(biased)", "label"], rows)


def write_experiment(experiment: Experiment, out: Path) -> None:
    """Write `report.html` and the figures of one model.

    Raises:
        DiskError: the folder cannot be written.
    """
    parts: list[str] = []
    for name, outcome in experiment.outcomes.items():
        pictures = _drawn(name, outcome)
        for kind, png in pictures.items():
            write_bytes(out / "figures" / f"{name}-{kind}.png", png)
        parts += [
            heading(f"{name}: {counted(len(outcome.examples), 'sentence')}"),
            _scores(outcome),
            images(pictures),
            paragraph("Most confident errors:"),
            _errors(outcome),
        ]
    if not parts:
        parts = [paragraph("No sentences were held out, so there are no scores (see --cv).")]
    lead = (
        f"Seed {experiment.model.seed}; 95 % bootstrap intervals. F1 alone proves nothing: "
        "compare with the constant classifier, and look at MCC, which is 0 for any constant."
    )
    page_text = page(f"wikibias classify: {experiment.model.name}", lead, parts)
    write_text(out / "report.html", page_text)


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
    parts: list[str] = []
    for split, first in found.experiments[0].outcomes.items():
        tables = {e.model.name: e.outcomes[split].scores for e in found.experiments}
        titles = {metric: _short(metric) for metric in _COMPARED}
        constant = (CONSTANT, first.constant)
        png = figures.comparison(tables, constant, titles, f"{split}, 95 % intervals")
        write_bytes(out / "figures" / f"{split}-comparison.png", png)
        parts += [
            heading(f"{split}: {counted(len(first.examples), 'sentence')}"),
            _models({**tables, CONSTANT: first.constant}),
            images({f"{split}: models": png}),
            paragraph("McNemar's exact test between each two models:"),
            _mcnemar(found.mcnemar[split]),
        ]
    lead = "Same training data, same held-out sentences; 95 % bootstrap intervals."
    write_text(out / "report.html", page("wikibias classify: models", lead, parts))


def _drawn(name: str, outcome: Outcome) -> dict[str, bytes]:
    """Return the figures of one split, by kind."""
    truth, said = outcome.examples.biased, outcome.said
    cells = confusion(truth, said)
    return {
        "scores": figures.intervals(
            ("model", outcome.scores),
            (CONSTANT, outcome.constant),
            METRIC_TITLES,
            f"{name}: scores, 95 % intervals",
        ),
        "confusion": figures.confusion_matrix(
            [
                [cells["true_positive"], cells["false_negative"]],
                [cells["false_positive"], cells["true_negative"]],
            ],
            ["biased", "neutral"],
            ("predicted", "label"),
            f"{name}: confusion matrix",
        ),
        "reliability": figures.calibration_curve(
            reliability(truth, said.chances),
            ("predicted probability", "share labelled biased"),
            f"{name}: calibration curve",
        ),
    }
