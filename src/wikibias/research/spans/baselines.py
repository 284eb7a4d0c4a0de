"""How often editors changed a word: counts of each lower-cased form in sentences to learn from.

A change of many words counts for each of them by its share, as not every one is the reason.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.kits.files import read_json, write_json
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans.labels import OUTSIDE, Tagged
from wikibias.research.spans.taggers import Tagger

_FILE = "change_rates.json"


class ChangeRates:
    """Changed and seen words. Of a word that was never changed nothing is kept."""

    def __init__(self, counts: Mapping[str, tuple[float, int]] | None = None) -> None:
        self._counts = dict(counts or {})

    @classmethod
    def of(cls, sentences: Iterable[Tagged]) -> Self:
        """Count the words of sentences."""
        seen, changed = Counter[str](), defaultdict[str, float](float)
        for sentence in sentences:
            seen.update(word.lower() for word in sentence.words)
            for word, share in _changed(sentence):
                changed[word] += share
        return cls({word: (share, seen[word]) for word, share in sorted(changed.items())})

    def rates(self, words: Sequence[str], prior: float) -> list[float]:
        """Return the rate of each word, as if it had stood unchanged `prior` times more."""
        counts = (self._counts.get(word.lower(), (0.0, 0)) for word in words)
        return [changed / (seen + prior) for changed, seen in counts]

    def rates_elsewhere(self, sentence: Tagged, prior: float) -> list[float]:
        """Return the rate of each word of a sentence in all others that were counted."""
        mine: dict[str, float] = defaultdict(float)
        for word, share in _changed(sentence):
            mine[word] += share
        own = Counter(word.lower() for word in sentence.words)
        found = []
        for word in map(str.lower, sentence.words):
            changed, seen = self._counts.get(word, (0.0, 0))
            rest = max(0.0, changed - mine[word])
            found.append(rest / (max(0, seen - own[word]) + prior))
        return found

    def save(self, folder: Path) -> None:
        """Write the counts as JSON."""
        write_json(folder / _FILE, self._counts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the counts.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is damaged; likewise TypeError and AttributeError.
        """
        known = read_json(folder / _FILE)
        return cls({str(word): (float(share), int(seen)) for word, (share, seen) in known.items()})


def _changed(sentence: Tagged) -> list[tuple[str, float]]:
    """Return each word in a span, and its share of them all."""
    words = [
        word.lower()
        for word, label in zip(sentence.words, sentence.labels, strict=True)
        if label != OUTSIDE
    ]
    return [(word, 1 / len(words)) for word in words]


class Frequent(Tagger):
    """The baseline: how often of all times editors changed a word of this form."""

    name = "frequent"
    settings: ClassVar[Sequence[Mapping[str, Any]]] = [{"prior": prior} for prior in (1, 2, 5, 10)]

    def __init__(
        self, *, seed: int = 0, lexicons: Sequence[Lexicon] = (), prior: float = 5
    ) -> None:
        del lexicons  # lists of words tell nothing of how often one was changed
        if not prior > 0:
            raise ValueError(f"the prior is a number over 0, not {prior}")
        self.seed = seed
        self.parameters: dict[str, Any] = {"prior": prior}
        self._counted = ChangeRates()

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Count words, and those that are in a span."""
        self._counted = ChangeRates.of(train)
        return self

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return half of the probability of each word for a begin, and half for going on."""
        rates = (self._counted.rates(words, self.parameters["prior"]) for words in sentences)
        return [np.repeat(np.array(each, dtype=float)[:, None] / 2, 2, axis=1) for each in rates]

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the counts."""
        self._counted.save(folder)
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read the counts."""
        tagger = cls(seed=described["seed"], **described["parameters"])
        tagger._counted = ChangeRates.load(folder)
        return tagger
