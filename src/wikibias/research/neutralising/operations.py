"""What to do with a word that is to be changed: delete it, or put something learnt in its place."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wikibias.research.neutralising.evidence import Evidence, views
from wikibias.research.neutralising.ngram_model import NgramModel
from wikibias.research.neutralising.ranker import Floats, Ranker, fit_ranker
from wikibias.research.neutralising.words import Word

LONGEST = 3
"""Words of a replacement that are learnt."""
# Beside replacements that were seen there are others, as if so many had been: a word replaced once
# is as likely to become something else.
_OTHERS = 2.0
_VIEWS = (
    "word root before behind before_end behind_end around end2 end3 end4 begin3 before_end2 ends "
    "word_behind before_word"
).split()


class Operations:
    """How likely a word is deleted if it is changed, and what it is replaced by."""

    def __init__(
        self,
        evidence: Evidence | None = None,
        ngrams: NgramModel | None = None,
        ranker: Ranker | None = None,
        replacements: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self._evidence, self._ngrams = evidence or Evidence(), ngrams or NgramModel()
        self._ranker = ranker
        self._replacements = {key: Counter(each) for key, each in (replacements or {}).items()}
        self._folds: dict[int, dict[str, Counter[str]]] = {}

    def fit(self, changed: Sequence[tuple[Sequence[Word], int, tuple[str, ...], int]]) -> None:
        """Learn from words that were changed: sentence, place, replacement (or none), and fold."""
        for words, place, replacement, fold in changed:
            seen = views(words, place)
            deleted = float(not replacement)
            self._evidence.add({view: (seen[view],) for view in _VIEWS}, deleted, fold)
            if 0 < len(replacement) <= LONGEST:
                for table in (self._replacements, self._folds.setdefault(fold, {})):
                    learnt = table.setdefault(words[place].key, Counter())
                    learnt[" ".join(replacement)] += 1
        groups = []
        for words, place, replacement, fold in changed:
            row = self._features(words, place, fold)
            right = np.array([1.0, 0.0] if not replacement else [0.0, 1.0])
            groups.append((np.vstack([row, np.zeros_like(row)]), right))
        if groups:
            self._ranker = fit_ranker(groups)

    def of(
        self, words: Sequence[Word], place: int, without: int | None = None
    ) -> Iterator[tuple[float, str]]:
        """Yield what may be done with a word, as probability and replacement ("" to delete it).

        With `without`, as if the sentences of a fold had not been learnt from.
        """
        deleted = self._deleted(words, place, without)
        yield deleted, ""
        key = words[place].key
        known = self._replacements.get(key, Counter())
        if without is not None:
            known = known - self._folds.get(without, {}).get(key, Counter())
        whole = sum(known.values()) + _OTHERS
        for replacement in sorted(known):
            yield (1 - deleted) * known[replacement] / whole, replacement

    def _deleted(self, words: Sequence[Word], place: int, without: int | None) -> float:
        if self._ranker is None:
            return 1.0
        row = self._features(words, place, without)
        return float(self._ranker.probabilities(np.vstack([row, np.zeros_like(row)]))[0])

    def _features(self, words: Sequence[Word], place: int, without: int | None) -> Floats:
        seen = views(words, place)
        odds = (self._evidence.share(view, seen[view], without) for view in _VIEWS)
        gain = self._ngrams.gain([word.key for word in words], place, (), without)
        return np.array([1.0, gain, *(math.log(share / (1 - share)) for share in odds)])

    def evidence(self) -> Evidence:
        """Return the counts by view."""
        return self._evidence

    def as_dict(self) -> dict[str, Any]:
        """Return the rest as JSON."""
        return {
            "deletion": None if self._ranker is None else self._ranker.as_dict(),
            "replacements": {
                key: dict(sorted(each.items())) for key, each in sorted(self._replacements.items())
            },
        }

    @classmethod
    def read(cls, evidence: Evidence, ngrams: NgramModel, values: Mapping[str, Any]) -> Operations:
        """Return what `evidence` and `as_dict` described."""
        ranker = None if values["deletion"] is None else Ranker.of(values["deletion"])
        return cls(evidence, ngrams, ranker, values["replacements"])
