"""Trains a model and evaluates it on each held-out split, beside the constant classifier."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import Scores, load_config
from wikibias.errors import WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import (
    Predictions,
    Table,
    always_biased,
    calibration_error,
    confusion,
    holm,
    macro_with_intervals,
    mcnemar,
    reliability,
    score,
    score_with_intervals,
    share_with_interval,
)
from wikibias.messages import counted
from wikibias.models.constants import METRICS
from wikibias.models.estimators.registry import LabelModel, Model, Neural, fit
from wikibias.models.evaluation import cross_validation
from wikibias.models.examples import Examples, LabelledExamples, Splits


@dataclass(frozen=True, slots=True)
class Sides:
    """The edits with both sides: the page of each, and positions of removed and added sentences."""

    edits: list[int]
    pages: NDArray[np.int64]
    removed: list[NDArray[np.int64]]
    added: list[NDArray[np.int64]]


def sides(examples: Examples) -> Sides:
    """Find the edits with sentences on both sides.

    Compares the sides as wholes: a split knows which sentences an edit removed and added, but not
    which one replaced which.

    Raises:
        WikibiasError: the sentences do not say which edit they are from (a TSV file).
    """
    if examples.edits is None or examples.roles is None or examples.pages is None:
        raise WikibiasError(
            f"{examples.name} does not say which edit a sentence is from; --task pairs needs a "
            "corpus directory made by `wikibias extract`, or pairs (--source, --target)"
        )
    roles = np.array(examples.roles)
    found = Sides([], np.zeros(0, np.int64), [], [])
    pages = []
    order = np.argsort(examples.edits, kind="stable")
    starts = np.flatnonzero(np.diff(examples.edits[order])) + 1
    for members in np.split(order, starts):
        removed = members[roles[members] == "removed"]
        added = members[roles[members] == "added"]
        if len(removed) and len(added):
            found.edits.append(int(examples.edits[members[0]]))
            found.removed.append(removed)
            found.added.append(added)
            pages.append(int(examples.pages[members[0]]))
    return Sides(found.edits, np.array(pages, dtype=np.int64), found.removed, found.added)


def evaluate(
    examples: Examples, probabilities: NDArray[np.float64], *, resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Return how often the removed side has the higher mean probability of bias.

    A tie counts half. `longer_side` is the baseline that calls the side with the longer sentences
    biased; `constant` is a random guess. Intervals resample pages, or edits if all are of one
    page.
    """
    both = sides(examples)
    lengths = np.array([float(len(text)) for text in examples.texts])
    result: dict[str, Any] = {"edits": len(both.edits)}
    for name, values in (("accuracy", probabilities), ("longer_side", lengths)):
        right = np.array(
            [
                (np.sign(values[r].mean() - values[a].mean()) + 1) / 2
                for r, a in zip(both.removed, both.added, strict=True)
            ]
        )
        result[name] = share_with_interval(right, both.pages, resamples=resamples, seed=seed)
    result["constant"] = {"accuracy": {"value": 0.5, "low": 0.5, "high": 0.5}}
    return result


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
        name: evaluate(outcome.examples, outcome.predicted.probabilities, seed=seed)
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


@dataclass(frozen=True, slots=True)
class LabelOutcome:
    """What a model says of a split, and how good that is, by the labels that are judged.

    Attributes:
        sentences: the split.
        names: of the labels.
        probabilities: of each label, sentences by labels.
        by_label: the outcome of each label, on the sentences judged by it, if there are any.
        micro: scores over all that is judged, a label of a sentence counting as one.
        macro: means of the scores of the labels.
        subset_accuracy: share of sentences all of whose judged labels are decided rightly.
    """

    sentences: LabelledExamples
    names: Sequence[str]
    probabilities: NDArray[np.float64]
    by_label: Mapping[str, Outcome]
    micro: Table
    macro: Table
    subset_accuracy: Mapping[str, float | None]


