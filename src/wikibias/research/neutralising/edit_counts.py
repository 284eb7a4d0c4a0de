"""Counts that a rewriter learns from: how often editors changed words of each kind, and n-grams.

A word is looked at in several views: itself, its ending, the words beside it, runs of its letters.
For each, the evidence is the log of how much more often than all words such ones were changed,
smoothed so that what was seen once says little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from wikibias.edits.word_diff import gaps
from wikibias.research.neutralising.words import Word

BEGIN, END = "<s>", "</s>"
_PRIOR = 3.0  # words of the usual kind, which every count begins with
_GRAMS = (3, 4, 5)
_EDGE = 1e-9
_WHOLE = ("", "")
_EVIDENCE = ["view", "key", "changed", "seen"]
_NGRAMS = ["words", "seen"]
GRAMS = "letters"
"""The view of runs of letters, of which a word has several."""


class Change(NamedTuple):
    """What an editor did at one place of a sentence: words from a number on up to another."""

    start: int
    end: int
    replacement: tuple[str, ...]


def changes(source: Sequence[Word], target: Sequence[Word]) -> list[Change]:
    """Return what differs between two sentences, in order."""
    left, right = ([word.key for word in side] for side in (source, target))
    return [Change(*gap.source, tuple(right[slice(*gap.target)])) for gap in gaps(left, right)]


def shares(size: int, made: Iterable[Change]) -> list[float]:
    """Return for each word of a sentence how much of a change it is: of a change of two, a half."""
    found = [0.0] * size
    for change in made:
        for place in range(change.start, change.end):
            found[place] = 1 / (change.end - change.start)
    return found


def root(key: str) -> str:
    """Return the beginning of a word, which its forms have in common in many languages."""
    return key[: max(4, len(key) - 3)]


def views(words: Sequence[Word], place: int) -> dict[str, str]:
    """Return what a word is counted as, by view."""
    word = words[place].key
    before = words[place - 1].key if place else BEGIN
    behind = words[place + 1].key if place + 1 < len(words) else END
    return {
        "word": word,
        "root": root(word),
        "before": before,
        "behind": behind,
        "before_end": before[-2:],
        "behind_end": f"{behind[-2:]}{min(len(behind), 5)}",
        "around": f"{before} {behind}",
        "before_word": f"{before} {word}",
        "word_behind": f"{word} {behind}",
        "end2": word[-2:] if len(word) > 2 else "",
        "end3": word[-3:] if len(word) > 3 else "",
        "end4": word[-4:] if len(word) > 4 else "",
        "begin3": word[:3] if len(word) > 3 else "",
        "begin5": word[:5] if len(word) > 5 else "",
        "shape": f"{word[0].isalpha():d}{word[0].isdigit():d}{min(len(word), 12)}",
        "ends": f"{word[-3:]} {behind[-2:]}",
        "before_end2": f"{before} {word[-2:]}",
    }


def letters(key: str) -> list[str]:
    """Return the runs of letters of a word, with its edges."""
    edged = f"^{key[:40]}$"
    return [edged[at : at + size] for size in _GRAMS for at in range(len(edged) - size + 1)]


@dataclass(slots=True)
class Count:
    """How much of what was seen was changed."""

    changed: float = 0.0
    seen: float = 0.0


class Evidence:
    """Counts by view and key, which can be asked as if the sentences of a fold were not there.

    What all views have in common is counted under `_WHOLE`.
    """

    def __init__(self) -> None:
        self._tables: dict[int | None, dict[tuple[str, str], Count]] = {None: {}}

    def add(self, seen: Mapping[str, Iterable[str]], share: float, fold: int | None = None) -> None:
        """Count something by its keys in each view, and how much of it was changed."""
        keys = [_WHOLE, *((view, key) for view, of in seen.items() for key in of)]
        for where in {None, fold}:
            table = self._tables.setdefault(where, {})
            for key in keys:
                count = table.get(key)
                if count is None:
                    count = table[key] = Count()
                count.changed += share
                count.seen += 1

    def base(self, without: int | None = None) -> float:
        """Return how much of all was changed; never none nor all of it."""
        changed, seen = self._found(*_WHOLE, without)
        return min(max(changed / max(seen, 1.0), _EDGE), 1 - _EDGE)

    def seen(self, view: str, key: str, without: int | None = None) -> float:
        """Return how often something was seen."""
        return self._found(view, key, without)[1]

    def log_odds(self, view: str, key: str, without: int | None = None) -> float:
        """Return how much more than all what has this key was changed, as a logarithm."""
        return math.log(self.share(view, key, without) / self.base(without))

    def share(self, view: str, key: str, without: int | None = None) -> float:
        """Return how much of what has this key was changed, between 0 and 1 and never either."""
        changed, seen = self._found(view, key, without)
        return (changed + self.base(without) * _PRIOR) / (seen + _PRIOR)

    def _found(self, view: str, key: str, without: int | None) -> tuple[float, float]:
        count = self._tables[None].get((view, key))
        if count is None:
            return 0.0, 0.0
        fold = None if without is None else self._tables.get(without, {}).get((view, key))
        if fold is None:
            return count.changed, count.seen
        return count.changed - fold.changed, count.seen - fold.seen

    def save(self, path: Path) -> None:
        """Write the counts as Parquet."""
        rows = [(*key, of.changed, of.seen) for key, of in sorted(self._tables[None].items())]
        pd.DataFrame(rows, columns=_EVIDENCE).to_parquet(path, index=False)

    @classmethod
    def load(cls, path: Path) -> Evidence:
        """Read counts that `save` wrote."""
        found = cls()
        for view, key, changed, seen in pd.read_parquet(path)[_EVIDENCE].itertuples(index=False):
            found._tables[None][view, key] = Count(changed, seen)
        return found


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

    def save(self, path: Path) -> None:
        """Write the counts as Parquet."""
        rows = sorted(self._all.items())
        pd.DataFrame(rows, columns=_NGRAMS).to_parquet(path, index=False)

    def read(self, path: Path) -> None:
        """Add counts that `save` wrote."""
        rows = pd.read_parquet(path)
        self._all.update(dict(zip(rows["words"], rows["seen"].tolist(), strict=True)))


def _edged(keys: Sequence[str]) -> list[str]:
    edge = _LONGEST - 1
    return [*[BEGIN] * edge, *keys, *[END] * edge]
