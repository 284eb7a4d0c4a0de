"""How often editors changed a word: counts of each lower-cased form in sentences to learn from.

A change of many words counts for each of them by its share, as not every one is the reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

from wikibias.kits.files import read_json, write_json
from wikibias.research.spans.labels import OUTSIDE
from wikibias.research.spans.sentences import Tagged

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
