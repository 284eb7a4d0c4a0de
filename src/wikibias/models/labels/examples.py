"""Sentences with several labels, of which each is judged by some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from wikibias.models.examples import Examples, Splits, some_of


@dataclass(frozen=True, slots=True)
class LabelledExamples:
    """Sentences, which labels each has, and by which it is judged.

    Attributes:
        examples: the sentences, where they come from, and as `biased` whether each has any label.
        labels: which labels each has, sentences by labels.
        judged: of which labels that is known, likewise.
    """

    examples: Examples
    labels: NDArray[np.bool_]
    judged: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.examples)

    def rows(self, chosen: NDArray[np.int64]) -> LabelledExamples:
        """Return some of the sentences, by their places."""
        return LabelledExamples(
            some_of(self.examples, chosen), self.labels[chosen], self.judged[chosen]
        )

    def of(self, column: int) -> Examples:
        """Return the sentences judged by a label, as a split of sentences with and without it."""
        rows = np.flatnonzero(self.judged[:, column])
        return replace(some_of(self.examples, rows), biased=self.labels[rows, column])


@dataclass(frozen=True, slots=True)
class LabelledSplits:
    """Splits of sentences with several labels.

    Attributes:
        names: of the labels, in order.
        by_name: the splits, in the order train, dev, test.
        lang: of a corpus.
        corpus: what is known of a corpus, for people.
    """

    names: Sequence[str]
    by_name: Mapping[str, LabelledExamples]
    lang: str | None = None
    corpus: Mapping[str, str] = field(default_factory=dict)

    @property
    def plain(self) -> Splits:
        """The splits without their labels; biased is what has any."""
        parts = {name: part.examples for name, part in self.by_name.items()}
        return Splits(parts, self.lang, self.corpus)

    def held_out(self) -> Mapping[str, LabelledExamples]:
        """Return the splits to judge on."""
        return {name: part for name, part in self.by_name.items() if name != "train"}


def pooled(splits: LabelledSplits, everything: Examples) -> LabelledExamples:
    """Return all splits as one; `everything` is their sentences, joined."""
    parts = splits.by_name.values()
    return LabelledExamples(
        everything,
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.judged for part in parts]),
    )
