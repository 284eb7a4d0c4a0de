"""Training of a model, of one label or several, and its scores beside a constant classifier's.

Cross-validation keeps related sentences in one fold, to prevent leakage.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.model_selection import StratifiedGroupKFold

from wikibias.config.thresholds import Scores, load_config
from wikibias.corpus.near_duplicates import groups as near_duplicates
from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.kits import RESAMPLES, evaluation
from wikibias.kits.evaluation import Groups, score_with_intervals
from wikibias.models.estimators.label_models import need_both
from wikibias.models.estimators.registry import AnyModel, Neural, fit, probabilities
from wikibias.models.examples import Examples, Splits, pooled, some_of

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]


def grouping(examples: Examples, kind: str, ngrams: str = "char") -> NDArray[np.int64]:
    """Return the group number of each sentence, for one of `registry.GROUPINGS`.

    Raises:
        UsageError: the sentences' pages or edits are not known, because they came from a TSV file.
    """
    if kind == "random":
        return np.arange(len(examples))
    if kind == "near-duplicate":
        return near_duplicates(examples.texts, ngrams)
    known = examples.edits if kind == "pair" else examples.pages
    if known is None:
        raise UsageError(
            f"--cv {kind} needs a corpus directory made by `wikibias extract`, or pairs; "
            f"{examples.name} does not say which {'edit' if kind == 'pair' else kind} a "
            "sentence is from (--cv near-duplicate works on any file)"
        )
    return known


def both_groupings(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the groups that keep together what either of two groupings does."""
    ours, others = (np.unique(groups, return_inverse=True)[1] for groups in (first, second))
    size = len(first)
    links = coo_matrix((np.ones(size), (ours, others + size)), (2 * size, 2 * size))
    _, members = connected_components(links, directed=False)
    return evaluation.group_numbers(members[ours].tolist())


# What a group of each of `registry.GROUPINGS` is called: singular, plural.
_CALLED = {
    "page": ("page", "pages"),
    "group": ("group", "groups"),
    "pair": ("edit", "edits"),
    "near-duplicate": ("group of near-duplicates", "groups of near-duplicates"),
    "random": ("sentence", "sentences"),
}


def folds(
    examples: Examples, groups: NDArray[np.int64], count: int = 5, seed: int = 0, kind: str = "page"
) -> list[Fold]:
    """Return the positions (train, held out) of each fold, stratified by label.

    Of several labels that is the most balanced one, or whether a sentence has any. `kind`, one of
    `registry.GROUPINGS`, says what the groups are.

    Raises:
        WikibiasError: there are fewer groups than folds, or fewer sentences of a class.
    """
    found = len(np.unique(groups))
    truth = min((examples.biased, *examples.labels.T), key=lambda one: abs(float(one.mean()) - 0.5))
    rarer = int(min(truth.sum(), (~truth).sum()))
    if found < count or rarer < count:
        why = _too_few(found, rarer, count, kind, of_dump=examples.pages is not None)
        raise WikibiasError(f"{examples.name}: {why}")
    splitter = StratifiedGroupKFold(count, shuffle=True, random_state=seed)
    return [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(groups, truth, groups)]


def _too_few(found: int, rarer: int, count: int, kind: str, *, of_dump: bool) -> str:
    """Say why there cannot be so many folds, and what to do next."""
    one, several = _CALLED[kind]
    most = min(found, rarer)
    if found <= rarer:
        reason = f"its sentences are of {found} {one if found == 1 else several}"
    else:
        reason = f"only {rarer} of its sentences are of the rarer class"
    remedies = [f"--folds {most}"] if most > 1 else []
    if found <= rarer and kind in ("page", "group", "pair"):
        remedies.append("--cv near-duplicate")
    remedies.append("a corpus of more dump parts" if of_dump else "more sentences")
    return f"{reason}, which cannot make {count} folds; try {' or '.join(remedies)}"


def held_out_probabilities(
    make: Callable[[], AnyModel], examples: Examples, parts: Sequence[Fold]
) -> NDArray[np.float64]:
    """Return the probabilities of each sentence, by a model that has not seen its group.

    Raises:
        WikibiasError: a fold's training part lacks a class.
    """
    found = np.zeros(examples.labels.shape if examples.names else len(examples))
    for train, held_out in parts:
        learnt = some_of(examples, train)
        if not examples.names and (learnt.biased.all() or not learnt.biased.any()):
            raise WikibiasError(f"{examples.name}: a fold would train on one class only")
        texts = [examples.texts[row] for row in held_out.tolist()]
        model = fit(make(), learnt)
        found[held_out] = probabilities(model, texts, several=bool(examples.names))
    return found


