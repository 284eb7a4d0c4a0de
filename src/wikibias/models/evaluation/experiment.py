"""Trains a model and evaluates it on each held-out split, beside the constant classifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wikibias.config.thresholds import load_config
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import (
    Predictions,
    Table,
    always_biased,
    calibration_error,
    confusion,
    holm,
    mcnemar,
    reliability,
    score,
    score_with_intervals,
)
from wikibias.models.constants import METRICS
from wikibias.models.estimators.registry import Model, fit
from wikibias.models.evaluation import cross_validation, pairwise
from wikibias.models.evaluation.enough import pairs_shortage, shortage
from wikibias.models.examples import Examples, Splits
from wikibias.research.neural.runs import Neural


@dataclass(frozen=True, slots=True)
class Outcome:
    """A model's predictions for a split, its scores, and those of the constant classifier.

    `too_few` says what there is too little of for the scores to mean much; None where enough.
    """

    examples: Examples
    predicted: Predictions
    scores: Table
    constant: Table
    too_few: str | None = None


@dataclass(frozen=True, slots=True)
class Experiment:
    """A trained model and its outcome for each split: dev, test, and cv if asked for.

    `leaks` says what the splits to judge on share with train.
    """

    model: Model
    outcomes: Mapping[str, Outcome]
    details: dict[str, Any] = field(default_factory=dict)
    leaks: Sequence[str] = ()

    def warnings(self) -> list[str]:
        """Return what keeps the scores from being a verdict, a line for each split."""
        lines = [
            f"{name}: too few sentences to judge a model by ({outcome.too_few})"
            for name, outcome in self.outcomes.items()
            if outcome.too_few
        ]
        for name, found in self.details.get("pairs", {}).items():
            if missing := pairs_shortage(found, load_config().scores):
                lines.append(f"{name}: too few edits to judge by pairs ({missing})")
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Return the content of `scores.json`."""
        constant = {name: outcome.constant for name, outcome in self.outcomes.items()}
        return {
            "model": self.model.name,
            "seed": self.model.seed,
            **{name: outcome.scores for name, outcome in self.outcomes.items()},
            "constant": constant,
            "sentences": {name: len(outcome.examples) for name, outcome in self.outcomes.items()},
            "confusion": {
                name: confusion(outcome.examples.biased, outcome.predicted)
                for name, outcome in self.outcomes.items()
            },
            "reliability": {
                name: reliability(outcome.examples.biased, outcome.predicted.probabilities)
                for name, outcome in self.outcomes.items()
            },
            "calibration_error": {
                name: calibration_error(outcome.examples.biased, outcome.predicted.probabilities)
                for name, outcome in self.outcomes.items()
            },
            **training_of(self.model),
            **self.details,
            "warnings": [*self.leaks, *self.warnings()],
        }


def training_of(model: object) -> dict[str, Any]:
    """Return how a neural model was trained, with device and precision, for `scores.json`."""
    return {"training": dict(model.trained)} if isinstance(model, Neural) else {}


def evaluated(
    examples: Examples,
    predicted: Predictions,
    share_in_train: float,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    groups: Any = None,
) -> Outcome:
    """Score predictions; the bootstrap resamples `groups`, else pages if several are known."""
    together = examples.pages if groups is None else groups
    if together is not None and len(np.unique(together)) < 2:
        together = None
    constant = always_biased(examples.biased, share_in_train)

    def table(predictions: Predictions) -> Table:
        return score_with_intervals(
            examples.biased, predictions, groups=together, resamples=resamples, seed=seed
        )

    too_few = shortage(examples, load_config().scores, groups)
    return Outcome(examples, predicted, table(predicted), table(constant), too_few)


def train_and_evaluate(
    model: Model, splits: Splits, *, resamples: int = RESAMPLES, seed: int = 0
) -> Experiment:
    """Fit on train only, then score dev and test.

    Raises:
        WikibiasError: train lacks a class.
    """
    splits.train.need_both_labels()
    fit(model, splits.train.texts, splits.train.biased, splits.train.edits)
    share = float(splits.train.biased.mean())
    outcomes = {
        name: evaluated(
            part,
            Predictions.of(model.predict_proba(part.texts)),
            share,
            resamples=resamples,
            seed=seed,
        )
        for name, part in splits.held_out()
    }
    return Experiment(model, outcomes)


def cross_validated(
    make: Callable[[], Model],
    splits: Splits,
    kind: str,
    count: int,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Outcome:
    """Score a model by grouped k-fold over all splits together (see `constants.GROUPINGS`)."""
    everything = cross_validation.pooled(splits)
    groups = cross_validation.grouping(everything, kind)
    parts = cross_validation.folds(everything, groups, count, seed, kind)
    probabilities = cross_validation.held_out_probabilities(make, everything, parts)
    share = float(everything.biased.mean())
    predicted = Predictions.of(probabilities)
    return evaluated(everything, predicted, share, resamples=resamples, seed=seed, groups=groups)


def over_seeds(
    make: Callable[[int], Model], splits: Splits, seeds: Sequence[int]
) -> dict[str, Any]:
    """Train once per seed; return mean, standard deviation and range of each metric per split."""
    values: dict[str, dict[str, list[float]]] = {}
    for seed in seeds:
        train = splits.train
        model = fit(make(seed), train.texts, train.biased, train.edits)
        for name, part in splits.held_out():
            points = score(part.biased, Predictions.of(model.predict_proba(part.texts)))
            for metric in METRICS:
                known = points[metric]
                if known is not None:
                    values.setdefault(name, {}).setdefault(metric, []).append(known)
    return {
        "count": len(seeds),
        **{
            name: {
                metric: {
                    "mean": float(np.mean(found)),
                    "sd": float(np.std(found)),
                    "low": min(found),
                    "high": max(found),
                }
                for metric, found in table.items()
            }
            for name, table in values.items()
        },
    }


def pairwise_accuracy(experiment: Experiment, *, seed: int = 0) -> dict[str, Any]:
    """Evaluate on each held-out split which side of an edit the model calls biased.

    Includes cross-validation if both sides of an edit are always in one fold.
    """
    together = experiment.details.get("cv_grouped_by") in {"page", "group", "pair"}
    return {
        name: pairwise.evaluate(outcome.examples, outcome.predicted.probabilities, seed=seed)
        for name, outcome in experiment.outcomes.items()
        if name != "cv" or together
    }


def compared(experiments: Sequence[Experiment], split: str) -> list[dict[str, Any]]:
    """Return McNemar's test on a split for each pair of models, in their order.

    `p_holm` is the p-value corrected for the number of these tests.
    """
    rows: list[dict[str, Any]] = []
    for i, first in enumerate(experiments):
        for second in experiments[i + 1 :]:
            truth = first.outcomes[split].examples.biased
            predicted = (
                first.outcomes[split].predicted.decisions,
                second.outcomes[split].predicted.decisions,
            )
            names = {"first": first.model.name, "second": second.model.name}
            rows.append({**names, **mcnemar(truth, *predicted)})
    corrected = holm([row["p"] for row in rows])
    return [{**row, "p_holm": p} for row, p in zip(rows, corrected, strict=True)]
