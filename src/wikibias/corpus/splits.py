"""Which split each sentence goes to: pages stay whole, and so do groups of near-duplicates."""

from __future__ import annotations

import numpy as np

from wikibias.config.choices import SPLITS, SplitBy
from wikibias.config.thresholds import Build
from wikibias.corpus.candidates import Candidates, Ints

LEFT_OUT = -1


def split_of(
    candidates: Candidates,
    chosen: Ints,
    shares: Build,
    split_by: SplitBy,
    rng: np.random.Generator,
) -> Ints:
    """Return, for each candidate, the number of its split, or LEFT_OUT.

    By page, all candidates of a page of a chosen one get its split.
    """
    split = np.full(len(candidates.form), LEFT_OUT, np.int64)
    wanted = np.array([shares.train, shares.dev, shares.test])
    if split_by == "sentence":
        edges = np.round(np.cumsum(wanted) * len(chosen)).astype(np.int64)
        split[rng.permutation(chosen)] = np.searchsorted(
            edges, np.arange(len(chosen)), side="right"
        )
        return split
    pages, sizes = np.unique(candidates.page[chosen], return_counts=True)
    of_page = np.full(int(candidates.page.max(initial=-1)) + 1, LEFT_OUT, np.int64)
    left = wanted * len(chosen)
    for number in rng.permutation(len(pages)):
        of_page[pages[number]] = int(np.argmax(left))
        left[of_page[pages[number]]] -= sizes[number]
    return of_page[candidates.page] if len(of_page) else split


def main_split(split: Ints, group: Ints) -> Ints:
    """Return, for each sentence, the split that most of its group are in; of equal ones the first.

    Args:
        split: the number of the split of each sentence; LEFT_OUT counts for none.
        group: the number of the group of each sentence.
    """
    counts = np.zeros((len(group), len(SPLITS)), np.int64)
    there = split != LEFT_OUT
    np.add.at(counts, (group[there], split[there]), 1)
    most: Ints = np.argmax(counts, axis=1)
    return np.asarray(most[group], np.int64)