def sides(examples: Examples) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return, of each edit with sentences on both sides, the places of those removed and added.

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
    order = np.argsort(examples.edits, kind="stable")
    starts = np.flatnonzero(np.diff(examples.edits[order])) + 1
    found = (
        (members[roles[members] == "removed"], members[roles[members] == "added"])
        for members in np.split(order, starts)
    )
    return [(removed, added) for removed, added in found if len(removed) and len(added)]


def evaluate(
    examples: Examples, probabilities: NDArray[np.float64], *, seed: int = 0
) -> dict[str, Any]:
    """Return how often the removed side has the higher mean probability of bias.

    A tie counts half. `longer_side` is the baseline that calls the side with the longer sentences
    biased; `constant` is a random guess. Intervals resample pages, or edits if all are of one
    page.
    """
    both = sides(examples)
    pages = np.asarray(examples.pages)[[removed[0] for removed, _ in both]]
    lengths = np.array([float(len(text)) for text in examples.texts])
    result: dict[str, Any] = {"edits": len(both)}
    for name, values in (("accuracy", probabilities), ("longer_side", lengths)):
        right = [
            (np.sign(values[removed].mean() - values[added].mean()) + 1) / 2
            for removed, added in both
        ]
        result[name] = evaluation.share_with_interval(right, pages, seed=seed)
    result["constant"] = {"accuracy": {"value": 0.5, "low": 0.5, "high": 0.5}}
    return result


@dataclass(frozen=True, slots=True)
class Outcome:
    """A model's predictions for a split, its scores, and those of the constant classifier.

    `too_few` says what there is too little of for the scores to mean much; None where enough.
    """

    examples: Examples
    predicted: evaluation.Predictions
    scores: evaluation.Table
    constant: evaluation.Table
    too_few: str | None = None

    def warnings(self, split: str) -> list[str]:
        """Return what keeps the scores from being a verdict, given the name of the split."""
        if self.too_few is None:
            return []
        return [f"{split}: too few sentences to judge a model by ({self.too_few})"]

    @property
    def only(self) -> str:
        """The class that the model gives every sentence; "" where it gives both."""
        said = self.predicted.decisions
        return "" if said.any() != said.all() else "biased" if said.any() else "neutral"

    def facts(self) -> dict[str, Any]:
        """Return what `scores.json` says of it beside the scores."""
        truth, likely = self.examples.biased, self.predicted.probabilities
        return {
            "constant": self.constant,
            "sentences": len(self.examples),
            "confusion": evaluation.confusion(truth, self.predicted),
            "reliability": evaluation.reliability(truth, likely),
            "calibration_error": evaluation.calibration_error(truth, likely),
        }


@dataclass(frozen=True, slots=True)
class LabelOutcome(Outcome):
    """The same of several labels, by those that are judged.

    Its `scores` are over all that is judged, a label of a sentence counting as one (micro); the
    constant classifiers are those of the labels.

    Attributes:
        by_label: the outcome of each label, on the sentences judged by it, if there are any.
        macro: means of the scores of the labels.
        subset_accuracy: share of sentences all of whose judged labels are decided rightly.
    """

    by_label: Mapping[str, Outcome] = field(kw_only=True)
    macro: evaluation.Table = field(kw_only=True)
    subset_accuracy: Mapping[str, float | None] = field(kw_only=True)

    def warnings(self, split: str) -> list[str]:
        """Return the same, a line for each label."""
        by_label = self.by_label
        unjudged = [name for name in self.examples.names if name not in by_label]
        return [
            *(f"{split}, {name}: no sentence is judged by it" for name in unjudged),
            *(
                f"{split}, {name}: too few sentences to judge by ({of.too_few})"
                for name, of in by_label.items()
                if of.too_few
            ),
        ]

    def facts(self) -> dict[str, Any]:
        """Return what `scores.json` says of it."""
        of_labels = self.by_label.items()
        return {
            "labels": {name: of.scores for name, of in of_labels},
            "micro": self.scores,
            "macro": self.macro,
            "subset_accuracy": dict(self.subset_accuracy),
            "constant": {name: of.constant for name, of in of_labels},
            "sentences": {
                name: {"judged": len(of.examples), "with_label": int(of.examples.biased.sum())}
                for name, of in of_labels
            },
            "calibration_error": {
                name: evaluation.calibration_error(of.examples.biased, of.predicted.probabilities)
                for name, of in of_labels
            },
            "co_occurrence": co_occurrence(self.examples),
        }


