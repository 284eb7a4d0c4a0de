"""Word vectors as text: word2vec, GloVe and fastText, with a first line of counts or without."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from wikibias.errors import WikibiasError
from wikibias.models.word_vectors import long_lines, numbers_of, vector_lines
from wikibias.selection_bias.similarity.sought import Found, Sought, Vector


def read_text(file: BinaryIO, path: Path, sought: Sought) -> Found:
    """Read the vectors of what is sought; of two lines of one word the first counts.

    Raises:
        WikibiasError: a line has not the form of the first, or there is none.
    """
    kept: dict[str, Vector] = {}
    dimensions = 0
    for place, word, numbers in vector_lines(long_lines(file, path), path):
        # The first line is looked at in any case: prose is no file of vectors.
        if not dimensions or (word in sought.names and word not in kept):
            found = numbers_of(numbers, f"{path}:{place}: the vector of {word[:40]!r}")
            dimensions = len(found)
            if word in sought.names:
                kept[word] = found
    if not dimensions:
        raise WikibiasError(f"{path}: no word vectors in it; give a text file of word2vec's form")
    return Found(kept, dimensions)
