"""The topics of a corpus, of its groups and of samples of several sizes, each fitted once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from zlib import crc32

import numpy as np

from wikibias.corpus.topic_counts import Counts
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.groups import Group
from wikibias.research.selection_bias.settings import Settings
from wikibias.research.selection_bias.topics import Topics, fitted

Say = Callable[[str], None]
SIZES = (8, 4, 2)
"""Samples have one document of so many."""
LEAST = 50
"""How many documents a sample has at least."""


@dataclass(frozen=True, slots=True)
class Fits:
    """Topics, one fit for each seed wherever there are several.

    Attributes:
        grid: a number of topics -> fits on all documents.
        groups: a group -> how many documents are drawn of it, and fits on such, drawn anew for
            each seed.
        sizes: a number of documents -> fits on so many, drawn anew for each seed; on all of them
            those of the grid.
        compared: fits on a sample as large as that of other corpora, drawn anew for each seed; none
            where it is not compared with others.
    """

    grid: Mapping[int, Sequence[Topics]]
    groups: Mapping[Group, Sequence[Topics]]
    sizes: Mapping[int, Sequence[Topics]]
    compared: Sequence[Topics] = ()

    def words(self) -> Iterator[str]:
        """Yield each word of each topic."""
        for kind in (self.grid, self.groups, self.sizes, {"": self.compared}):
            for fits in kind.values():
                for fit in fits:
                    for words in fit.words:
                        yield from words


def fits(
    documents: Documents,
    counts: Counts,
    groups: Sequence[Group],
    settings: Settings,
    say: Say,
    *,
    compared: int = 0,
) -> Fits:
    """Fit all topics of a corpus.

    Groups and sizes of which a sample has no word that was counted are left out.

    Args:
        documents: of it.
        counts: of their words.
        groups: of them.
        settings: the numbers of topics and words, the seeds, the topic model.
        say: takes a line before each fit.
        compared: how many documents are drawn to compare the corpus with others; 0 for none.
    """
    numbers = [
        number
        for number in (len(documents) // part for part in SIZES)
        if number >= max(LEAST, settings.base_topics)
    ]
    kinds = len(settings.topics) + len(groups) + len(numbers) + bool(compared)
    work = _Work(documents, counts, settings, say, kinds * len(settings.seeds))
    grid = {number: work.on_all(number) for number in settings.topics}
    every = range(len(documents))
    of_groups = {group: work.on_samples(str(group), group.rows, group.drawn) for group in groups}
    sizes = {number: work.on_samples(f"{number:,} documents", every, number) for number in numbers}
    return Fits(
        grid,
        {group: found for group, found in of_groups.items() if found},
        {number: found for number, found in sizes.items() if found}
        | {len(documents): grid[settings.base_topics]},
        work.on_samples(f"a sample of {documents.name}", every, compared) if compared else (),
    )


@dataclass(frozen=True, slots=True)
class _Work:
    documents: Documents
    counts: Counts
    settings: Settings
    say: Say
    fits: int
    """How many there are at most."""
    places: Iterator[int] = field(default_factory=lambda: count(1))

    def on_all(self, topics: int) -> list[Topics]:
        """Fit on all documents."""
        most, model = max(self.settings.words), self.settings.topic_model
        found = []
        for seed in self.settings.seeds:
            self._tell("all documents", topics, seed)
            found.append(fitted(self.counts, topics, seed, most, model))
        return found

    def on_samples(self, what: str, rows: Sequence[int], number: int) -> list[Topics]:
        """Fit on some documents of those rows, drawn anew for each seed.

        None where a sample has no word that was counted, such as a group in another script.
        """
        found: list[Topics] = []
        topics, most = self.settings.base_topics, self.settings.base_words
        for seed in self.settings.seeds:
            self._tell(what, topics, seed)
            rng = np.random.default_rng([seed, crc32(what.encode())])
            counts = self.counts.of(drawn(rows, self.documents.pages, number, rng))
            if not counts.vocabulary:
                return []
            found.append(fitted(counts, topics, seed, most, self.settings.topic_model))
        return found

    def _tell(self, what: str, topics: int, seed: int) -> None:
        place = f"{next(self.places)} of {self.fits}"
        self.say(f"{self.documents.name}: {topics} topics of {what}, seed {seed} ({place})")


def drawn(
    rows: Sequence[int], pages: Sequence[str] | None, number: int, rng: np.random.Generator
) -> list[int]:
    """Draw documents, page by page where pages are known: what is of one page is much alike.

    Args:
        rows: from which they are drawn.
        pages: the page of each document of the corpus.
        number: how many are drawn; of the last page as many as that leaves.
        rng: draws.

    Returns:
        Their rows, sorted.
    """
    order = rng.permutation(np.asarray(rows))
    if pages is not None:
        names = sorted({pages[row] for row in rows})
        place = dict(zip(names, rng.permutation(len(names)).tolist(), strict=True))
        order = order[np.argsort([place[pages[row]] for row in order], kind="stable")]
    found: list[int] = np.sort(order[:number]).tolist()
    return found
