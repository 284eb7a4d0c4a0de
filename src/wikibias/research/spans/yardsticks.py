"""Taggers that any other must beat: words often changed, words of a list, the longest word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans.change_rates import ChangeRates
from wikibias.research.spans.sentences import Tagged

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
        return cls(seed=described["seed"], lexicons=lexicons, **described["parameters"])


class Frequent(_Yardstick):
    """How often of all times editors changed a word of this form, by `ChangeRates`."""

    name = "frequent"
    settings: ClassVar[Sequence[Mapping[str, Any]]] = [{"prior": prior} for prior in (1, 2, 5, 10)]

    def __init__(
        self, *, seed: int = 0, lexicons: Sequence[Lexicon] = (), prior: float = 5
    ) -> None:
        super().__init__(seed=seed, lexicons=lexicons)
        if not prior > 0:
            raise ValueError(f"the prior is a number over 0, not {prior}")
        self.parameters = {"prior": prior}
        self._counted = ChangeRates()

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Count words, and those that are in a span."""
        self._counted = ChangeRates.of(train)
        return self

    def _of(self, words: Sequence[str]) -> NDArray[np.float64]:
        return np.array(self._counted.rates(words, self.parameters["prior"]), dtype=float)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the counts."""
        self._counted.save(folder)
        return super().save(folder)

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read the counts."""
        tagger = super().load(folder, described)
        tagger._counted = ChangeRates.load(folder)
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
