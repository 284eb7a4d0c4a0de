"""The page of a classifier or a comparison: one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wikibias.messages import counted
from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.evaluation.metrics import Table
from wikibias.rendering.html import heading, images, page, paragraph, table
from wikibias.rendering.numbers import chance, number, with_interval

_MISTAKES = 8
_SHOWN = 300


def score_table(scores: Table, constant: Table) -> str:
    """Return all metrics of a model beside those of the constant classifier."""
    rows = [
        [METRIC_TITLES[metric], with_interval(scores[metric]), with_interval(constant[metric])]
        for metric in METRICS
    ]
    return table(["", "model [95 %]", "always “biased” [95 %]"], rows)


def models_table(tables: Mapping[str, Table]) -> str:
    """Return one line per model, one column per metric."""
    header = ["", *(METRIC_TITLES[metric].split(" (")[0] for metric in METRICS)]
    return table(
        header,
        (
            [name, *(number(scores[metric]["value"]) for metric in METRICS)]
            for name, scores in tables.items()
        ),
    )


def mcnemar_table(tests: Iterable[Mapping[str, Any]]) -> str:
    """Return the tests between each two models."""
    header = ["first", "second", "only first right", "only second right", "p"]
    return table(
        header,
        (
            [t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}", chance(t["p"])]
            for t in tests
        ),
        text_columns=2,
    )


def mistakes(outcome: Outcome) -> str:
    """Return the sentences about which the model was surest and wrong."""
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
        for i in wrong[:_MISTAKES]
    ]
    return table(["sentence", "row", "P(biased)", "the edit says"], rows)


def experiment_page(experiment: Experiment, pictures: Mapping[str, Mapping[str, bytes]]) -> str:
    """Return the page of one model; `pictures` are its figures per split, by name."""
    parts: list[str] = []
    for name, outcome in experiment.outcomes.items():
        parts += [
            heading(f"{name}: {counted(len(outcome.examples), 'sentence')}"),
            score_table(outcome.scores, outcome.constant),
            images(pictures[name]),
            paragraph("Surest mistakes:"),
            mistakes(outcome),
        ]
    if not parts:
        parts = [paragraph("No sentences were held out, so there are no scores (see --cv).")]
    lead = (
        f"seed {experiment.model.seed}; intervals: bootstrap, 95 %. F1 alone proves nothing: "
        "compare with the constant classifier, and look at MCC, which is 0 for any constant."
    )
    return page(f"wikibias classify: {experiment.model.name}", lead, parts)