@dataclass(frozen=True, slots=True)
class Experiment:
    """A trained model and its outcome for each split: dev, test, and cv if asked for.

    `labels` are those of a model of several, and its outcomes `LabelOutcome`s. `leaks` says what
    the splits to judge on share with train, `few` of which labels train has few sentences.
    """

    model: AnyModel
    outcomes: Mapping[str, Outcome]
    details: dict[str, Any] = field(default_factory=dict)
    leaks: Sequence[str] = ()
    labels: Sequence[str] = ()
    few: Sequence[str] = ()

    def warnings(self) -> list[str]:
        """Return what keeps the scores from being a verdict, a line for each split or label."""
        lines = [*self.few]
        if self.labels and not self.outcomes:
            lines.append(
                "neither dev nor test has a sentence, so the model was not scored; --cv page "
                "scores it, or of one page --cv near-duplicate"
            )
        for name, outcome in self.outcomes.items():
            lines += outcome.warnings(name)
        for name, found in self.details.get("pairs", {}).items():
            if missing := pairs_shortage(found, load_config().scores):
                lines.append(f"{name}: too few edits to judge by pairs ({missing})")
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Return the content of `scores.json`."""
        facts = {name: outcome.facts() for name, outcome in self.outcomes.items()}
        found: dict[str, Any]
        if self.labels:
            found = {"task": "labels", "labels": [*self.labels], **facts}
        else:
            found = {name: outcome.scores for name, outcome in self.outcomes.items()}
            for key in ("constant", "sentences", "confusion", "reliability", "calibration_error"):
                found[key] = {name: of[key] for name, of in facts.items()}
        if isinstance(self.model, Neural):  # with device and precision
            found["training"] = dict(self.model.trained)
        own = {"model": self.model.name, "seed": self.model.seed}
        warnings = [*self.leaks, *self.warnings()]
        return {**own, **found, **self.details, "warnings": warnings}


def evaluated(
    examples: Examples,
    probabilities: NDArray[np.float64],
    share_in_train: float,
    *,
    groups: Groups | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Outcome:
    """Score predictions; the bootstrap resamples `groups`, else pages if several are known."""
    together = _together(examples, groups)
    predicted = evaluation.Predictions.of(probabilities)
    scores, constant = (
        score_with_intervals(examples.biased, each, groups=together, resamples=resamples, seed=seed)
        for each in (predicted, evaluation.always_biased(examples.biased, share_in_train))
    )
    too_few = shortage(examples, load_config().scores, groups)
    return Outcome(examples, predicted, scores, constant, too_few)


def _together(examples: Examples, groups: Groups | None) -> Groups | None:
    """Return what a bootstrap draws together; None where that is all or not known."""
    together = examples.pages if groups is None else groups
    return None if together is None or len(np.unique(together)) < 2 else together


def train_and_evaluate(
    make: Callable[[], AnyModel],
    splits: Splits,
    *,
    cv: str | None = None,
    count: int = 5,
    leaks: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Experiment:
    """Train a model on train, and judge it on dev and test.

    Args:
        make: makes untrained models.
        splits: of one label, or of several.
        cv: also judge by folds of all splits together; what they keep together, see `grouping`.
        count: of the folds.
        leaks: what the splits to judge on share with train.
        resamples: of the bootstrap.
        seed: of folds and bootstrap.

    Raises:
        WikibiasError: train lacks a class, or there is too little for the folds.
        UsageError: what the folds keep together is not known.
    """
    train, names = splits.train, splits.names
    options: dict[str, Any] = {"resamples": resamples, "seed": seed}
    judged: Callable[..., Outcome] = judge if names else evaluated
    few: list[str] = []
    if names:
        few = few_to_learn(train)
        options["shares"] = [float(train.of_label(name).biased.mean()) for name in names]
    else:
        train.need_both_labels()
        options["share_in_train"] = float(train.biased.mean())
    model = fit(make(), train)
    outcomes = {
        name: judged(part, probabilities(model, part.texts, several=bool(names)), **options)
        for name, part in splits.held_out()
        if not names or part.judged.any()
    }
    if cv is not None:
        everything = pooled([*splits.by_name.values()])
        groups = grouping(everything, cv)
        parts = folds(everything, groups, count, seed, cv)
        likely = held_out_probabilities(make, everything, parts)
        outcomes["cv"] = judged(everything, likely, groups=groups, **options)
    details = {"cv_grouped_by": cv} if cv and not names else {}
    return Experiment(model, outcomes, details, leaks, names, few)


def few_to_learn(train: Examples) -> list[str]:
    """Return a warning for each of several labels of which train has few sentences.

    Raises:
        WikibiasError: it has none with a label, or none without.
    """
    enough = load_config().scores.min_per_class
    found = []
    for name in train.names:
        truth = train.of_label(name).biased
        need_both(name, truth)
        if int(truth.sum()) < enough:
            found.append(
                f"train, {name}: {counted(int(truth.sum()), 'sentence')} to learn it from; under "
                f"{enough} a model says little"
            )
    return found


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
            rows.append({**names, **evaluation.mcnemar(truth, *predicted)})
    corrected = evaluation.holm([row["p"] for row in rows])
    return [{**row, "p_holm": p} for row, p in zip(rows, corrected, strict=True)]


def judge(
    sentences: Examples,
    probabilities: NDArray[np.float64],
    shares: Sequence[float],
    *,
    groups: Groups | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> LabelOutcome:
    """Score predictions of several labels; those that are not judged count for nothing.

    Args:
        sentences: of a split.
        probabilities: of each label, sentences by labels.
        shares: of the sentences of train with each label, of those judged by it.
        groups: what is drawn together for the intervals; pages by default, where known.
        resamples: of the bootstrap.
        seed: of the bootstrap.
    """
    options: dict[str, Any] = {"resamples": resamples, "seed": seed}
    predicted, judged = evaluation.Predictions.of(probabilities), sentences.judged
    by_label, parts = {}, []
    for column, name in enumerate(sentences.names):
        rows = np.flatnonzero(judged[:, column])
        if len(rows):
            found = by_label[name] = evaluated(
                sentences.of_label(name),
                probabilities[rows, column],
                shares[column],
                groups=None if groups is None else groups[rows],
                **options,
            )
            parts.append((rows, found.examples.biased, found.predicted))
    together = _together(sentences, groups)
    if together is None:
        together = np.arange(len(sentences))
    flat = evaluation.Predictions.of(probabilities[judged])
    of_cells = together[np.nonzero(judged)[0]]
    # As a classification: every sentence is to be right.
    known = judged.any(axis=1)
    right = ~((predicted.decisions != sentences.labels) & judged).any(axis=1)[known]
    every = np.ones(len(right), dtype=bool)
    whole = evaluation.Predictions.of(right.astype(np.float64))
    return LabelOutcome(
        sentences,
        predicted,
        score_with_intervals(sentences.labels[judged], flat, groups=of_cells, **options),
        {},
        by_label=by_label,
        macro=evaluation.macro_with_intervals(parts, len(sentences), groups=together, **options),
        subset_accuracy=score_with_intervals(every, whole, groups=together[known], **options)[
            "accuracy"
        ],
    )


def co_occurrence(sentences: Examples) -> dict[str, dict[str, int]]:
    """Count sentences with each two labels; of a label and itself, those with it."""
    held = (sentences.labels & sentences.judged).astype(np.int64)
    rows = zip(sentences.names, (held.T @ held).tolist(), strict=True)
    return {name: dict(zip(sentences.names, row, strict=True)) for name, row in rows}


def shortage(examples: Examples, limits: Scores, groups: Groups | None = None) -> str | None:
    """Return what there is too little of, and how much is enough; None where there is enough.

    Args:
        examples: the sentences to judge by.
        limits: what is enough.
        groups: what is drawn together in a bootstrap, beside the pages that are known.
    """
    # Groups of near-duplicates say nothing of how few pages they come from.
    counts = {
        unit: len(np.unique(of))
        for unit, of in (("page", examples.pages), ("group", groups))
        if of is not None
    }
    rarer = min(int(examples.biased.sum()), int((~examples.biased).sum()))
    unit = min(counts, key=lambda name: counts[name], default="page")
    few_groups = unit in counts and counts[unit] < limits.min_groups
    if rarer >= limits.min_per_class and not few_groups:
        return None
    has = [counted(len(examples), "sentence")]
    enough = []
    if rarer < limits.min_per_class:
        has.append(f"{rarer:,} of the rarer class")
        enough.append(f"{limits.min_per_class:,} of each class")
    if few_groups:
        has.append(f"of {counted(counts[unit], unit)}")
        enough.append(f"{counted(limits.min_groups, unit)}")
    return f"{', '.join(has)}; {' and '.join(enough)} are enough"


def pairs_shortage(found: dict[str, Any], limits: Scores) -> str | None:
    """Return the same for what `evaluate` found of the sides of edits."""
    if found["edits"] >= limits.min_groups:
        return None
    return f"{counted(found['edits'], 'edit')} with both sides; {limits.min_groups:,} are enough"


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
