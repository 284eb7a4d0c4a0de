"""How alike nouns are in WordNet, by Wu and Palmer (1994); alone knows the package nltk.

Twice the depth of the lowest sense that is above both, by the sum of their depths through it. The
paper measures with it in section 4.6, counts words that WordNet lacks as 0, and does not say which
sense of a word it took. Topic words and keywords have no context that would tell, so two words are
as alike as their two senses that are most alike: the maximum over all noun senses. The first
senses, the other usual choice, make .11 of "gun" and "violence"; over all senses it is .59.

NLTK does the same for one pair of senses; here a word is compared with many at once, to the same
figure. Nothing is downloaded, and of NLTK's own data nothing is read.
"""

import io
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nltk.data
import numpy as np
from nltk.corpus.reader.wordnet import WordNetCorpusReader, WordNetError
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import read_small
from wikibias.research.selection_bias.similarity import Matrix, Similarity

VARIABLE = "WNSEARCHDIR"
"""The environment variable that WordNet's own programs look at."""
FOLDERS = ("/usr/share/wordnet", "/usr/share/wordnet/dict", "/usr/local/WordNet-3.0/dict")
"""Where Debian puts WordNet, others do, and Princeton's own installer does."""
NOUN_FILES = ("index.noun", "data.noun", "noun.exc")
_LEXICOGRAPHER_FILES = 45  # of which `lexnames` would have the names; Debian leaves it out
_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)*) Copyright")
_HEAD = 4_096  # bytes; the licence, which names the version, is the beginning of each file
_FAULTS = (
    *(OSError, ValueError, LookupError, AttributeError, TypeError, AssertionError),
    *(StopIteration, RecursionError, WordNetError, UserWarning),
)


def wordnet_folder() -> Path:
    """Return the folder of WordNet's files: that of the environment, else where it is installed.

    Raises:
        UsageError: there is no WordNet.
    """
    for folder in filter(None, (os.environ.get(VARIABLE), *FOLDERS)):
        if all((Path(folder) / name).is_file() for name in NOUN_FILES):
            return Path(folder).resolve()
    raise UsageError(
        "WordNet is not installed; run `apt-get install --no-install-recommends wordnet-base` "
        "(Debian, Ubuntu), or unpack WordNet-3.0.tar.gz of wordnet.princeton.edu and name its "
        f"folder dict in the environment as {VARIABLE}"
    )


@dataclass(frozen=True, slots=True)
class _Sense:
    """What is above a sense, itself too.

    Attributes:
        steps: how far each is.
        above: each with its depth, the top of all being at 1, the one to prefer first.
    """

    steps: Mapping[Any, int]
    above: Sequence[tuple[Any, int]]


class WuPalmer(Similarity):
    """The similarity of nouns; a phrase is looked up as one, and all else has none.

    Args:
        folder: which holds `NOUN_FILES`.

    Raises:
        WikibiasError: the files are damaged, or not WordNet's; any method may find it out.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # NLTK reads only below folders that are named to it.
        if str(folder) not in nltk.data.path:
            nltk.data.path.append(str(folder))
        # It warns that there is no WordNet of other languages.
        with _damage_named(folder, "ignore"):
            with (folder / "data.noun").open("rb") as file:
                found = _VERSION.search(file.read(_HEAD).decode("utf-8", "replace"))
            self._reader = _Reader(folder)
        version = found[1] if found else ""
        self.about = {
            "name": "wordnet",
            "title": f"Wu-Palmer similarity in WordNet {version}".rstrip(),
            "version": version,
            "folder": folder.name,
            "senses": "of two nouns the two senses that are most alike",
        }
        self._of_word: dict[str, list[_Sense]] = {}
        self._above: dict[Any, dict[Any, int]] = {}

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it is a noun of WordNet."""
        return np.array([bool(self._senses(word)) for word in words], dtype=np.bool_)

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return how alike each word is to each keyword, above 0 to 1.

        Not a number where one of the two is no noun of WordNet.
        """
        found = np.full((len(words), len(keywords)), np.nan)
        senses = [(place, each) for place, k in enumerate(keywords) for each in self._senses(k)]
        columns = np.array([place for place, _ in senses], dtype=np.int64)
        below: dict[Any, list[tuple[int, int]]] = {}
        for number, (_, sense) in enumerate(senses):
            for top, steps in sense.steps.items():
                below.setdefault(top, []).append((number, steps))
        reached = {top: np.array(pairs).T for top, pairs in below.items()}
        for row, word in enumerate(words):
            for sense in self._senses(word):
                alike = np.full(len(senses), np.nan)
                for top, depth in reversed(sense.above):
                    if top in reached:
                        places, steps = reached[top]
                        alike[places] = 2.0 * depth / (2.0 * depth + sense.steps[top] + steps)
                np.fmax.at(found[row], columns, alike)
        return found

    def _senses(self, word: str) -> list[_Sense]:
        if word not in self._of_word:
            # A sense that is not where the index says is a warning.
            with _damage_named(self._folder, "error"):
                senses = self._reader.synsets("_".join(word.lower().split()), "n")
                self._of_word[word] = [self._sense(each) for each in senses]
        return self._of_word[word]

    def _sense(self, sense: Any) -> _Sense:
        """Return what is above a sense, in the order in which it is to be the one above a pair."""
        up = self._steps(sense)
        steps = {top: min(up[each] + more for each, more in self._steps(top).items()) for top in up}
        # As NLTK has it: the one whose shortest way to the top is longest, a sense itself before
        # those above it, then by name.
        order = sorted(up, key=lambda top: (-top.min_depth(), top is not sense, top.name()))
        return _Sense(steps, [(top, top.max_depth() + 1) for top in order])

    def _steps(self, sense: Any) -> dict[Any, int]:
        """Return all that is above a sense, itself too, with the fewest steps up to it."""
        if sense not in self._above:
            found, row = {sense: 0}, [sense]
            for each in row:  # which grows meanwhile, the nearest first
                # What a sense is a kind or an instance of.
                for top in (*each.hypernyms(), *each.instance_hypernyms()):
                    if top not in found:
                        found[top] = found[each] + 1
                        row.append(top)
            self._above[sense] = found
        return self._above[sense]


@contextmanager
def _damage_named(folder: Path, warned: Any) -> Iterator[None]:
    """Name the folder in what NLTK raises of its files; `warned` says what its warnings do."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(warned, UserWarning)
            yield
    except _FAULTS as error:
        cause = " ".join(str(error).split())[:120] or type(error).__name__
        raise WikibiasError(
            f"{folder}: not WordNet's files, or damaged ({cause}); install them again"
        ) from error


class _Reader(WordNetCorpusReader):  # type: ignore[misc]  # NLTK has no types
    """NLTK's reader, given the nouns alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        super().__init__(str(folder), None)

    def open(self, file: str) -> Any:
        """Return a file of the folder; of other parts of speech an empty one."""
        if file == "lexnames":
            return io.StringIO("".join(f"{n:02} {n:02} 1\n" for n in range(_LEXICOGRAPHER_FILES)))
        if file in NOUN_FILES:
            # Held in memory: NLTK would keep the file open for ever.
            content = io.BytesIO(read_small(self._folder / file))
            return io.TextIOWrapper(content, encoding="utf-8")
        return io.StringIO()

    def map_wn(self, version: str = "wordnet") -> None:
        """Do not compare it with the WordNet of NLTK's own data, which need not be there."""
