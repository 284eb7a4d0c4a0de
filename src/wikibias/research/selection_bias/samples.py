"""Groups and samples of the documents of a corpus, and the topics that are fitted on them.

B1 and B2 depend on how many documents topics are fitted on. So groups by one fact, such as the
label, are compared on samples of equal size: half of the smallest group, drawn anew for each seed.
What the draws differ by is then what chance in the documents does to a figure; see
`figures.over_draws`. So are corpora.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from zlib import crc32

import numpy as np

from wikibias.errors import UsageError
from wikibias.research.selection_bias.documents import FACTS, Documents
from wikibias.research.selection_bias.settings import Settings
from wikibias.research.selection_bias.topics import Counts, Topics, fitted

LEAST = 100
"""How many documents a group has at least: half of them are drawn."""
MOST_GROUPS = 12
"""How many groups by one fact are compared at most, the largest ones."""
MOST_DRAWN = 2000
"""How many documents of a group are drawn at most."""
SIZES = (8, 4, 2)
"""Samples of a corpus have one document of so many."""
LEAST_OF_SIZE = 50
"""How many documents such a sample has at least."""
_OF_LARGEST = 20  # a group of less than one of so many of the largest would make all samples small
# Which two are compared where a corpus has both: the first less the second.
_PAIRS = {"label": ("biased", "neutral"), "split": ("train", "test")}
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that share a fact.

    Attributes:
        by: one of `FACTS`.
        value: which they share.
        drawn: how many of them are drawn for each seed, as many of any group by that fact.
        rows: all of them.
    """

    by: str
    value: str
    drawn: int
    rows: Sequence[int] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.by} {self.value}"


def groups_of(documents: Documents, by: Sequence[str] | None) -> tuple[list[Group], list[str]]:
    """Return the groups of a corpus, those by one fact from the largest on, and what is left out.

    Args:
        documents: of the corpus.
        by: facts; None for all that the corpus tells.

    Returns:
        Groups, and notes on groups and facts that are left out.
    """
    found: list[Group] = []
    notes: list[str] = []
    small: list[str] = []
    left_out: dict[str, int] = {}
    for fact in FACTS if by is None else by:
        members = _members(documents.facts.get(fact, ()))
        kept = _large(members)
        if len(kept) > 1:
            size = _sample_size(len(members[value]) for value in kept)
            found += [Group(fact, value, size, members[value]) for value in kept]
            if len(members) > len(kept):
                left_out[fact] = len(members) - len(kept)
        elif by is not None:
            notes.append(f"{documents.name}: no groups by {fact}: {_why(members)}")
        elif len(members) > 1:
            small.append(fact)
    if small:
        notes.append(
            f"{documents.name}: no groups by {', '.join(small)}: at least two need {LEAST} "
            "documents each"
        )
    return found, [*notes, *_left_out(documents.name, left_out)]


def sample_of_each(corpora: Sequence[Documents]) -> tuple[dict[str, int], list[str]]:
    """Return how many documents are drawn of each corpus to compare it with the others.

    Args:
        corpora: that are measured side by side.

    Returns:
        The name of a corpus -> as many as of any other; none of a single corpus, nor of one that is
        too small. And notes on these.
    """
    large = [documents for documents in corpora if len(documents) >= LEAST]
    small = [documents.name for documents in corpora if len(documents) < LEAST]
    if len(corpora) < 2:
        return {}, []
    notes = [
        f"{name}: not compared with other corpora, which needs {LEAST} documents" for name in small
    ]
    if len(large) < 2:
        return {}, notes
    return dict.fromkeys((each.name for each in large), _sample_size(map(len, large))), notes


def check_asked(by: Sequence[str] | None, corpora: Sequence[Documents]) -> None:
    """Check that each fact that was asked for parts some corpus.

    Raises:
        UsageError: one parts none; the message says what the first corpus has.
    """
    for fact in by or ():
        if not any(groups_of(documents, [fact])[0] for documents in corpora):
            why = _why(_members(corpora[0].facts.get(fact, ())))
            raise UsageError(f"cannot compare groups by {fact}: {why}; leave it out of --by")


def pairs(groups: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Return which groups by one fact are compared: the first less the second.

    Biased with neutral and train with test; else the largest with each other one.
    """
    of: defaultdict[str, dict[str, Group]] = defaultdict(dict)
    for group in groups:
        of[group.by][group.value] = group
    found: list[tuple[Group, Group]] = []
    for fact, by_value in of.items():
        first, second = _PAIRS.get(fact, ("", ""))
        if first in by_value and second in by_value:
            found.append((by_value[first], by_value[second]))
        else:
            largest, *others = by_value.values()
            found += [(largest, other) for other in others]
    return found


def _sample_size(sizes: Iterable[int]) -> int:
    return min(MOST_DRAWN, min(sizes) // 2)


def _members(values: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of each value that is known, the most frequent value first.

    A document of several values, with "|" between them, is of each.
    """
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, several in enumerate(values):
        for value in several.split("|"):
            if value:
                rows[value].append(row)
    return dict(sorted(rows.items(), key=lambda each: (-len(each[1]), each[0])))


def _large(members: dict[str, list[int]]) -> list[str]:
    """Return the values that enough documents have, the most frequent first."""
    largest = max(map(len, members.values()), default=0)
    least = max(LEAST, largest / _OF_LARGEST)
    return [value for value, rows in members.items() if len(rows) >= least][:MOST_GROUPS]


def _left_out(name: str, left_out: dict[str, int]) -> list[str]:
    if not left_out:
        return []
    told = ", ".join(f"{number:,} by {fact}" for fact, number in left_out.items())
    return [
        f"{name}: groups left out, {told}: fewer than {LEAST} documents, less than a twentieth of "
        f"the largest group, or not among the {MOST_GROUPS} largest"
    ]


def _why(members: dict[str, list[int]]) -> str:
    if not members:
        return "the corpus does not tell it"
    held = ", ".join(f"{value} {len(rows):,}" for value, rows in list(members.items())[:3])
    return f"at least two need {LEAST} documents each, and there are {held}"


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


def fit_all(
    documents: Documents,
    counts: Counts,
    groups: Sequence[Group],
    settings: Settings,
    progress: Progress,
    *,
    compared: int = 0,
) -> Fits:
    """Fit all topics of a corpus.

    Groups and sizes of which a sample has no word that was counted are left out.

    Args:
        documents: of it.
        counts: of their words.
        groups: of them.
        settings: the numbers of topics and words, the seeds.
        progress: takes a line before each fit.
        compared: how many documents are drawn to compare the corpus with others; 0 for none.
    """
    numbers = [
        number
        for number in (len(documents) // part for part in SIZES)
        if number >= max(LEAST_OF_SIZE, settings.base_topics)
    ]
    kinds = len(settings.topics) + len(groups) + len(numbers) + bool(compared)
    work = _Work(documents, counts, settings, progress, kinds * len(settings.seeds))
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
    progress: Progress
    fits: int
    """How many there are at most."""
    places: Iterator[int] = field(default_factory=lambda: count(1))

    def on_all(self, topics: int) -> list[Topics]:
        """Fit on all documents."""
        most = max(self.settings.words)
        found = []
        for seed in self.settings.seeds:
            self._tell("all documents", topics, seed)
            found.append(fitted(self.counts, topics, seed, most))
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
            found.append(fitted(counts, topics, seed, most))
        return found

    def _tell(self, what: str, topics: int, seed: int) -> None:
        place = f"{next(self.places)} of {self.fits}"
        self.progress(f"{self.documents.name}: {topics} topics of {what}, seed {seed} ({place})")


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
