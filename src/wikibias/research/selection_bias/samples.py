"""Groups of the documents of corpora, the samples that are drawn of them, and their topics.

B1 and B2 depend on how many documents topics are fitted on. So groups by one fact, such as the
label, are compared on samples of equal size: half of the smallest group, drawn anew for each seed.
What the draws differ by is then what chance in the documents does to a figure; see
`figures.interval`. So are corpora.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from zlib import crc32

import numpy as np

from wikibias.errors import UsageError
from wikibias.messages import nearest
from wikibias.research.selection_bias.documents import FACTS, Documents
from wikibias.research.selection_bias.topics import Counts, Topics, fit_topics

LEAST = 100
"""How many documents a group has at least: half of them are drawn."""
MOST_GROUPS = 12
"""How many groups by one fact are compared at most, the largest ones."""
MOST_DRAWN = 2000
"""How many documents of a group are drawn at most."""
CORPUS = "corpus"
"""What corpora are grouped by, where several are compared."""
_BASE = 8  # topics, and words of each, where one of the two is held still (the paper, section 4.1)
_OF_LARGEST = 20  # a group of less than one of so many of the largest would make all samples small
# Which two are compared where a corpus has both: the first less the second.
_PAIRS = {"label": ("biased", "neutral"), "split": ("train", "test")}
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """What is measured, and how.

    Attributes:
        topics: how many topics are fitted, each number in turn.
        words: how many words of each topic are compared, each number in turn.
        seeds: of the fits, each in turn.
        lists: how many random lists of keywords each list is held against; 0 for none.
        by: facts by whose values documents are grouped; None for all that the corpus tells.
        stop_words: the name of a corpus -> the words that are in no topic.

    Raises:
        UsageError: there is no such fact.
    """

    topics: Sequence[int] = (2, 8, 20)
    words: Sequence[int] = (8, 20, 50)
    seeds: Sequence[int] = (0, 1, 2, 3, 4)
    lists: int = 200
    by: Sequence[str] | None = None
    stop_words: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for fact in self.by or ():
            if fact not in FACTS:
                raise UsageError(f"sentences are not grouped by {fact!r}{nearest(fact, FACTS)}")

    @property
    def base_topics(self) -> int:
        """How many topics there are in all that is no grid."""
        return _BASE if _BASE in self.topics else self.topics[0]

    @property
    def base_words(self) -> int:
        """How many words of each topic are compared in all that is no grid."""
        return _BASE if _BASE in self.words else self.words[0]


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that share a fact, or all of a corpus.

    Attributes:
        by: one of `FACTS`, or `CORPUS`.
        value: which they share, or the name of the corpus.
        drawn: how many of them are drawn for each seed, as many of any group by that fact.
        rows: all of them.
    """

    by: str
    value: str
    drawn: int
    rows: Sequence[int] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"a sample of {self.value}" if self.by == CORPUS else f"{self.by} {self.value}"


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
    left_out: list[str] = []
    for fact in FACTS if by is None else by:
        members = _members(documents.facts.get(fact, ()))
        least = max(LEAST, max(map(len, members.values()), default=0) / _OF_LARGEST)
        kept = [value for value, rows in members.items() if len(rows) >= least][:MOST_GROUPS]
        if len(kept) > 1:
            size = _sample_size([len(members[value]) for value in kept])
            found += [Group(fact, value, size, members[value]) for value in kept]
            if more := len(members) - len(kept):
                left_out.append(f"{more:,} by {fact}")
        elif by is not None:
            notes.append(f"{documents.name}: no groups by {fact}: {_group_sizes(members)}")
        elif len(members) > 1:
            small.append(fact)
    if small:
        notes.append(
            f"{documents.name}: no groups by {', '.join(small)}: at least two need {LEAST} "
            "documents each"
        )
    if left_out:
        notes.append(
            f"{documents.name}: groups left out, {', '.join(left_out)}: fewer than {LEAST} "
            "documents, less than a twentieth of the largest group, or not among the "
            f"{MOST_GROUPS} largest"
        )
    return found, notes


