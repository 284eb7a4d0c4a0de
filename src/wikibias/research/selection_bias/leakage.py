"""What topics alone tell of the label, and what they are worth to a classifier.

Where biased sentences are about other things than neutral ones, a classifier may learn what a
sentence is about. Then it does well on sentences of topics that it knows, and worse on others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from wikibias.corpus.topic_counts import Counts, counted
from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import (
    Interval,
    Predictions,
    Table,
    differences_with_intervals,
    score_with_intervals,
)
from wikibias.messages import counted as count_of
from wikibias.models.estimators.registry import create
from wikibias.models.evaluation.cross_validation import (
    Fold,
    folds,
    grouping,
    held_out_probabilities,
)
from wikibias.models.examples import LABELS, Examples
from wikibias.research.neural import encoder
from wikibias.research.selection_bias.association import association
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.shuffling import DRAWS, Groups, Sides, numbered, together
from wikibias.research.selection_bias.topics import Topics, fitted

FOLDS = 5
_BOTH = "; give a corpus with both classes"
_WORDS_SHOWN = 10
_FIGURES: Mapping[str, str] = {"mcc": "mcc", "auc": "roc_auc"}
_UNKNOWN: Interval = {"value": None, "low": None, "high": None}


def why_not(documents: Documents) -> str | None:
    """Return why labels of a corpus cannot be learnt, in a line; None where they can."""
    labels = documents.facts.get("label", ())
    for label in LABELS:
        found = sum(one == label for one in labels)
        if found < FOLDS:
            return (
                f"{documents.name} has {count_of(found, 'sentence')} labelled {label}, {FOLDS} of "
                f"each class are needed{documents.other_labels() or _BOTH}"
            )
    return None


def rarer_class(documents: Documents, stop_words: Collection[str]) -> int:
    """Return how many sentences of its rarer class can be learnt from: with a label and a word.

    Raises:
        WikibiasError: too few, see `why_not`.
    """
    biased = _sides(_usable(documents, stop_words)[0])
    return int(min(biased.sum(), (~biased).sum()))


def caution(found: Mapping[str, Any]) -> str | None:
    """Return what is to be taken with care in a result of `leakage`, in a line; else None."""
    if found["largest_group"] <= 1 / FOLDS:
        return None
    return (
        f"{found['corpus']}: {found['largest_group']:.0%} of its sentences are near-duplicates of "
        f"each other, more than one of {FOLDS} folds holds, so what {found['estimator']} has from "
        "topics cannot be told; see how topic and class go together (Cramér's V)"
    )


def leakage(
    documents: Documents,
    *,
    stop_words: Collection[str],
    topics: int,
    seed: int,
    estimator: str,
    of_each: int | None = None,
    draws: int = DRAWS,
    say: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Return what topics tell of the labels of a corpus, and how well a classifier does.

    Args:
        documents: with their labels; those without are left out, as are those without a word.
        stop_words: words that are of no topic.
        topics: how many.
        seed: of topics, folds, classifier and draws.
        estimator: the name of a classifier, see `models.estimators.registry`.
        of_each: how many sentences of each class are drawn by the seed, so that corpora can be
            compared; None for all there are.
        draws: how often what pages add to the association changes its sign, to tell what is chance.
        say: takes a line for each classifier that is fitted, with how many there are.

    Returns:
        Figures are {"mcc", "auc"} of {"value", "low", "high"}, None where not defined.

        - `corpus`, `estimator`, `documents`, `of` (how many there were before some were drawn),
          `biased`, `folds`, `topics_number`.
        - `largest_group`: the share of documents in the largest group of near-duplicates. Where
          it is more than a fold, folds that keep them together tell nothing, and have no figures.
        - `grouped_by`: "page", or "near-duplicate" where pages are not known or too few.
        - `topics_only`: figures of a classifier that sees only the shares of topics, with folds by
          `grouped_by`.
        - `by`: {"sentence", "near-duplicate", "page", "topic"} -> figures of the estimator with
          such folds; "page" only where it is `grouped_by`. By topic, near-duplicates stay together
          too.
        - `lost`: figures by near-duplicate less those by topic.
        - `association`: see `association.association`, of the main topic and the label.
        - `topics`: [{"words", "biased", "neutral", "share_biased"}], by falling share.

    Raises:
        UsageError: there is no such estimator, or a library that it needs is missing.
        WikibiasError: too few labels, see `why_not`.
    """
    create(estimator, seed=seed)  # a wrong name is told before the topics are fitted
    if why := why_not(documents):
        raise WikibiasError(why)
    documents, counts = _usable(documents, stop_words)
    there = len(documents)
    if of_each is not None:
        rows = _even(documents, of_each, seed)
        documents, counts = documents.chosen(rows), counts.of(rows)
    examples = _examples(documents)
    found = fitted(counts, topics, seed, _WORDS_SHOWN)
    main = found.shares.argmax(axis=1)
    judge = _Judge(examples, together(documents)[1], sorted(stop_words), estimator, seed, say)
    return {
        "corpus": documents.name,
        "estimator": estimator,
        "documents": len(examples),
        "of": there,
        "biased": int(examples.biased.sum()),
        "folds": FOLDS,
        "topics_number": topics,
        **judge.figures(found.shares),
        "association": association(main, examples.biased, together(documents)[0], draws, seed),
        "topics": _by_topic(found, main, examples.biased),
    }


