"""Prints tables of scores for `classify` and `audit-split`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from wikibias.messages import counted, printable
from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.rendering.numbers import number, with_interval

if TYPE_CHECKING:
    from wikibias.models.evaluation.experiment import Experiment
    from wikibias.models.evaluation.metrics import Table

WIDTH = 118


def show(title: str, header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
    """Print a table; its first `left` columns are flush left, the others flush right."""
    from rich.table import Table as RichTable

    from wikibias.cli.console import Console

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
    """Print every metric of every split beside the constant classifier's."""
    for name, outcome in experiment.outcomes.items():
        show(
            f"{experiment.model.name} on {name} ({counted(len(outcome.examples), 'sentence')})",
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


def show_models(title: str, tables: Mapping[str, Table]) -> None:
    """Print one line per model, one column per metric."""
    header = ["", "P", "R", "F1", "accuracy", "MCC", "ROC-AUC", "AP", "Brier"]
    rows = [
        [name, *(number(table[metric]["value"]) for metric in METRICS)]
        for name, table in tables.items()
    ]
    show(title, header, rows)
