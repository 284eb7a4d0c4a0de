"""Word vectors as an array of numpy (.npy), beside a file with its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.parquet import foreign_columns, iter_rows
from wikibias.messages import counted
from wikibias.models.word_vectors import WIDEST, long_lines
from wikibias.research.selection_bias.similarity.sought import Found, Sought

_ENDINGS = (".parquet", ".txt", ".vocab")
# The head of an array is a text that is read as Python is.
_FAULTS = (
    *(OSError, ValueError, EOFError, TypeError, ArithmeticError),
    *(SyntaxError, TokenError, RecursionError, MemoryError),
)
_COLUMNS = ("word", "words", "token", "index")  # else the first one


def read_array(path: Path, sought: Sought) -> Found:
    """Read the rows of what is sought; the array stays on the disk.

    The words lie in the same folder, in the order of the rows: in the file of the same name that
    ends in .parquet, .txt or .vocab, or in the only one that ends so. In a text, a word is a line
    up to a tab.

    Raises:
        UsageError: there is no file of words.
        WikibiasError: the array is none of vectors, or has not as many rows as there are words.
    """
    array, words = mapped(path), _file_of_words(path)
    rows: dict[str, int] = {}
    count = 0
    # One more than there should be tells that there are too many, of which there may be no end.
    for count, word in enumerate(islice(_words(words), len(array) + 1), 1):
        if word in sought.names:
            rows.setdefault(word, count - 1)
    if count != len(array):
        which = "fewer" if count < len(array) else "more"
        vectors = f"{counted(len(array), 'vector')} of {path.name}"
        raise WikibiasError(f"{words}: {which} words than the {vectors}; give one a line for each")
    return taken(array, rows)


def mapped(path: Path) -> NDArray[Any]:
    """Return an array of vectors, a row each, that stays on the disk.

    Raises:
        WikibiasError: it is damaged, or none of vectors.
    """
    try:
        with np.errstate(over="raise"):
            found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except _FAULTS as error:
        why = " ".join(str(error).split())
        raise WikibiasError(f"{path}: not an array that can be read ({why:.200})") from error
    if found.ndim != 2 or found.dtype.kind not in "fiu" or not 0 < found.shape[1] <= WIDEST:
        shape = " by ".join(map(str, found.shape))
        raise WikibiasError(f"{path}: {shape} of {found.dtype}, not vectors: words by numbers")
    return found


def taken(array: NDArray[Any], rows: Mapping[str, int]) -> Found:
    """Return rows of an array by the names of the words that they are of."""
    kept = {word: np.array(array[row], dtype=np.float64) for word, row in rows.items()}
    return Found(kept, array.shape[1])


def _file_of_words(path: Path) -> Path:
    named = [path.with_suffix(ending) for ending in _ENDINGS]
    files = [each for each in path.parent.iterdir() if each.suffix in _ENDINGS and each.is_file()]
    for found in (*(each for each in named if each in files), *files[: len(files) == 1]):
        return found
    raise UsageError(
        f"{path}: which words are its rows of? Put them, one a line, into {named[1].name} beside it"
    )


def _words(path: Path) -> Iterable[str]:
    if path.suffix == ".parquet":
        names = foreign_columns(path)
        one = next((name for name in _COLUMNS if name in names), *names[:1])
        return (str(row[one]) for row in iter_rows(path, [one], []))
    return _lines(path)


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as file:
            for line in long_lines(file, path):
                yield line.rstrip(b"\r\n").partition(b"\t")[0].decode("utf-8", "replace")
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
