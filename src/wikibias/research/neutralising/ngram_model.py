"""How usual a row of words is: a language model of up to three words in a row.

Stupid back-off (Brants et al. 2007): the share of what follows two words, else four tenths of the
share of what follows one, and so on. It needs no smoothing and is counted in one pass.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from wikibias.research.neutralising.evidence import BEGIN, END

_LONGEST = 3
_BACK_OFF = 0.4
_UNSEEN = 0.5  # times that a word which was never seen counts as seen
_GRAM = "\x1f"


class NgramModel:
    """Counts of words in a row, which can be asked as if the sentences of a fold were not there."""

    def __init__(self) -> None:
        self._all: Counter[str] = Counter()
        self._folds: dict[int, Counter[str]] = {}

    def add(self, keys: Sequence[str], fold: int | None = None) -> None:
        """Count the words of a sentence."""
        tables = [self._all]
        if fold is not None:
            tables.append(self._folds.setdefault(fold, Counter()))
        edged = _edged(keys)
        for size in range(1, _LONGEST + 1):
            grams = [_GRAM.join(edged[at : at + size]) for at in range(len(edged) - size + 1)]
            for table in tables:
                table.update(grams)
                table[""] += len(grams) if size == 1 else 0

    def gain(
        self,
        keys: Sequence[str],
        place: int,
        replacement: Sequence[str],
        without: int | None = None,
    ) -> float:
        """Return how much more usual a sentence is with a word replaced, as a logarithm.

        Only what stands near is compared, and what a word more or less costs is made up for: each
        word counts beside its own frequency.
        """
        near = _LONGEST - 1
        edged, at = _edged(keys), place + near
        old = edged[at - near : at + near + 1]
        new = [*edged[at - near : at], *replacement, *edged[at + 1 : at + near + 1]]
        return self._association(new, without) - self._association(old, without)

    def _association(self, edged: Sequence[str], without: int | None) -> float:
        near = _LONGEST - 1
        return sum(
            self._score(edged[at - near : at + 1], without)
            - self._score(edged[at : at + 1], without)
            for at in range(near, len(edged))
        )

    def _score(self, gram: Sequence[str], without: int | None) -> float:
        """Return the logarithm of how likely the last word is behind those before it."""
        penalty = 0.0
        for first in range(len(gram)):
            seen = self._seen(gram[first:], without)
            if seen > 0 or first == len(gram) - 1:
                before = self._seen(gram[first:-1], without)
                return penalty + math.log(max(seen, _UNSEEN) / max(before, 1))
            penalty += math.log(_BACK_OFF)
        return penalty

    def _seen(self, gram: Sequence[str], without: int | None) -> int:
        key = _GRAM.join(gram)
        fold = self._folds.get(without) if without is not None else None
        return self._all[key] - (fold[key] if fold is not None else 0)

    def rows(self) -> Iterator[tuple[str, int]]:
        """Yield words in a row and how often they were seen."""
        yield from sorted(self._all.items())

    @classmethod
    def of(cls, rows: Iterable[tuple[str, int]]) -> NgramModel:
        """Return the model whose rows these are."""
        found = cls()
        found._all.update(dict(rows))
        return found


def _edged(keys: Sequence[str]) -> list[str]:
    edge = _LONGEST - 1
    return [*[BEGIN] * edge, *keys, *[END] * edge]
