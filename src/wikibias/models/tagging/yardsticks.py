"""Taggers that any other must beat: words often changed, words of a list, the longest word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.models.lexicons import Lexicon
from wikibias.models.tagging.labels import OUTSIDE
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

    def __init__(self, *, seed: int = 0, lexicons: Sequence[Lexicon] = ()) -> None:
        self.seed = seed
        self.parameters: dict[str, Any] = {}
        self._lexicons = tuple(lexicons)

    @classmethod
    def missing(cls) -> str | None:
        """Return None: nothing is needed."""
        return None

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn nothing."""
        return self

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return half of the probability of each word for a begin, and half for going on."""
        return [np.repeat(self._of(words)[:, None] / 2, 2, axis=1) for words in sentences]

    def _of(self, words: Sequence[str]) -> NDArray[np.float64]:
        raise NotImplementedError

    def save(self, folder: Path) -> dict[str, Any]:
        """Return the lists of words."""
        return {"lexicons": {each.name: list(each) for each in self._lexicons}}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Return the tagger with its lists of words."""
        lexicons = [Lexicon.of(name, words) for name, words in described["lexicons"].items()]
        return cls(seed=described["seed"], lexicons=lexicons)


class Frequent(_Yardstick):
    """How often of all times editors changed a word of this form."""

    name = "frequent"

    def __init__(self, *, seed: int = 0, lexicons: Sequence[Lexicon] = ()) -> None:
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

    def _of(self, words: Sequence[str]) -> NDArray[np.float64]:
        counts = (self._counts.get(word.lower(), (0, 0)) for word in words)
        return np.array([changed / (seen + _NEUTRAL) for changed, seen in counts], dtype=float)

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

    def __init__(self, *, seed: int = 0, lexicons: Sequence[Lexicon] = ()) -> None:
        super().__init__(seed=seed, lexicons=lexicons)
        if not self._lexicons:
            raise UsageError("lexicon: name at least one list of words with --lexicon")

    def _of(self, words: Sequence[str]) -> NDArray[np.float64]:
        marks = np.array([lexicon.marks(words) for lexicon in self._lexicons], dtype=float)
        return np.asarray(marks.mean(axis=0))


class Longest(_Yardstick):
    """The longest word in small letters, which stands for the longest adjective.

    We have no tagger of parts of speech. Names are left out where the text has capitals.
    """

    name = "longest"

    def _of(self, words: Sequence[str]) -> NDArray[np.float64]:
        return (
            np.array(
                [
                    0.0 if not word.isalpha() or (place and word != word.lower()) else len(word)
                    for place, word in enumerate(words)
                ]
            ).clip(max=_LONGEST)
            / _LONGEST
        )
