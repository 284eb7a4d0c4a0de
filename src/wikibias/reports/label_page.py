"""Writes the page of a model of several labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.kits.charts import Dot, Drawing, dots, matrix
from wikibias.kits.document import Table, number, with_interval
from wikibias.kits.files import write_text
from wikibias.kits.html import render
from wikibias.messages import counted
from wikibias.models.evaluation.experiment import LabelOutcome, co_occurrence
from wikibias.models.results import label_table
from wikibias.models.training import LabelExperiment, LabelTask, data
from wikibias.reports.classifier_figures import CONSTANT

_MOST_ERRORS = 8
_LONGEST_ERROR = 300
_MOST_IN_MATRIX = 12


def write_label_page(experiment: LabelExperiment, task: LabelTask) -> None:
    """Write `report.html` and its figures.

    Raises:
        DiskError: the folder cannot be written.
    """
    shown = []
    for split, outcome in experiment.outcomes.items():
        header, rows = label_table(outcome)
        drawings = _figures(split, outcome)
        for kind, drawing in drawings.items():
            write_text(task.out / "figures" / f"{split}-{kind}.svg", drawing.file())
        shown.append(
            {
                "title": f"{split}: {counted(len(outcome.sentences), 'sentence')}",
                "subset": with_interval(outcome.subset_accuracy),
                "scores": Table(header, rows, title=f"Scores on {split}", stacks=True),
                "figures": list(drawings.values()),
                "errors": _errors(split, outcome),
            }
        )
    parts = data({**task.splits.by_name, **({"first": task.first} if task.first else {})})
    context = {
        "title": f"wikibias classify: {experiment.model.name}, several labels",
        "lead": (
            f"Seed {experiment.model.seed}; 95 % bootstrap intervals. Each label is scored on the "
            "sentences that are judged by it."
        ),
        "warnings": experiment.warnings(),
        "leaks": experiment.leaks,
        "facts": [(name, f"{value}") for name, value in task.splits.corpus.items()],
        "parameters": [(name, f"{value}") for name, value in experiment.model.parameters.items()],
        "trained": _trained(experiment.as_dict().get("training", {})),
        "data": _data(parts),
        "splits": shown,
    }
    write_text(task.out / "report.html", render(__package__, "labels.html.j2", context))


def _figures(split: str, outcome: LabelOutcome) -> dict[str, Drawing]:
    names = [*outcome.by_label]
    f1 = {name: of.scores["f1"] for name, of in outcome.by_label.items()}
    constant = {name: of.constant["f1"] for name, of in outcome.by_label.items()}
    told = ", ".join(
        f"{name} {number(f1[name]['value'])} ({number(constant[name]['value'])})" for name in names
    )
    found = {
        "labels": dots(
            {
                name: [Dot(of["value"], of["low"], of["high"]) for of in (f1[name], constant[name])]
                for name in names
            },
            title=f"{split}: F1 of each label, 95 % intervals",
            alt=f"Of the model, and in brackets with the label given to all: {told}.",
            series=("model", CONSTANT.replace("biased", "has it")),
        )
    }
    if 1 < len(names) <= _MOST_IN_MATRIX:
        found["together"] = _together(split, outcome, names)
    return found


def _together(split: str, outcome: LabelOutcome, names: Sequence[str]) -> Drawing:
    counts = co_occurrence(outcome.sentences, names)
    cells = []
    for first in names:
        whole = max(1, counts[first][first])
        cells.append(
            [(f"{counts[first][other]:,}", counts[first][other] / whole) for other in names]
        )
    pairs = [
        f"{counts[one][other]:,} have {one} and {other}"
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if counts[one][other]
    ]
    return matrix(
        cells,
        names,
        names,
        title=f"{split}: sentences with both labels",
        alt=f"Of the sentences {'; '.join(pairs) or 'none has two labels'}.",
        axes=("label", "and"),
    )


def _errors(split: str, outcome: LabelOutcome) -> Table:
    """Return the labels that were decided wrongly with the most confident predictions."""
    found = []
    for name, of in outcome.by_label.items():
        for i, held in enumerate(of.examples.biased):
            if of.predicted.decisions[i] != held:
                probability = float(of.predicted.probabilities[i])
                found.append((-abs(probability - 0.5), name, i, bool(held), probability))
    rows = [
        [
            outcome.by_label[name].examples.texts[i][:_LONGEST_ERROR],
            name,
            "yes" if held else "no",
            number(probability),
        ]
        for _, name, i, held, probability in sorted(found)[:_MOST_ERRORS]
    ]
    title = f"Wrong on {split}, the surest first"
    return Table(
        ["sentence", "label", "has it", "P"], rows, 3, prose=True, title=title, stacks=True
    )


def _data(parts: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = [
        [
            *(name, part["source"], part["sha256"][:16]),
            *(f"{part['sentences']:,}", f"{part['biased']:,}"),
        ]
        for name, part in parts.items()
    ]
    header = ["split", "file", "SHA-256 of sentences and labels", "sentences", "with a label"]
    return Table(header, rows, 3, title="Sentences and labels", stacks=True)


def _trained(training: Mapping[str, Any]) -> str:
    if not training:
        return ""
    return f"Trained on {training['device']} in {training['precision']}."
