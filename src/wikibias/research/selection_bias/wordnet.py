"""How alike nouns are in WordNet: Wu and Palmer (1994).

Twice the depth of the lowest sense that is above both, by the sum of their depths through it. The
paper measures with it in section 4.6, counts words that WordNet lacks as 0, and does not say which
sense of a word it took. Topic words and keywords have no context that would tell, so two words are
as alike as their two senses that are most alike: the maximum over all noun senses. The first
senses, the other usual choice, make .11 of "gun" and "violence"; over all senses it is .59.

NLTK does the same for one pair of senses; here a word is compared with many at once, to the same
figure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.kits.plugins import how_to_install
from wikibias.research.selection_bias.similarity import Matrix, Wanted

if TYPE_CHECKING:
    from wikibias.research.selection_bias.wordnet_files import Nouns

VARIABLE = "WNSEARCHDIR"
"""The environment variable that WordNet's own programs look at."""
FOLDERS = (
    "/usr/share/wordnet",
    "/usr/share/wordnet/dict",
    "/usr/local/WordNet-3.0/dict",
)
"""Where Debian puts WordNet, others do, and Princeton's own installer does."""
INSTALL = (
    "run `apt-get install --no-install-recommends wordnet-base` (Debian, Ubuntu), or unpack "
    "WordNet-3.0.tar.gz of wordnet.princeton.edu and give its folder dict with --wordnet"
)
_CELLS = 4_000_000  # of a table of what is above senses; so many are held at once
_NOT_ABOVE = -1


def wu_palmer(wanted: Wanted) -> WuPalmer:
    """Return the measure, from `wanted.wordnet`, else from where WordNet is installed.

    Raises:
        UsageError: NLTK is not installed, or there is no WordNet.
        WikibiasError: its files are damaged.
    """
    if find_spec("nltk") is None:
        raise UsageError(
            f"NLTK, which reads WordNet, is not installed; run: {how_to_install('wordnet')}"
        )
    from wikibias.research.selection_bias.wordnet_files import NOUN_FILES, Nouns

    for folder in _folders(wanted.wordnet):
        if all((folder / name).is_file() for name in NOUN_FILES):
            return WuPalmer(Nouns(folder.resolve()), folder.name)
    where = f"{wanted.wordnet}: no WordNet in it" if wanted.wordnet else "WordNet is not installed"
    raise UsageError(f"{where}; {INSTALL}")


class WuPalmer:
    """The similarity of nouns; a phrase is looked up as one, and all else has none.

    Args:
        nouns: of WordNet.
        folder: the name of its folder, for people.
    """

    def __init__(self, nouns: Nouns, folder: str) -> None:
        self._nouns, self._folder = nouns, folder
        self._of_word: dict[str, list[_Sense]] = {}
        self._above: dict[Any, dict[Any, int]] = {}

    @property
    def about(self) -> Mapping[str, Any]:
        """WordNet's version and folder, and which senses are compared."""
        version = f" {self._nouns.version}" if self._nouns.version else ""
        return {
            "name": "wordnet",
            "title": f"Wu-Palmer similarity in WordNet{version}",
            "version": self._nouns.version,
            "folder": self._folder,
            "senses": "of two nouns the two senses that are most alike",
        }

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it is a noun of WordNet."""
        return np.array([bool(self._senses(word)) for word in words], dtype=np.bool_)

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return how alike each word is to each keyword, above 0 to 1.

        Not a number where one of the two is no noun of WordNet.
        """
        found = np.full((len(words), len(keywords)), np.nan)
        for columns, block in self._blocks(keywords):
            for row, word in enumerate(words):
                best = np.full(block.size, np.nan)
                for sense in self._senses(word):
                    np.fmax(best, block.similarities(sense), out=best)
                found[row, columns] = np.fmax.reduceat(best, block.starts)
        return found

    def _blocks(self, keywords: Sequence[str]) -> Iterator[tuple[list[int], _Block]]:
        """Yield keywords that have senses, by their places, with a table of what is above them."""
        columns: list[int] = []
        senses: list[list[_Sense]] = []
        rows: set[Any] = set()
        size = 0
        for place, keyword in enumerate(keywords):
            of_word = self._senses(keyword)
            if not of_word:
                continue
            columns.append(place)
            senses.append(of_word)
            size += len(of_word)
            rows.update(each for sense in of_word for each in sense.steps)
            if size * len(rows) >= _CELLS:
                yield columns, _Block(senses)
                columns, senses, rows, size = [], [], set(), 0
        if columns:
            yield columns, _Block(senses)

    def _senses(self, word: str) -> list[_Sense]:
        if word not in self._of_word:
            lemma = "_".join(word.lower().split())
            self._of_word[word] = [self._sense(each) for each in self._nouns.senses(lemma)]
        return self._of_word[word]

    def _sense(self, sense: Any) -> _Sense:
        """Return what is above a sense, in the order in which it is to be the one above a pair."""
        up = self._steps(sense)
        steps = {top: min(up[each] + more for each, more in self._steps(top).items()) for top in up}
        depths = {top: self._nouns.depths(top) for top in up}
        # As NLTK has it: the one whose shortest way to the top is longest, a sense itself before
        # those above it, then by name.
        order = sorted(up, key=lambda top: (-depths[top][0], top is not sense, top.name()))
        return _Sense(steps, [(top, depths[top][1] + 1) for top in order])

    def _steps(self, sense: Any) -> dict[Any, int]:
        """Return all that is above a sense, itself too, with the fewest steps up to it."""
        if sense not in self._above:
            found = {sense: 0}
            row = [sense]
            while row:
                below, row = row, []
                for each in below:
                    for top in self._nouns.above(each):
                        if top not in found:
                            found[top] = found[each] + 1
                            row.append(top)
            self._above[sense] = found
        return self._above[sense]


@dataclass(frozen=True, slots=True)
class _Sense:
    """What is above a sense, itself too.

    Attributes:
        steps: how far each is.
        above: each with its depth, the top of all being at 1, the one to prefer first.
    """

    steps: Mapping[Any, int]
    above: Sequence[tuple[Any, int]]


class _Block:
    """The senses of some keywords, and how far each is below all that is above some of them."""

    def __init__(self, senses: Sequence[Sequence[_Sense]]) -> None:
        every = [sense for of_word in senses for sense in of_word]
        self.size = len(every)
        self.starts = np.cumsum([0, *(len(of_word) for of_word in senses[:-1])])
        self._row: dict[Any, int] = {}
        for sense in every:
            for top in sense.steps:
                self._row.setdefault(top, len(self._row))
        self._steps = np.full((len(self._row), self.size), _NOT_ABOVE, np.int32)
        for place, sense in enumerate(every):
            for top, steps in sense.steps.items():
                self._steps[self._row[top], place] = steps

    def similarities(self, sense: _Sense) -> NDArray[np.float64]:
        """Return how alike a sense is to each; not a number where nothing is above both."""
        found = np.full(self.size, np.nan)
        for top, depth in reversed(sense.above):
            if top in self._row:
                steps = self._steps[self._row[top]]
                here = steps != _NOT_ABOVE
                found[here] = 2.0 * depth / (2.0 * depth + sense.steps[top] + steps[here])
        return found


def _folders(given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield from (given, given / "dict")
        return
    if named := os.environ.get(VARIABLE):
        yield Path(named)
    yield from map(Path, FOLDERS)