def corpus_groups(corpora: Sequence[Documents]) -> tuple[dict[str, Group], list[str]]:
    """Return each of several corpora as a group, and notes on those that are too small for it.

    Returns:
        The name of a corpus -> the group, as many drawn as of any other; none of a single corpus.
    """
    if len(corpora) < 2:
        return {}, []
    large = [documents for documents in corpora if len(documents) >= LEAST]
    notes = [
        f"{documents.name}: not compared with other corpora, which needs {LEAST} documents"
        for documents in corpora
        if len(documents) < LEAST
    ]
    if len(large) < 2:
        return {}, notes
    size = _sample_size([len(each) for each in large])
    return {each.name: Group(CORPUS, each.name, size, range(len(each))) for each in large}, notes


def check_asked(by: Sequence[str] | None, corpora: Sequence[Documents]) -> None:
    """Check that each fact that was asked for parts some corpus.

    Raises:
        UsageError: one parts none; the message says what the first corpus has.
    """
    for fact in by or ():
        if not any(groups_of(documents, [fact])[0] for documents in corpora):
            why = _group_sizes(_members(corpora[0].facts.get(fact, ())))
            raise UsageError(f"cannot compare groups by {fact}: {why}; leave it out of --by")


def pairs(groups: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Return which groups by one fact are compared: the first less the second.

    Biased with neutral and train with test; else the first, which is the largest, with each other
    one.
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


def _sample_size(sizes: Sequence[int]) -> int:
    return min(MOST_DRAWN, min(sizes) // 2)


def _members(values: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of each value that is known, the most frequent value first.

    A document of several values, with "|" between them, is of each.
    """
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, several in enumerate(values):
        for value in filter(None, several.split("|")):
            rows[value].append(row)
    return dict(sorted(rows.items(), key=lambda each: (-len(each[1]), each[0])))


def _group_sizes(members: dict[str, list[int]]) -> str:
    if not members:
        return "the corpus does not tell it"
    held = ", ".join(f"{value} {len(rows):,}" for value, rows in list(members.items())[:3])
    return f"at least two need {LEAST} documents each, and there are {held}"


@dataclass(frozen=True, slots=True)
class Fits:
    """Topics, one fit for each seed wherever there are several.

    Attributes:
        grid: a number of topics -> fits on all documents.
        groups: a group -> fits on a sample of it, drawn anew for each seed.
    """

    grid: Mapping[int, Sequence[Topics]]
    groups: Mapping[Group, Sequence[Topics]]

    def words(self) -> set[str]:
        """Return each word of each topic."""
        every = (*self.grid.values(), *self.groups.values())
        return {word for fits in every for fit in fits for words in fit.words for word in words}


def fit_all(
    documents: Documents,
    counts: Counts,
    groups: Sequence[Group],
    settings: Settings,
    progress: Progress,
) -> Fits:
    """Fit all topics of a corpus.

    Groups of which a sample has no word that was counted are left out, such as one in another
    script.

    Args:
        documents: of it.
        counts: of their words.
        groups: of them.
        settings: the numbers of topics and words, the seeds.
        progress: takes a line before each fit.
    """
    number = count(1)
    fits = (len(settings.topics) + len(groups)) * len(settings.seeds)

    def fit(what: str, own: Counts, topics: int, words: int, seed: int) -> Topics:
        place = f"{next(number)} of {fits}"
        progress(f"{documents.name}: {topics} topics of {what}, seed {seed} ({place})")
        return fit_topics(own, topics, seed, words)

    grid = {
        topics: [
            fit("all documents", counts, topics, max(settings.words), seed)
            for seed in settings.seeds
        ]
        for topics in settings.topics
    }
    of_groups = {}
    for group in groups:
        parts = []
        for seed in settings.seeds:
            rng = np.random.default_rng([seed, crc32(str(group).encode())])
            parts.append(counts.of(sample_rows(group.rows, documents.pages, group.drawn, rng)))
        if all(part.vocabulary for part in parts):
            of_groups[group] = [
                fit(str(group), part, settings.base_topics, settings.base_words, seed)
                for part, seed in zip(parts, settings.seeds, strict=True)
            ]
    return Fits(grid, of_groups)


def sample_rows(
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
