"""Prints tables of scores for `classify` and `audit-split`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wikibias.kits.document import number, with_interval
from wikibias.kits.terminal import show_table
from wikibias.messages import counted
from wikibias.models.constants import METRIC_TITLES, METRICS

if TYPE_CHECKING:
    from wikibias.kits.evaluation import Table
    from wikibias.models.evaluation.experiment import Experiment


def show_experiment(experiment: Experiment) -> None:
    """Print the metrics of every split beside the constant classifier's, and what else there is."""
    for name, outcome in experiment.outcomes.items():
        few = ", too few to judge by" if outcome.too_few else ""
        sentences = f"{counted(len(outcome.examples), 'sentence')}{few}"
        show_table(
            f"{experiment.model.name} on {name} ({sentences})",
            ["", "model [95 %]", "always biased [95 %]"],
            [
                [
                    METRIC_TITLES[metric],
                    with_interval(outcome.scores[metric]),
                    with_interval(outcome.constant[metric]),
                ]
                for metric in METRICS
            ],
        )

    _show_seeds(experiment.details.get("seeds", {}))
    for split, scores in experiment.details.get("pairs", {}).items():
        rows = [
            ["model", with_interval(scores["accuracy"])],
            ["the longer side", with_interval(scores["longer_side"])],
            ["random guess", number(0.5)],
        ]
        title = f"{split}: which side of {counted(scores['edits'], 'edit')} is biased"
        show_table(title, ["", "accuracy"], rows)


def _show_seeds(seeds: Mapping[str, Any]) -> None:
    for split in (name for name in seeds if name != "count"):
        rows = [
            [metric, *(number(seeds[split][metric][key]) for key in ("mean", "sd", "low", "high"))]
            for metric in METRICS
        ]
        title = f"{split}, {counted(seeds['count'], 'seed')}"
        show_table(title, ["", "mean", "sd", "lowest", "highest"], rows)


def show_models(title: str, tables: Mapping[str, Table]) -> None:
    """Print one line per model, one column per metric."""
    header = ["", "P", "R", "F1", "accuracy", "MCC", "ROC-AUC", "AP", "Brier"]
    rows = [
        [name, *(number(table[metric]["value"]) for metric in METRICS)]
        for name, table in tables.items()
    ]
    show_table(title, header, rows)