def _usable(documents: Documents, stop_words: Collection[str]) -> tuple[Documents, Counts]:
    """Return the documents that have a label and a word, and the counts of their words."""
    labelled = [row for row, label in enumerate(documents.facts["label"]) if label in LABELS]
    documents = documents.chosen(labelled)
    counts = counted(documents.texts, stop_words)
    rows = np.flatnonzero(counts.matrix.getnnz(axis=1)).tolist()
    chosen = documents.chosen(rows)
    if why := why_not(chosen):
        raise WikibiasError(why)
    return chosen, counts.of(rows)


def _sides(documents: Documents) -> Sides:
    return np.array([LABELS[label] for label in documents.facts["label"]], dtype=bool)


def _even(documents: Documents, of_each: int, seed: int) -> list[int]:
    """Return the rows of so many documents of each class, or of all that it has, in order."""
    drawn = np.random.default_rng(seed).permutation(len(documents))
    biased = _sides(documents)[drawn]
    both = (drawn[biased][:of_each], drawn[~biased][:of_each])
    rows: list[int] = np.sort(np.concatenate(both)).tolist()
    return rows


def _examples(documents: Documents) -> Examples:
    return Examples(
        name=documents.name,
        texts=list(documents.texts),
        biased=_sides(documents),
        rows=np.arange(1, len(documents) + 1),
        pages=None if documents.pages is None else numbered(documents.pages),
        normalised=True,
    )


