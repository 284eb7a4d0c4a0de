"""Groups of the documents of corpora, the samples that are drawn of them, and their topics.

Topics are words counted, and latent Dirichlet allocation fitted. B1 and B2 depend on how many
documents that is done on. So groups by one fact, such as the label, are compared on samples of
equal size: half of the smallest group, drawn anew for each seed. What the draws differ by is then
what chance in the documents does to a figure; see `similarity.interval`. So are corpora.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wikibias.corpus.log_odds import tokens
from wikibias.errors import UsageError, nearest
from wikibias.research.selection_bias.documents import FACTS, Documents
from wikibias.text.segmentation import is_unspaced

_LEAST_DOCUMENTS = 5
"""In how many of many documents a word stands at least to be counted."""
_PER_WORD = 500
_PASSES = 10
_NUMBERS = ("numtkn", "нумткн")  # for a number: ours, and of the published Bulgarian corpus
_DIGITS = 10  # of a weight, by which words are ordered


@dataclass(frozen=True, slots=True)
class Counts:
    """Words of documents.

    Attributes:
        matrix: how often each word stands in each document, documents by words (CSR).
        vocabulary: the words, sorted.
        documents_with: any word, of the vocabulary or too rare for it -> in how many documents.
    """

    matrix: csr_matrix
    vocabulary: Sequence[str]
    documents_with: Mapping[str, int]

    def of(self, rows: Sequence[int]) -> Counts:
        """Return the counts of some documents alone, of the words that they have."""
        return _frequent_counts(self.matrix[rows], self.vocabulary, 1)


@dataclass(frozen=True, slots=True)
class Topics:
    """Topics that were fitted with a seed.

    Attributes:
        words: of each topic, those of the highest weight first; of equal weight in alphabetical
            order.
        shares: of each topic in each document, documents by topics; rows add up to 1.
        seed: with which they were fitted.
    """

    words: list[list[str]]
    shares: NDArray[np.float64]
    seed: int


def topic_words(norm: str, stop_words: frozenset[str]) -> list[str]:
    """Return the words of a normal form, without stop words, numbers and single letters.

    Where apostrophes are kept, a word loses what is elided before it if that is a stop word: with
    "l'" among them "l'église" is "église". Text without spaces gives each two letters side by side,
    as elsewhere, but for two that are both stop words.
    """
    words = tokens(norm) if "'" not in norm else (_whole(each, stop_words) for each in tokens(norm))
    return [
        word
        for word in words
        if len(word) > 1
        and word not in _NUMBERS
        and word not in stop_words
        and not (len(word) == 2 and stop_words >= {*word} and is_unspaced(word))
    ]


def _whole(word: str, stop_words: Collection[str]) -> str:
    elided, apostrophe, rest = word.partition("'")
    return rest if apostrophe and elided + apostrophe in stop_words else word


def least_of(documents: int) -> int:
    """Return in how many of so many documents a word stands at least to be counted.

    That is in one of 500, but in two at least, and never in more than `_LEAST_DOCUMENTS`.
    """
    return max(2, min(_LEAST_DOCUMENTS, documents // _PER_WORD))


def count_words(
    texts: Sequence[str], stop_words: Collection[str], least: int | None = None
) -> Counts:
    """Count the words of documents, as `topic_words` has them.

    Args:
        texts: the documents, in their normal form.
        stop_words: which are not counted.
        least: in how many documents a word stands at least; by default as `least_of` says.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    left_out = frozenset(stop_words)
    vectorizer = CountVectorizer(analyzer=lambda text: topic_words(text, left_out))
    try:
        matrix = vectorizer.fit_transform(texts)
    except ValueError:  # of no word at all
        return Counts(csr_matrix((len(texts), 0), dtype=np.int64), [], {})
    words = vectorizer.get_feature_names_out().tolist()
    return _frequent_counts(matrix, words, least_of(len(texts)) if least is None else least)


def _frequent_counts(matrix: csr_matrix, words: Sequence[str], least: int) -> Counts:
    """Return the counts of the words that stand in so many documents at least."""
    documents = matrix.getnnz(axis=0)
    kept = np.flatnonzero(documents >= least)
    vocabulary = [words[place] for place in kept.tolist()]
    return Counts(matrix[:, kept], vocabulary, dict(zip(words, documents.tolist(), strict=True)))


def fit_topics(counts: Counts, number: int, seed: int, most: int) -> Topics:
    """Fit so many topics (Blei, Ng and Jordan, 2003), by scikit-learn.

    Args:
        counts: of the words of documents.
        number: of topics.
        seed: of the fit; the same one gives the same bytes.
        most: how many words of each topic are kept.

    Raises:
        UsageError: no word was counted.
    """
    from sklearn.decomposition import LatentDirichletAllocation

    if not counts.vocabulary:
        raise UsageError(
            "no word but stop words stands in enough of the sentences for topics; give more of them"
        )
    model = LatentDirichletAllocation(
        n_components=number, max_iter=_PASSES, learning_method="batch", random_state=seed, n_jobs=1
    ).fit(counts.matrix)
    weights = model.components_ / model.components_.sum(axis=1, keepdims=True)
    # Last digits depend on the machine. The vocabulary is sorted, so a stable sort leaves equal
    # weights in alphabetical order.
    order = np.argsort(-np.round(weights, _DIGITS), axis=1, kind="stable")[:, :most]
    words = [[counts.vocabulary[place] for place in row] for row in order.tolist()]
    return Topics(words, model.transform(counts.matrix), seed)


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
