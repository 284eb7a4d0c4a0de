"""Word vectors as text: word2vec, GloVe and fastText, with a first line of counts or without."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from wikibias.errors import WikibiasError
from wikibias.models.word_vectors import long_lines, numbers_of, vector_lines
from wikibias.selection_bias.similarity.sought import Found, Sought, Vector

_NONE = "no word vectors in it; give text or binary of word2vec's form, .npy, or fastText's .bin"


def read_text(file: BinaryIO, path: Path, sought: Sought) -> Found:
    """Read the vectors of what is sought; of two lines of one word the first counts.

    Raises:
        WikibiasError: a line has not the form of the first, or there is none.
    """
    kept: dict[str, Vector] = {}
    dimensions = 0
    for place, word, numbers in vector_lines(long_lines(file, path), path):
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
    return Found(kept, dimensions)
