"""Taggers that any other must beat: words often changed, words of a list, the longest word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.models.tagging.labels import OUTSIDE
from wikibias.models.tagging.registry import Lexicons
from wikibias.models.tagging.sentences import Tagged
from wikibias.storage.atomic import read_json, write_json

_COUNTS = "counts.json"
_NEUTRAL = 5.0
"""So many times each word is taken to have stood unchanged: one that was seen once tells little."""
_LONGEST = 30  # letters


class _Yardstick:
    """A tagger without parameters, which gives each word one probability."""

    name: str
    settings: ClassVar[Sequence[Mapping[str, Any]]] = [{}]

    def __init__(self, *, seed: int = 0, lexicons: Lexicons | None = None) -> None:
        self.seed = seed
        self.parameters: dict[str, Any] = {}
        self._lexicons = dict(lexicons or {})

    @classmethod
    def missing(cls) -> str | None:
        """Return None: nothing is needed."""
        return None

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn nothing."""
        return self

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return half of the probability of each word for a begin, and half for going on."""
        return [
            np.repeat(np.array([self._of(words, place) for place in range(len(words))]), 2).reshape(
                -1, 2
            )
            / 2
            for words in sentences
        ]

    def _of(self, words: Sequence[str], place: int) -> float:
        raise NotImplementedError

    def save(self, folder: Path) -> dict[str, Any]:
        """Return the lists of words."""
        return {"lexicons": {name: sorted(words) for name, words in self._lexicons.items()}}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Return the tagger with its lists of words."""
        lexicons = {name: frozenset(words) for name, words in described["lexicons"].items()}
        return cls(seed=described["seed"], lexicons=lexicons)


class Frequent(_Yardstick):
    """How often of all times editors changed a word of this form."""

    name = "frequent"

    def __init__(self, *, seed: int = 0, lexicons: Lexicons | None = None) -> None:
        super().__init__(seed=seed, lexicons=lexicons)
        self._counts: dict[str, list[int]] = {}

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Count words, and those that are in a span."""
        seen, changed = Counter[str](), Counter[str]()
        for sentence in train:
            for word, label in zip(sentence.words, sentence.labels, strict=True):
                seen[word.lower()] += 1
                changed[word.lower()] += label != OUTSIDE
        self._counts = {word: [changed[word], seen[word]] for word in seen if changed[word]}
        return self

    def _of(self, words: Sequence[str], place: int) -> float:
        changed, seen = self._counts.get(words[place].lower(), (0, 0))
        return changed / (seen + _NEUTRAL)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the counts."""
        write_json(folder / _COUNTS, dict(sorted(self._counts.items())))
        return super().save(folder)

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read the counts."""
        tagger = super().load(folder, described)
        tagger._counts = {
            str(word): [int(changed), int(seen)]
            for word, (changed, seen) in read_json(folder / _COUNTS).items()
        }
        return tagger


class InLexicon(_Yardstick):
    """Whether a word is in a list, and in how many; the first such word is the most likely one."""

    name = "lexicon"

    def __init__(self, *, seed: int = 0, lexicons: Lexicons | None = None) -> None:
        super().__init__(seed=seed, lexicons=lexicons)
        if not self._lexicons:
            raise UsageError("lexicon: name at least one list of words with --lexicon")

    def _of(self, words: Sequence[str], place: int) -> float:
        word = words[place].lower()
        return sum(word in listed for listed in self._lexicons.values()) / len(self._lexicons)


class Longest(_Yardstick):
    """The longest word in small letters, which stands for the longest adjective.

    We have no tagger of parts of speech. Names are left out where the text has capitals.
    """

    name = "longest"

    def _of(self, words: Sequence[str], place: int) -> float:
        word = words[place]
        if not word.isalpha() or (place and word != word.lower()):
            return 0.0
        return min(len(word), _LONGEST) / _LONGEST