class _Judge:
    """Cross-validates on one corpus, with the same groups for all intervals.

    Two versions of a sentence in an edit are near-duplicates, and often of two classes: by
    sentence, a classifier that knows one of them takes the other for the wrong class.
    """

    def __init__(
        self,
        examples: Examples,
        kind: str,
        stop_words: Sequence[str],
        estimator: str,
        seed: int,
        say: Callable[[str], None],
    ) -> None:
        self.examples, self.stop_words = examples, stop_words
        self.say, self.fitted, self.to_fit = say, 0, 0
        self.estimator, self.seed = estimator, seed
        self.alike = grouping(examples, "near-duplicate")
        self.kind = "page" if kind == "page" else "near-duplicate"
        self.groups = grouping(examples, "page") if kind == "page" else self.alike

    def figures(self, shares: NDArray[np.float64]) -> dict[str, Any]:
        """Return `grouped_by`, `largest_group`, `topics_only`, `by` and `lost` of `leakage`."""
        largest = int(np.unique(self.alike, return_counts=True)[1].max()) / len(self.examples)
        alike, topic = [], []
        if largest <= 1 / FOLDS:
            alike = self._folds(self.alike, FOLDS, "near-duplicate")
            topic = self._by_topic(topics_of_groups(shares, self.alike))
        by_kind = {
            "sentence": self._folds(grouping(self.examples, "random"), FOLDS, "random"),
            "near-duplicate": alike,
            **({"page": self._folds(self.groups, FOLDS, "page")} if self.kind == "page" else {}),
            "topic": topic,
        }
        parts = by_kind[self.kind]
        alone = held_out_shares(shares, self.examples.biased, parts) if parts else None
        self.to_fit = sum(map(len, by_kind.values()))
        found = {name: self._predicted(parts) for name, parts in by_kind.items()}
        return {
            "grouped_by": self.kind,
            "largest_group": largest,
            "topics_only": self._scored(None if alone is None else Predictions.of(alone)),
            "by": {name: self._scored(predicted) for name, predicted in found.items()},
            "lost": self._lost(found["near-duplicate"], found["topic"]),
        }

    def _folds(self, groups: Groups, count: int, kind: str) -> list[Fold]:
        return folds(self.examples, groups, count, self.seed, kind)

    def _by_topic(self, main: NDArray[np.int64]) -> list[Fold]:
        """Return folds that hold out whole topics; none where what is left lacks a class."""
        count = min(FOLDS, len(np.unique(main)))
        if count < 2:
            return []
        parts = [part for part in self._folds(main, count, "topic") if len(part[1])]
        biased = self.examples.biased
        learnable = all(0 < biased[train].sum() < len(train) for train, _ in parts)
        return parts if learnable else []

    def _predicted(self, parts: Sequence[Fold]) -> Predictions | None:
        if not parts:
            return None

        def make() -> Any:
            self.fitted += 1
            self.say(f"{self.examples.name}: {self.estimator}, {self.fitted} of {self.to_fit} fits")
            return create(self.estimator, stopwords=self.stop_words, seed=self.seed)

        return Predictions.of(held_out_probabilities(make, self.examples, parts))

    def _scored(self, predicted: Predictions | None) -> dict[str, Interval]:
        if predicted is None:
            return dict.fromkeys(_FIGURES, _UNKNOWN)
        truth = self.examples.biased
        return _named(score_with_intervals(truth, predicted, groups=self.groups, seed=self.seed))

    def _lost(self, first: Predictions | None, second: Predictions | None) -> dict[str, Interval]:
        if first is None or second is None:
            return dict.fromkeys(_FIGURES, _UNKNOWN)
        truth = self.examples.biased
        return _named(
            differences_with_intervals(truth, first, second, groups=self.groups, seed=self.seed)
        )


def _named(table: Table) -> dict[str, Interval]:
    return {name: table[metric] for name, metric in _FIGURES.items()}


def topics_of_groups(shares: NDArray[np.float64], groups: Groups) -> NDArray[np.int64]:
    """Return for each document the main topic of its group, so that a group has but one."""
    places = np.unique(groups, return_inverse=True)[1]
    sums = np.zeros((int(places.max()) + 1, shares.shape[1]))
    np.add.at(sums, places, shares)
    found: NDArray[np.int64] = sums.argmax(axis=1)[places]
    return found


def held_out_shares(
    shares: NDArray[np.float64], biased: Sides, parts: Sequence[Fold]
) -> NDArray[np.float64]:
    """Return for each document the probability of bias by its shares of topics alone.

    By a logistic regression that has not seen its group.
    """
    found = np.zeros(len(biased))
    for train, held_out in parts:
        mean, spread = shares[train].mean(axis=0), shares[train].std(axis=0)
        rows = (shares - mean) / np.where(spread > 0, spread, 1.0)
        weights = encoder.fitted(rows[train], biased[train], c=1.0)
        found[held_out] = expit(rows[held_out] @ weights[:-1] + weights[-1])
    return found


def _by_topic(found: Topics, main: NDArray[np.int64], biased: Sides) -> list[dict[str, Any]]:
    rows = []
    for topic, words in enumerate(found.words):
        own = biased[main == topic]
        if len(own):
            number = int(own.sum())
            share = number / len(own)
            counts = {"biased": number, "neutral": len(own) - number, "share_biased": share}
            rows.append({"words": words, **counts})
    return sorted(rows, key=lambda each: (-each["share_biased"], each["words"]))
