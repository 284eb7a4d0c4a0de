"""Where in a sentence an editor would change something: a probability for each word."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wikibias.research.neutralising.evidence import GRAMS, Evidence, letters, root, views
from wikibias.research.neutralising.ngram_model import NgramModel
from wikibias.research.neutralising.ranker import Floats
from wikibias.research.neutralising.rewriters import Lexicons
from wikibias.research.neutralising.words import Word

_LONG = 8  # letters


def count_words(
    evidence: Evidence, words: Sequence[Word], shares: Sequence[float], fold: int | None
) -> None:
    """Count the words of a sentence and which of them were changed."""
    for place, share in enumerate(shares):
        seen = {view: (key,) for view, key in views(words, place).items()}
        evidence.add({**seen, GRAMS: letters(words[place].key)}, share, fold)


class Places:
    """Makes the features of words from evidence, a language model and lexicons."""

    def __init__(self, evidence: Evidence, ngrams: NgramModel, lexicons: Lexicons) -> None:
        self._evidence, self._ngrams = evidence, ngrams
        self._lists = [frozenset(lexicons[name]) for name in sorted(lexicons)]
        self._roots = [frozenset(map(root, each)) for each in self._lists]
        self._any = frozenset().union(*self._lists)

    def features(self, words: Sequence[Word], without: int | None = None) -> Floats:
        """Return the features of each word (words, features), as if a fold had not been counted."""
        keys = [word.key for word in words]
        return np.array(
            [
                [
                    *self._learnt(words, place, without),
                    self._ngrams.gain(keys, place, (), without),
                    *self._listed(keys, place),
                ]
                for place in range(len(words))
            ]
        )

    def _learnt(self, words: Sequence[Word], place: int, without: int | None) -> list[float]:
        evidence, key = self._evidence, words[place].key
        odds = [evidence.log_odds(*view, without) for view in views(words, place).items()]
        runs = [evidence.log_odds(GRAMS, run, without) for run in letters(key)] or [0.0]
        seen = evidence.seen("word", key, without)
        return [
            *odds,
            sum(runs) / len(runs),
            max(runs),
            min(runs),
            math.log(1 + seen),
            float(seen == 0),
            float(seen < 3),
            float(key[0].isalpha()),
            float(len(key) > _LONG),
            float(place == 0),
            float(place == len(words) - 1),
            place / len(words),
        ]

    def _listed(self, keys: Sequence[str], place: int) -> list[float]:
        if not self._lists:
            return []
        key, stem = keys[place], root(keys[place])
        found: list[float] = []
        for words, roots in zip(self._lists, self._roots, strict=True):
            found += (float(key in words), float(key not in words and stem in roots))
        before = place > 0 and keys[place - 1] in self._any
        behind = place + 1 < len(keys) and keys[place + 1] in self._any
        return [*found, float(before), float(behind)]
