"""Random lists of keywords, each word nearly as frequent as the keyword in whose place it stands.

So what a list owes to the frequency of its words alone can be told from what it owes to what they
mean. A keyword that the measure knows gives its place to words that it knows, and one that it does
not know to such that it does not know: a list of rare names is held against rare names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wikibias.text.normalisation import normalise

POOL = 10
"""Of how many words one is drawn in place of a keyword."""


@dataclass(frozen=True, slots=True)
class RandomLists:
    """Lists that were drawn.

    Attributes:
        words: all that stand in one, each once.
        places: where in `words` those of each list are, lists by keywords.
    """

    words: Sequence[str]
    places: NDArray[np.int64]


def drawn(
    keywords: Mapping[str, int],
    frequencies: Mapping[str, int],
    known: Collection[str],
    *,
    number: int,
    seed: int,
    pool: int = POOL,
) -> RandomLists | None:
    """Draw random lists in place of a list of keywords; None where there is no word to draw.

    In place of so many keywords of one frequency stand as many of the words nearest to it, drawn
    without replacement from `pool` times as many. No word is one of the keywords, and none stands
    in a list twice, unless there are too few.

    Args:
        keywords: each, and in how many documents it stands.
        frequencies: any word of the corpus that is no stop word, and in how many documents it is.
        known: the words that the measure of similarity knows, keywords among them.
        number: of lists.
        seed: of the draw.
        pool: of how many words one is drawn.
    """
    rng = np.random.default_rng(seed)
    own = {form for keyword in keywords for form in (keyword.casefold(), normalise(keyword))}
    words = sorted(word for word in frequencies if word not in own)
    if not words or not keywords:
        return None
    rng.shuffle(words)  # so that of equally frequent words any may be the nearest
    pools = _Pools(words, frequencies, known)
    alike: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
    for place, (keyword, standing) in enumerate(keywords.items()):
        alike[standing, keyword in known].append(place)
    near = {
        (standing, knows): pools.nearest(standing, knows, pool * len(places))
        for (standing, knows), places in alike.items()
    }
    found = np.zeros((number, len(keywords)), np.int64)
    for row in found:
        used: set[int] = set()
        for key, places in alike.items():
            row[places] = _chosen(near[key], len(places), used, rng)
    kept, inverse = np.unique(found, return_inverse=True)
    return RandomLists([words[place] for place in kept], inverse.reshape(found.shape))


class _Pools:
    """Words of the corpus by how frequent they are, those that are known apart."""

    def __init__(
        self, words: Sequence[str], frequencies: Mapping[str, int], known: Collection[str]
    ) -> None:
        self._logs = np.log([frequencies[word] + 1.0 for word in words])
        knows = np.array([word in known for word in words])
        every = np.arange(len(words))
        # Where the measure knows all words, or none, there is but one kind to draw from.
        self._of = {
            True: every[knows] if knows.any() else every,
            False: every[~knows] if not knows.all() else every,
        }

    def nearest(self, frequency: int, knows: bool, number: int) -> NDArray[np.int64]:
        """Return the places of the words nearest in frequency, the nearest first."""
        places = self._of[knows]
        away = np.abs(self._logs[places] - np.log(frequency + 1.0))
        found: NDArray[np.int64] = places[np.argsort(away, kind="stable")[:number]]
        return found


def _chosen(
    pool: NDArray[np.int64], number: int, used: set[int], rng: np.random.Generator
) -> list[int]:
    """Draw from a pool, without what is used while there is other; mark it as used."""
    order = rng.permutation(pool).tolist()
    free = [place for place in order if place not in used]
    found = [*free, *(place for place in order if place in used)][:number]
    found += [order[at % len(order)] for at in range(number - len(found))]
    used.update(found)
    return found
