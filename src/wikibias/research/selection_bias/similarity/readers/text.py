"""Word vectors as text: word2vec, GloVe and fastText, with a first line of counts or without."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import BinaryIO

from wikibias.errors import WikibiasError
from wikibias.models.word_vectors import Counts, counts_of, long_lines, numbers_of, vector_lines
from wikibias.research.selection_bias.similarity.sought import Found, Sought, Vector

_NONE = "no word vectors in it; give text or binary of word2vec's form, .npy, or fastText's .bin"


def read_text(file: BinaryIO, path: Path, sought: Sought) -> Found:
    """Read the vectors of what is sought; of two lines of one word the first counts.

    A file that ends before the number of words that its first line says has a caution: it was cut
    off, or shortened on purpose.

    Raises:
        WikibiasError: a line has not the form of the first, or there is none.
    """
    kept: dict[str, Vector] = {}
    dimensions = count = 0
    lines = long_lines(file, path)
    first = next(lines, b"")
    for place, word, numbers in vector_lines(chain([first], lines), path):
        count += 1
        # The first line is looked at in any case: prose is no file of vectors.
        if dimensions and (word not in sought.names or word in kept):
            continue
        try:
            found = numbers_of(numbers, f"{path}:{place}: the vector of {word[:40]!r}")
        except WikibiasError as error:
            raise error if dimensions else WikibiasError(f"{path}: {_NONE}") from error
        dimensions = len(found)
        if word in sought.names:
            kept[word] = found
    if not dimensions:
        raise WikibiasError(f"{path}: {_NONE}")
    return Found(kept, dimensions, _caution(path, count, counts_of(first)))


def _caution(path: Path, count: int, said: Counts | None) -> str:
    if said is None or count >= said.words:
        return ""
    return (
        f"{path.name} ends after {count:,} of the {said.words:,} words that its first line says; "
        "if it was cut off, get it whole: a word behind the cut counts as one without a vector"
    )
