"""Rewriters that any other must beat: leave it, delete one word by counts, delete by a list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from wikibias.errors import UsageError
from wikibias.research.neutralising.count_files import read_evidence, write_evidence
from wikibias.research.neutralising.evidence import Evidence, changes, shares
from wikibias.research.neutralising.repair import edited
from wikibias.research.neutralising.rewriters import Lexicons, Pair
from wikibias.research.neutralising.words import Word, words
from wikibias.storage.atomic import read_json, write_json

_COUNTS, _LISTS = "counts.parquet", "lexicons.json"


class _Baseline:
    """What baselines have in common: they need nothing that is not installed."""

    def __init__(
        self, *, seed: int = 0, lang: str | None = None, lexicons: Lexicons | None = None
    ) -> None:
        self.seed, self.lang, self.parameters = seed, lang, dict[str, Any]()
        self._lexicons = {name: frozenset(each) for name, each in (lexicons or {}).items()}

    @classmethod
    def missing(cls) -> str | None:
        """Return that nothing is missing."""
        return None

    def _without(self, text: str, found: Sequence[Word], places: Collection[int]) -> str:
        for place in sorted(places, reverse=True):
            text = edited(text, found[place].start, found[place].end, "", self.lang)
        return text


class Copy(_Baseline):
    """Leaves every sentence as it is."""

    name = "copy"

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn nothing."""
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return the texts."""
        return list(texts)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write nothing."""
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read nothing."""
        return cls(seed=int(described["seed"]), lang=described["lang"])


class DeleteTop(_Baseline):
    """Deletes the word of each sentence that editors changed most often when they saw it."""

    name = "delete-top"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._evidence = Evidence()

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Count words of the sources; of a change of two words each is a half."""
        for pair in pairs:
            found = words(pair.source)
            taken = shares(len(found), changes(found, words(pair.target)))
            for word, share in zip(found, taken, strict=True):
                self._evidence.add({"word": (word.key,)}, share)
        return self

    def top(self, found: Sequence[Word]) -> int | None:
        """Return the place of the word to delete; None in a text without words."""
        places = [at for at, word in enumerate(found) if word.key[0].isalnum()]
        return max(
            places, key=lambda at: self._evidence.log_odds("word", found[at].key), default=None
        )

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text without one word."""
        made = []
        for text in texts:
            found = words(text)
            top = self.top(found)
            made.append(text if top is None else self._without(text, found, [top]))
        return made

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the counts as Parquet."""
        write_evidence(self._evidence, folder / _COUNTS)
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote."""
        model = cls(seed=int(described["seed"]), lang=described["lang"])
        model._evidence = read_evidence(folder / _COUNTS)
        return model


class LexiconDelete(_Baseline):
    """Deletes every word of a list, or the first one of a sentence."""

    name = "lexicon-delete"

    def __init__(self, *, every: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.parameters = {"every": every}
        self._words = frozenset().union(*self._lexicons.values())

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn nothing.

        Raises:
            UsageError: there is no lexicon.
        """
        if not self._words:
            raise UsageError("lexicon-delete needs a list of words: --lexicon FILE")
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text without words of the list."""
        made = []
        for text in texts:
            found = words(text)
            places = [at for at, word in enumerate(found) if word.key in self._words]
            made.append(
                self._without(text, found, places if self.parameters["every"] else places[:1])
            )
        return made

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the list as JSON."""
        write_json(folder / _LISTS, {name: sorted(e) for name, e in sorted(self._lexicons.items())})
        return {"lexicons": sorted(self._lexicons)}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote."""
        lists = read_json(folder / _LISTS)
        lexicons = {name: frozenset(map(str, each)) for name, each in lists.items()}
        return cls(
            seed=int(described["seed"]),
            lang=described["lang"],
            lexicons=lexicons,
            **described["parameters"],
        )
