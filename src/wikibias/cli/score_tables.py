"""Prints tables of scores for `classify` and `audit-split`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wikibias.kits.document import number, with_interval
from wikibias.messages import counted, printable
from wikibias.models.constants import METRIC_TITLES, METRICS

if TYPE_CHECKING:
    from wikibias.kits.evaluation import Table
    from wikibias.models.evaluation.experiment import Experiment

WIDTH = 118


def show(title: str, header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
    """Print a table; its first `left` columns are flush left, the others flush right."""
    from rich.table import Table as RichTable

    from wikibias.kits.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    drawn = RichTable(box=None)
    for column, name in enumerate(header):
        drawn.add_column(name, justify="left" if column < left else "right")
    for row in rows:
        drawn.add_row(*map(printable, row))
    console.print(title, style="bold")
    console.print(drawn, "", sep="\n")


def show_experiment(experiment: Experiment) -> None:
    """Print the metrics of every split beside the constant classifier's, and what else there is."""
    for name, outcome in experiment.outcomes.items():
        few = ", too few to judge by" if outcome.too_few else ""
        sentences = f"{counted(len(outcome.examples), 'sentence')}{few}"
        show(
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
        show(title, ["", "accuracy"], rows)


def _show_seeds(seeds: Mapping[str, Any]) -> None:
    for split in (name for name in seeds if name != "count"):
        rows = [
            [metric, *(number(seeds[split][metric][key]) for key in ("mean", "sd", "low", "high"))]
            for metric in METRICS
        ]
        title = f"{split}, {counted(seeds['count'], 'seed')}"
        show(title, ["", "mean", "sd", "lowest", "highest"], rows)


def show_models(title: str, tables: Mapping[str, Table]) -> None:
    """Print one line per model, one column per metric."""
    header = ["", "P", "R", "F1", "accuracy", "MCC", "ROC-AUC", "AP", "Brier"]
    rows = [
        [name, *(number(table[metric]["value"]) for metric in METRICS)]
        for name, table in tables.items()
    ]
    show(title, header, rows)
