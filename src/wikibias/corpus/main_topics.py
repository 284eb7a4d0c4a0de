"""The main topic of each sentence that may be chosen, so that topics can be balanced.

A sample of both classes is counted, and a topic model is fitted on it, without labels. Then each
sentence gets the topic of which it has the largest share. This loads scipy and scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from wikibias.corpus.balance import Pools
from wikibias.corpus.candidates import Ints, Topic
from wikibias.corpus.topic_counts import Counts, counted, counts_of
from wikibias.corpus.topic_models import DEFAULT, TOPIC_MODELS, TopicModel
from wikibias.errors import UsageError

TOPICS = 20
"""How many topics there are in a corpus that is large enough for them."""
PER_TOPIC = 50
"""How many sentences of the sample there are for a topic at least."""
LEAST = PER_TOPIC
"""How many sentences each class has at least, of which topics are balanced."""
MOST = 25_000
"""How many sentences of each class topics are fitted on."""
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
            without a word that stands in several.
    """

    of: Topic
    words: Sequence[Sequence[str]]


def main_topics(
    norms: Callable[[Ints], Iterator[str]],
    there: Pools,
    candidates: int,
    stop_words: Collection[str],
    seed: int,
) -> MainTopics:
    """Return the main topics of all sentences that may be drawn.

    Takes memory for the sample, and a byte for each candidate.

    Args:
        norms: gives the normal forms of candidates, by their numbers in order.
        there: those that may be drawn.
        candidates: how many there are in all.
        stop_words: words that say nothing of what a sentence is about.
        seed: of the sample and of the topic model.

    Raises:
        UsageError: there are too few sentences, or they have no words in common.
    """
    few = min(len(there.biased), len(there.neutral))
    if few < LEAST:
        raise UsageError(
            f"topics are balanced from {LEAST} biased and {LEAST} neutral sentences on, and there "
            f"are {len(there.biased):,} and {len(there.neutral):,} that may be chosen; {_WITHOUT}"
        )
    sample = _sample(there, seed)
    counts = counted(list(norms(sample)), stop_words)
    if not counts.vocabulary:
        raise UsageError(
            "topics cannot be balanced, as these sentences have no words in common but stop "
            f"words; {_WITHOUT}"
        )
    model = TOPIC_MODELS[DEFAULT](counts.matrix, min(TOPICS, len(sample) // PER_TOPIC), seed)
    found = np.full(candidates, -1, np.int8)
    members = np.sort(np.concatenate([there.biased, there.neutral]))
    at, left = 0, norms(members)
    while some := list(islice(left, _AT_ONCE)):
        found[members[at : at + len(some)]] = _largest(model, counts, some, stop_words)
        at += len(some)
    return MainTopics(found, [*_words(model, counts), []])


def _sample(there: Pools, seed: int) -> Ints:
    """Return as many of either class, in order, drawn at random."""
    rng = np.random.Generator(np.random.PCG64(seed))
    sides = (there.biased, there.neutral)
    most = min(MOST, *map(len, sides))
    return np.sort(np.concatenate([rng.permutation(side)[:most] for side in sides]))


def _largest(
    model: TopicModel, counts: Counts, norms: Sequence[str], stop_words: Collection[str]
) -> Topic:
    """Return the topic of the largest share of each; of equal ones the first."""
    matrix = counts_of(norms, counts.vocabulary, stop_words)
    shares = np.round(model.shares(matrix), _DIGITS)
    has_words = np.diff(matrix.indptr) > 0
    found: Topic = np.where(has_words, shares.argmax(axis=1), shares.shape[1]).astype(np.int8)
    return found


def _words(model: TopicModel, counts: Counts) -> Iterator[list[str]]:
    """Yield the weightiest words of each topic, of equal ones the first by the alphabet."""
    for weights in np.round(model.word_weights, _DIGITS):
        best = np.argsort(-weights, kind="stable")[:_WORDS]
        yield [counts.vocabulary[place] for place in best.tolist()]
