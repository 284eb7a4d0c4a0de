"""A yardstick: delete the word of each sentence that a trained tagger finds most likely biased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from wikibias.errors import UsageError
from wikibias.research.neutralising.repair import edited
from wikibias.research.neutralising.rewriters import Lexicons, Pair
from wikibias.research.neutralising.words import Word, words
from wikibias.research.spans import registry as taggers


class DeleteTagged:
    """Deletes the best word of a tagger of `wikibias spans train`; its folder holds the tagger."""

    name = "delete-tagged"

    def __init__(
        self,
        *,
        seed: int = 0,
        lang: str | None = None,
        lexicons: Lexicons | None = None,
        tagger: str | None = None,
    ) -> None:
        """Make one of a tagger's folder."""
        self.seed, self.lang, self.parameters = seed, lang, dict[str, Any]()
        self._folder = None if tagger is None else Path(tagger)
        self._tagger: taggers.Tagger | None = None
        self._described: dict[str, Any] = {}

    @classmethod
    def missing(cls) -> str | None:
        """Return that nothing is missing."""
        return None

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Read the tagger.

        Raises:
            UsageError: none was given.
            WikibiasError: it cannot be read.
        """
        if self._folder is None:
            raise UsageError("delete-tagged needs a tagger of `wikibias spans train`: --tagger DIR")
        self._tagger, self._described = taggers.load(self._folder)
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text without its most likely biased word."""
        if self._tagger is None:
            return list(texts)
        found = [words(text) for text in texts]
        some = [at for at, each in enumerate(found) if any(word.key[0].isalnum() for word in each)]
        likely = self._tagger.probabilities([_shown(texts[at], found[at]) for at in some])
        made = list(texts)
        for at, probabilities in zip(some, likely, strict=True):
            scores = np.asarray(probabilities).sum(axis=1)
            scores[[not word.key[0].isalnum() for word in found[at]]] = -1.0
            top = found[at][int(np.argmax(scores))]
            made[at] = edited(texts[at], top.start, top.end, "", self.lang)
        return made

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the tagger beside the description."""
        if self._tagger is not None:
            facts = {key: each for key, each in self._described.items() if key not in _OWN}
            taggers.save(self._tagger, folder, facts)
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote."""
        model = cls(seed=int(described["seed"]), lang=described["lang"], tagger=str(folder))
        return model.fit(())


_OWN = ("format", "tagger", "seed", "parameters", "files")


def _shown(text: str, found: Sequence[Word]) -> list[str]:
    """Return words as a reader sees them: word pieces joined."""
    return [text[word.start : word.end].replace(" ##", "").replace("##", "") for word in found]
