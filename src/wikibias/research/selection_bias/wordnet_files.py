"""WordNet's nouns from a folder of its files, by NLTK's reader; alone knows the package nltk.

Nothing is downloaded, and of NLTK's own data nothing is read.
"""

import io
import re
import warnings
from pathlib import Path
from typing import Any

import nltk.data
from nltk.corpus.reader.wordnet import WordNetCorpusReader, WordNetError

from wikibias.errors import WikibiasError
from wikibias.kits.files import read_small

NOUN_FILES = ("index.noun", "data.noun", "noun.exc")
_LEXICOGRAPHER_FILES = 45  # of which `lexnames` would have the names; Debian leaves it out
_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)*) Copyright")
_HEAD = 4_096  # bytes; the licence, which names the version, is the beginning of each file
_FAULTS = (
    *(OSError, ValueError, LookupError, AttributeError, TypeError, AssertionError),
    *(StopIteration, RecursionError, WordNetError),
)


class Nouns:
    """The senses of nouns.

    Args:
        folder: which holds `NOUN_FILES`.

    Attributes:
        version: as the files say it; "" where they do not.

    Raises:
        WikibiasError: the files are damaged, or not WordNet's.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # NLTK reads only below folders that are named to it.
        if str(folder) not in nltk.data.path:
            nltk.data.path.append(str(folder))
        try:
            with (folder / "data.noun").open("rb") as file:
                found = _VERSION.search(file.read(_HEAD).decode("utf-8", "replace"))
            with warnings.catch_warnings():
                # It warns that there is no WordNet of other languages.
                warnings.simplefilter("ignore")
                self._reader = _Reader(folder)
        except _FAULTS as error:
            raise self._damaged(error) from error
        self.version = found[1] if found else ""

    def senses(self, word: str) -> list[Any]:
        """Return the senses of a noun, also of a plural, as NLTK's objects; none if unknown.

        Raises:
            WikibiasError: the files are damaged.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "error", UserWarning
                )  # a sense that is not where the index says
                return list(self._reader.synsets(word, "n"))
        except (*_FAULTS, UserWarning) as error:
            raise self._damaged(error) from error

    def above(self, sense: Any) -> list[Any]:
        """Return the senses that a sense is a kind or an instance of.

        Raises:
            WikibiasError: the files are damaged.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", UserWarning)
                return [*sense.hypernyms(), *sense.instance_hypernyms()]
        except (*_FAULTS, UserWarning) as error:
            raise self._damaged(error) from error

    def depths(self, sense: Any) -> tuple[int, int]:
        """Return how many steps a sense is below the top, by the shortest way and the longest.

        Raises:
            WikibiasError: the files are damaged: a sense is above itself.
        """
        try:
            return int(sense.min_depth()), int(sense.max_depth())
        except _FAULTS as error:
            raise self._damaged(error) from error

    def _damaged(self, error: BaseException) -> WikibiasError:
        cause = " ".join(str(error).split())[:120] or type(error).__name__
        return WikibiasError(
            f"{self._folder}: not WordNet's files, or damaged ({cause}); install them again"
        )


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
