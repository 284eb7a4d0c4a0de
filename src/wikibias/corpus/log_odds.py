"""The words that best tell two classes apart: the log-odds ratio with an informative prior.

Monroe, Colaresi and Quinn (2008), "Fightin' Words", Political Analysis 16(4). Words that are rare
in both classes are pulled to no difference by a prior that knows how frequent each word is: as if
`PRIOR` words, drawn from both classes together, had been seen in each.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from wikibias.text import segmentation

PRIOR = 1000.0
"""How many words the prior counts for."""
CHANCE = 1.96
"""A z-score beyond which a difference of one word is no chance, 95 times of 100."""
MOST_WORDS = 200_000
"""How many different words are counted at once."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """How a word is shared between two classes.

    Attributes:
        word: it.
        first: how often it stands in the first class.
        second: how often in the second.
        log_odds: the logarithm of the ratio of its odds, positive where the first has more of it.
        z: the same by its standard error.
    """

    word: str
    first: int
    second: int
    log_odds: float
    z: float


@dataclass(slots=True)
class WordCounts:
    """How often each word stands in two classes, in a memory that does not grow with the text.

    Of more than `most` different words the rarest are forgotten; `forgotten` counts how often that
    was done. All words count in `sizes`.
    """

    most: int = MOST_WORDS
    of: dict[str, list[int]] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=lambda: [0, 0])
    forgotten: int = 0

    def add(self, words: Iterable[str], which: int) -> None:
        """Count words of the first class (0) or the second (1)."""
        for word in words:
            self.of.setdefault(word, [0, 0])[which] += 1
            self.sizes[which] += 1
            if len(self.of) > self.most:
                self._forget()

    def _forget(self) -> None:
        """Keep the more frequent half."""
        numbers = sorted(sum(counts) for counts in self.of.values())
        least = numbers[len(numbers) // 2]
        self.of = {word: counts for word, counts in self.of.items() if sum(counts) > least}
        self.forgotten += 1


def tokens(norm: str) -> Iterator[str]:
    """Yield the words of a normal form; without spaces, each two letters side by side."""
    for word in segmentation.closed_up(norm).split():
        if len(word) > 2 and segmentation.is_unspaced(word):
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield word


def contrasts(
    counts: Mapping[str, tuple[int, int] | list[int]],
    sizes: tuple[int, int] | list[int],
    prior: float = PRIOR,
) -> list[Contrast]:
    """Return how each word is shared between two classes, by z-score, the largest first.

    Args:
        counts: how often each word stands in the first and in the second class.
        sizes: how many words the classes have; at least what `counts` adds up to.
        prior: how many words the prior counts for.
    """
    total = sum(sizes)
    if not total:
        return []
    found = []
    for word, (first, second) in counts.items():
        share = prior * (first + second) / total
        odds = [
            _log_odds(count + share, size + prior)
            for count, size in zip((first, second), sizes, strict=True)
        ]
        error = math.sqrt(1 / (first + share) + 1 / (second + share))
        difference = odds[0] - odds[1]
        found.append(Contrast(word, first, second, difference, difference / error))
    return sorted(found, key=lambda each: (-each.z, each.word))


def _log_odds(count: float, size: float) -> float:
    # A class of one word alone has no others.
    return math.log(count / max(size - count, 0.5))
