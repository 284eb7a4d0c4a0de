"""Made-up labelled sentences in the form that models learn from."""

import numpy as np

from sample_sentences import made_up
from wikibias.models.examples import Examples


def examples(name: str, count: int, seed: int) -> Examples:
    """Return `made_up` sentences as a split."""
    return as_examples(name, made_up(count, seed))


def as_examples(name: str, rows: list[tuple[str, str]]) -> Examples:
    """Return label and sentence of each row as a split."""
    biased = np.array([label == "biased" for label, _ in rows])
    return Examples(name, [text for _, text in rows], biased, np.arange(1, len(rows) + 1))
