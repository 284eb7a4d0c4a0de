"""Evaluates which side of an edit is called biased; both sides have the same topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import share_with_interval
from wikibias.models.examples import Examples


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
