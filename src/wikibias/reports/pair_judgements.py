"""What a classifier's page says of edits: on which side the bias is, and where it is mistaken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.kits.document import Table, number, with_interval
from wikibias.messages import counted
from wikibias.models.evaluation.experiment import Experiment, Outcome, sides
from wikibias.models.examples import Examples

_MOST_ERRORS = 8
_LONGEST = 300


def judgements(experiment: Experiment) -> list[dict[str, Any]]:
    """Return, for each split judged by pairs, a table of accuracies and one of errors."""
    return [
        {
            "title": f"{split}: which side of {counted(found['edits'], 'edit')} is biased",
            "accuracy": accuracies(split, {"model": found}),
            "errors": _errors(split, experiment.outcomes[split]),
        }
        for split, found in experiment.details.get("pairs", {}).items()
    ]


def accuracies(split: str, found: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the accuracy of models, by name, beside the longer side and a random guess."""
    rows = [[name, with_interval(scores["accuracy"])] for name, scores in found.items()]
    longer = next(iter(found.values()))["longer_side"]
    rows += [["the longer side", with_interval(longer)], ["random guess", number(0.5)]]
    title = f"The biased side on {split}; a tie counts half"
    return Table(["", "accuracy [95 %]"], rows, title=title, stacks=True)


def _errors(split: str, outcome: Outcome) -> Table:
    """Return the edits of which the wrong side is called biased, the surest first."""
    examples, probabilities = outcome.examples, outcome.predicted.probabilities
    both = sides(examples)
    leads = [
        (float(probabilities[added].mean() - probabilities[removed].mean()), removed, added)
        for removed, added in zip(both.removed, both.added, strict=True)
    ]
    wrong = sorted((lead for lead in leads if lead[0] > 0), key=lambda lead: -lead[0])
    rows = [
        [_text(examples, removed), _text(examples, added), number(lead)]
        for lead, removed, added in wrong[:_MOST_ERRORS]
    ]
    header = ["biased side", "neutral side", "score higher by"]
    title = f"Sides mistaken on {split}, the surest first"
    return Table(header, rows, 2, prose=True, title=title, stacks=True)


def _text(examples: Examples, members: Sequence[int] | Any) -> str:
    return " ".join(examples.texts[i] for i in members)[:_LONGEST]
