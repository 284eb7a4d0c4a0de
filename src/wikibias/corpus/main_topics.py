"""The main topic of each sentence that may be chosen, so that topics can be balanced.

A sample of both classes is counted, and a topic model is fitted on it, without labels. A sentence
has few words, so its page helps: to its own shares of topics those of its page are added, several
times, less what all pages share. The topic of the largest sum is its main one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus.balance import Pools
from wikibias.corpus.candidates import Candidates, Flags, Ints, Topic
from wikibias.corpus.topic_counts import Counts, counted, counts_of
from wikibias.corpus.topic_models import OF_SENTENCES, TOPIC_MODELS, TopicModel
from wikibias.errors import UsageError

Shares = NDArray[np.float64]
TOPICS = 20
"""How many topics there are in a corpus that is large enough for them."""
PER_TOPIC = 50
"""How many sentences of the sample there are for a topic at least."""
FEWEST = PER_TOPIC
"""How many sentences each class has at least, so that topics can be told."""
MOST = 25_000
"""How many sentences of each class topics are fitted on."""
# How much the topics of a page count beside those of its sentence.
_OF_PAGE = 3
_WORDS = 8
_AT_ONCE = 4096
# Shares that differ by less are the same: their last digits depend on the machine.
_DIGITS = 6
_WITHOUT = "add dump parts, or build without --balance-topics (`wikibias build --restart`)"


@dataclass(frozen=True, slots=True)
class MainTopics:
    """The topics of a corpus.

    Attributes:
        of: the number of the main topic of each candidate; -1 of those that may not be chosen.
        words: of each topic its weightiest words; none of the last, which is that of sentences
            without a word that counts.
    """

    of: Topic
    words: Sequence[Sequence[str]]


def main_topics(
    norms: Callable[[Ints], Iterator[str]],
    there: Pools,
    candidates: Candidates,
    stop_words: Collection[str],
    seed: int,
) -> MainTopics:
    """Return the main topics of all sentences that may be drawn.

    Takes memory for the sample, a byte for each candidate, and 160 for each page.

    Args:
        norms: gives the normal forms of candidates, by their numbers in order.
        there: those that may be drawn.
        candidates: all there are.
        stop_words: words that say nothing of what a sentence is about.
        seed: of the sample and of the topic model.

    Raises:
        UsageError: see `counts_of_sample`.
    """
    model = _fitted(counts_of_sample(norms, there, stop_words, seed), stop_words, seed)
    members = np.sort(np.concatenate([there.biased, there.neutral]))
    page = candidates.page[members]
    lean = _lean(model.blocks(norms(members)), page, len(model.words))
    found = np.full(len(candidates.form), -1, np.int8)
    for some, shares, has_words in model.blocks(norms(members)):
        best = np.round(shares + lean[page[some]], _DIGITS).argmax(axis=1)
        found[members[some]] = np.where(has_words, best, len(model.words))
    return MainTopics(found, [*model.words, []])


def counts_of_sample(
    norms: Callable[[Ints], Iterator[str]], there: Pools, stop_words: Collection[str], seed: int
) -> Counts:
    """Return the words of the sentences that topics are fitted on; for the arguments see there.

    Raises:
        UsageError: there are too few sentences, or they have no words in common.
    """
    if min(len(there.biased), len(there.neutral)) < FEWEST:
        raise UsageError(
            f"topics are balanced from {FEWEST} biased and {FEWEST} neutral sentences on, and of "
            f"those that may be chosen there are {len(there.biased):,} and "
            f"{len(there.neutral):,}; {_WITHOUT}"
        )
    counts = counted(list(norms(_sample(there, seed))), stop_words)
    if not counts.vocabulary:
        raise UsageError(
            "topics cannot be balanced, as these sentences have no words in common but stop "
            f"words; {_WITHOUT}"
        )
    return counts


def _sample(there: Pools, seed: int) -> Ints:
    """Return as many of either class, in order, drawn at random."""
    rng = np.random.Generator(np.random.PCG64(seed))
    sides = (there.biased, there.neutral)
    most = min(MOST, *map(len, sides))
    return np.sort(np.concatenate([rng.permutation(side)[:most] for side in sides]))


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A topic model, the counts that it was fitted on, and the first words of each topic."""

    model: TopicModel
    counts: Counts
    stop_words: Collection[str]
    words: Sequence[Sequence[str]]

    def blocks(self, norms: Iterator[str]) -> Iterator[tuple[slice, Shares, Flags]]:
        """Yield blocks: their places, the shares of topics in each, and which have words."""
        at = 0
        while some := list(islice(norms, _AT_ONCE)):
            matrix = counts_of(some, self.counts.vocabulary, self.stop_words)
            yield slice(at, at + len(some)), self.model.shares(matrix), np.diff(matrix.indptr) > 0
            at += len(some)


def _fitted(counts: Counts, stop_words: Collection[str], seed: int) -> _Fitted:
    topics = min(TOPICS, counts.matrix.shape[0] // PER_TOPIC, len(counts.vocabulary))
    model = TOPIC_MODELS[OF_SENTENCES](counts.matrix, topics, seed)
    # Of words of equal weight the first by the alphabet.
    order = np.argsort(-np.round(model.word_weights, _DIGITS), axis=1, kind="stable")
    words = [[counts.vocabulary[at] for at in row[:_WORDS].tolist()] for row in order]
    return _Fitted(model, counts, frozenset(stop_words), words)


def _lean(
    blocks: Iterator[tuple[slice, Shares, Flags]], page: NDArray[np.int32], topics: int
) -> Shares:
    """Return what a page adds to the shares of its sentences, pages by topics."""
    sums = np.zeros((int(page.max()) + 1, topics))
    number = np.zeros(len(sums))
    for some, shares, has_words in blocks:
        np.add.at(sums, page[some][has_words], shares[has_words])
        np.add.at(number, page[some][has_words], 1)
    known = number > 0
    sums[known] /= number[known, np.newaxis]
    if known.any():
        sums[known] -= sums[known].mean(axis=0)
    return _OF_PAGE * sums
