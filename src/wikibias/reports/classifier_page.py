"""Writes the pages and figures of one model, with its grid search, and of a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.kits import evaluation
from wikibias.kits.charts import Drawing
from wikibias.kits.document import Cell, Link, Table, number, p_value, with_interval
from wikibias.kits.files import write_text
from wikibias.kits.html import render
from wikibias.messages import counted
from wikibias.models.constants import METRIC_TITLES, METRICS, ORDER_ONLY
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.examples import Examples, Splits
from wikibias.models.results import data
from wikibias.models.training import Comparison, GridResult, by_score
from wikibias.reports.attention import shaded
from wikibias.reports.classifier_figures import (
    CONSTANT,
    SHORT_TITLES,
    of_comparison,
    of_grid,
    of_outcome,
)
from wikibias.reports.pair_judgements import accuracies, judgements

_MOST_ERRORS = 8
_LONGEST_ERROR = 300
# Two tables, since one with eight intervals in a row is wider than a page.
_FIRST = ("mcc", "f1", "precision", "recall")
_SECOND = tuple(metric for metric in METRICS if metric not in _FIRST)


def write_experiment(
    experiment: Experiment, splits: Splits, out: Path, found: GridResult | None = None
) -> None:
    """Write `report.html` and the figures of one model, and of the grid search that chose it.

    Raises:
        DiskError: the folder cannot be written.
    """
    is_order = experiment.model.name in ORDER_ONLY and splits.train.edits is not None
    shown_metrics = [metric for metric in METRICS if not (is_order and metric == "brier")]
    shown = []
    for name, outcome in experiment.outcomes.items():
        shown.append(
            {
                "title": f"{name}: {counted(len(outcome.examples), 'sentence')}",
                "few": outcome.too_few,
                "scores": _scores(name, outcome, shown_metrics),
                "figures": _written(out, name, of_outcome(name, outcome, shown_metrics)),
                "errors": _errors(name, outcome, "score" if is_order else "P(biased)"),
            }
        )
    context = {
        "title": f"wikibias classify: {experiment.model.name}",
        "lead": (
            f"Seed {experiment.model.seed}; 95 % bootstrap intervals. F1 alone proves nothing: "
            "compare with the constant classifier, and look at MCC, which is 0 for any constant."
        ),
        "name": experiment.model.name,
        "warnings": experiment.warnings(),
        "leaks": experiment.leaks,
        "edits": judgements(experiment),
        "is_order": is_order,
        "facts": _texts(splits.corpus),
        "data": _data(splits),
        "parameters": _texts(experiment.model.parameters),
        "grid": None if found is None else _grid(found, out),
        "splits": shown,
        "attention": shaded(experiment),
    }
    write_text(out / "report.html", render(__package__, "model.html.j2", context))


def write_comparison(found: Comparison, splits: Splits, out: Path) -> None:
    """Write `report.html` and the figures of several models.

    Raises:
        DiskError: the folder cannot be written.
    """
    shown = []
    for split, first in found.experiments[0].outcomes.items():
        sorted_ = by_score(found, split)
        scores = {e.model.name: e.outcomes[split].scores for e in sorted_}
        drawings = of_comparison(split, sorted_, first.constant)
        tests = found.mcnemar[split]
        shown.append(
            {
                "title": f"{split}: {counted(len(first.examples), 'sentence')}",
                "few": first.too_few,
                "scores": [
                    _models(split, {**scores, CONSTANT: first.constant}, metrics_)
                    for metrics_ in (_FIRST, _SECOND)
                ],
                "figures": _written(out, f"{split}-comparison", drawings),
                "tests": counted(len(tests), "test"),
                "mcnemar": _mcnemar(split, tests),
            }
        )
    context = {
        "title": "wikibias classify: models",
        "lead": "Same training data, same held-out sentences; 95 % bootstrap intervals.",
        "warnings": found.experiments[0].warnings(),
        "leaks": found.experiments[0].leaks,
        "edits": [
            accuracies(
                split, {e.model.name: e.details["pairs"][split] for e in by_score(found, split)}
            )
            for split in found.experiments[0].details.get("pairs", {})
        ],
        "facts": _texts(splits.corpus),
        "data": _data(splits),
        "splits": shown,
    }
    write_text(out / "report.html", render(__package__, "comparison.html.j2", context))


def _written(out: Path, name: str, drawings: Mapping[str, Drawing]) -> list[Drawing]:
    """Write each figure to a file of its own, too; return them for the page."""
    for number_, (kind, drawing) in enumerate(drawings.items(), 1):
        ending = kind if kind.isidentifier() else f"{number_}"
        write_text(out / "figures" / f"{name}-{ending}.svg", drawing.file())
    return list(drawings.values())


def _texts(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, f"{value}") for name, value in values.items()]


def _data(splits: Splits) -> Table:
    rows = [
        [
            *(name, part["source"], part["sha256"][:16]),
            *(f"{part['sentences']:,}", f"{part['biased']:,}"),
        ]
        for name, part in data(splits).items()
    ]
    header = ["split", "file", "SHA-256 of sentences and labels", "sentences", "biased"]
    return Table(header, rows, 3, title="Sentences and labels", stacks=True)


def _grid(found: GridResult, out: Path) -> dict[str, Any]:
    chosen = found.grid.choose
    constant = number(found.constant)
    return {
        "lead": (
            f"{counted(len(found.rows), 'combination')} tried on dev, the best by "
            f"{METRIC_TITLES[chosen]}: {number(found.best[chosen])} ({CONSTANT}: {constant})."
        ),
        "few": found.too_few,
        "chosen": _texts(found.parameters),
        "figures": _written(out, "grid", of_grid(found)),
    }


def _scores(split: str, outcome: Outcome, shown: Sequence[str]) -> Table:
    rows = [
        [METRIC_TITLES[m], with_interval(outcome.scores[m]), with_interval(outcome.constant[m])]
        for m in shown
    ]
    header = ["score", "model [95 %]", f"{CONSTANT} [95 %]"]
    return Table(header, rows, title=f"Scores on {split}", stacks=True)


def _models(split: str, tables: Mapping[str, evaluation.Table], shown: Sequence[str]) -> Table:
    rows = [
        [name, *(with_interval(scores[metric]) for metric in shown)]
        for name, scores in tables.items()
    ]
    titles = [SHORT_TITLES[metric] for metric in shown]
    title = f"{', '.join(titles)} on {split}; the best MCC first"
    return Table(["model", *titles], rows, title=title, stacks=True)


def _mcnemar(split: str, tests: Iterable[Mapping[str, Any]]) -> Table:
    rows = [
        [
            *(t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}"),
            *(p_value(t["p"]), p_value(t["p_holm"])),
        ]
        for t in tests
    ]
    header = ["first", "second", "only first right", "only second right", "p", "p (Holm)"]
    title = f"McNemar's exact test between each two models on {split}"
    return Table(header, rows, 2, title=title, stacks=True)


def _errors(split: str, outcome: Outcome, score: str = "P(biased)") -> Table:
    """Return the wrongly classified sentences with the most confident predictions."""
    examples, probabilities = outcome.examples, outcome.predicted.probabilities
    decisions = outcome.predicted.decisions
    wrong = [i for i, biased in enumerate(examples.biased) if decisions[i] != biased]
    wrong.sort(key=lambda i: (-abs(probabilities[i] - 0.5), i))
    rows = [
        [
            examples.texts[i][:_LONGEST_ERROR],
            _place(examples, i),
            "biased" if examples.biased[i] else "neutral",
            number(float(probabilities[i])),
        ]
        for i in wrong[:_MOST_ERRORS]
    ]
    where = "row" if examples.ids is None else "sentence id"
    header = ["sentence", where, "label", score]
    title = f"Wrong on {split}, the surest first"
    return Table(header, rows, 3, prose=True, title=title, stacks=True)


def _place(examples: Examples, i: int) -> Cell:
    """Return what names a sentence, as a link to its edit where there is one."""
    name = f"{examples.rows[i]}" if examples.ids is None else examples.ids[i]
    return Link(name, examples.urls[i]) if examples.urls is not None else name