def judge(
    sentences: LabelledExamples,
    probabilities: NDArray[np.float64],
    names: Sequence[str],
    shares: Sequence[float],
    *,
    groups: NDArray[np.int64] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> LabelOutcome:
    """Score predictions; labels that are not judged count for nothing.

    Args:
        sentences: of a split.
        probabilities: of each label, sentences by labels.
        names: of the labels.
        shares: of the sentences of train with each label, of those judged by it.
        groups: what is drawn together for the intervals; pages by default, where known.
        resamples: of the bootstrap.
        seed: of the bootstrap.
    """
    together = sentences.examples.pages if groups is None else groups
    options: dict[str, Any] = {"resamples": resamples, "seed": seed}
    by_label, parts = {}, []
    for column, name in enumerate(names):
        rows = np.flatnonzero(sentences.judged[:, column])
        if not len(rows):
            continue
        predicted = Predictions.of(probabilities[rows, column])
        mine = None if groups is None else groups[rows]
        examples = sentences.of(column)
        by_label[name] = evaluated(examples, predicted, shares[column], groups=mine, **options)
        parts.append((rows, examples.biased, predicted))
    if together is None or len(np.unique(together)) < 2:
        together = np.arange(len(sentences))
    row, _ = np.nonzero(sentences.judged)
    flat = Predictions.of(probabilities[sentences.judged])
    return LabelOutcome(
        sentences,
        names,
        probabilities,
        by_label,
        score_with_intervals(
            sentences.labels[sentences.judged], flat, groups=together[row], **options
        ),
        macro_with_intervals(parts, len(sentences), groups=together, **options),
        _subset_accuracy(sentences, probabilities, together, options),
    )


def co_occurrence(sentences: LabelledExamples, names: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count sentences with each two labels; of a label and itself, those with it."""
    held = (sentences.labels & sentences.judged).astype(np.int64)
    counts = held.T @ held
    return {
        first: {second: int(counts[i, j]) for j, second in enumerate(names)}
        for i, first in enumerate(names)
    }


def as_dict(outcome: LabelOutcome) -> dict[str, Any]:
    """Return what `scores.json` says of a split."""
    return {
        "labels": {name: of.scores for name, of in outcome.by_label.items()},
        "micro": outcome.micro,
        "macro": outcome.macro,
        "subset_accuracy": dict(outcome.subset_accuracy),
        "constant": {name: of.constant for name, of in outcome.by_label.items()},
        "sentences": {
            name: {"judged": len(of.examples), "with_label": int(of.examples.biased.sum())}
            for name, of in outcome.by_label.items()
        },
        "calibration_error": {
            name: calibration_error(of.examples.biased, of.predicted.probabilities)
            for name, of in outcome.by_label.items()
        },
        "co_occurrence": co_occurrence(outcome.sentences, outcome.names),
    }


def _subset_accuracy(
    sentences: LabelledExamples,
    probabilities: NDArray[np.float64],
    groups: NDArray[np.int64],
    options: Mapping[str, Any],
) -> Mapping[str, float | None]:
    wrong = ((probabilities > 0.5) != sentences.labels) & sentences.judged
    known = sentences.judged.any(axis=1)
    # As a classification: every sentence is to be right.
    right = Predictions.of((~wrong.any(axis=1))[known].astype(np.float64))
    truth = np.ones(int(known.sum()), dtype=bool)
    return score_with_intervals(truth, right, groups=groups[known], **options)["accuracy"]


def shortage(
    examples: Examples, limits: Scores, groups: NDArray[np.int64] | None = None
) -> str | None:
    """Return what there is too little of, and how much is enough; None where there is enough.

    Args:
        examples: the sentences to judge by.
        limits: what is enough.
        groups: what is drawn together in a bootstrap; by default pages, where they are known.
    """
    together = examples.pages if groups is None else groups
    rarer = min(int(examples.biased.sum()), int((~examples.biased).sum()))
    pages = len(np.unique(together)) if together is not None else None
    few_pages = pages is not None and pages < limits.min_groups
    if rarer >= limits.min_per_class and not few_pages:
        return None
    unit = "page" if groups is None else "group"
    has = [counted(len(examples), "sentence")]
    enough = []
    if rarer < limits.min_per_class:
        has.append(f"{rarer:,} of the rarer class")
        enough.append(f"{limits.min_per_class:,} of each class")
    if few_pages and pages is not None:
        has.append(f"of {counted(pages, unit)}")
        enough.append(f"{counted(limits.min_groups, unit)}")
    return f"{', '.join(has)}; {' and '.join(enough)} are enough"


def pairs_shortage(found: dict[str, Any], limits: Scores) -> str | None:
    """Return the same for what `pairwise.evaluate` found."""
    if found["edits"] >= limits.min_groups:
        return None
    return f"{counted(found['edits'], 'edit')} with both sides; {limits.min_groups:,} are enough"


@dataclass(frozen=True, slots=True)
class LabelExperiment:
    """A trained model of several labels, its outcome for each split, and what to be warned of."""

    model: LabelModel
    names: Sequence[str]
    outcomes: Mapping[str, LabelOutcome]
    leaks: Sequence[str]
    few: Sequence[str]

    def warnings(self) -> list[str]:
        """Return what keeps scores from being a verdict, a line for each label of a split."""
        unscored = (
            "neither dev nor test has a sentence, so the model was not scored; --cv page scores it"
        )
        return [
            *self.few,
            *([] if self.outcomes else [unscored]),
            *(
                f"{split}, {name}: no sentence is judged by it"
                for split, outcome in self.outcomes.items()
                for name in outcome.names
                if name not in outcome.by_label
            ),
            *(
                f"{split}, {name}: too few sentences to judge by ({of.too_few})"
                for split, outcome in self.outcomes.items()
                for name, of in outcome.by_label.items()
                if of.too_few
            ),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the content of `scores.json`."""
        return {
            "model": self.model.name,
            "seed": self.model.seed,
            "task": "labels",
            "labels": list(self.names),
            **{name: as_dict(outcome) for name, outcome in self.outcomes.items()},
            **training_of(self.model),
            "warnings": [*self.leaks, *self.warnings()],
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several models judged on the same sentences, and McNemar's tests for each split."""

    experiments: Sequence[Experiment]
    mcnemar: Mapping[str, Sequence[Mapping[str, Any]]]


def by_score(found: Comparison, split: str) -> list[Experiment]:
    """Return the experiments by MCC on a split, the best first; of ties the first one trained."""

    def mcc(experiment: Experiment) -> float:
        value = experiment.outcomes[split].scores["mcc"]["value"]
        return -2.0 if value is None else value

    return sorted(found.experiments, key=mcc, reverse=True)
