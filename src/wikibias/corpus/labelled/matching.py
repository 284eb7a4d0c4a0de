"""Negatives of featured articles for each label: as long as its positives, and about the same."""

from __future__ import annotations

import numpy as np

from wikibias.corpus import featured
from wikibias.corpus.candidates import Ints
from wikibias.corpus.labelled.sentences import Sentences

# As many again as there are positives, in case near-duplicates fall out.
_ROUNDS = 2


def matched(found: Sentences, candidates: Ints, labels: int, rng: np.random.Generator) -> Ints:
    """Return sentences of featured articles in the order to take them.

    Labels take turns, and each takes what is judged for it: so a sentence with a reference is no
    negative for `citation` (Asthana et al. 2021, section 5.2). What matches no positive is left
    out.

    Args:
        found: all sentences.
        candidates: which of them are of featured articles and may be taken, by place.
        labels: how many labels there are.
        rng: draws them.
    """
    rounds = []
    for _ in range(_ROUNDS):
        of_labels = []
        for place in range(labels):
            positives = np.flatnonzero(
                found.positive & (found.labels >> place & 1).astype(np.bool_)
            )
            judged = candidates[(found.judged[candidates] >> place & 1).astype(np.bool_)]
            chosen = featured.negatives(
                _numbers(found, positives), _numbers(found, judged), found.topics, rng
            )
            chosen = rng.permutation(chosen[chosen != featured.NONE])
            of_labels.append(judged[chosen])
            candidates = np.setdiff1d(candidates, judged[chosen], assume_unique=True)
        rounds.append(featured.in_turn(of_labels))
    return np.concatenate(rounds)


def _numbers(found: Sentences, which: Ints) -> featured.Sentences:
    return featured.Sentences(found.words[which], found.page[which], found.section[which])
