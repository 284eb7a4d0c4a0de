"""Word vectors from a file of any form; what it begins with tells which."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import BinaryIO

from wikibias.errors import UsageError, WikibiasError
from wikibias.models.word_vectors import LONGEST, counts_of
from wikibias.research.selection_bias.similarity.readers import fasttext_model, spacy_vectors
from wikibias.research.selection_bias.similarity.readers.array import read_array
from wikibias.research.selection_bias.similarity.readers.binary import read_binary
from wikibias.research.selection_bias.similarity.readers.text import read_text
from wikibias.research.selection_bias.similarity.sought import Found, Sought

_ARRAY, _GZIP, _ARCHIVE = b"\x93NUMPY", b"\x1f\x8b", b"PK\x03\x04"
_LOOK = 200  # bytes
_UNSEEN = frozenset(range(9)) | frozenset(range(14, 32)) | {127}


def read_file(path: Path, sought: Sought) -> Found:
    """Read the vectors of what is sought; no others are held in memory.

    Args:
        path: text of word2vec, GloVe or fastText, or word2vec's binary form, both also as .gz; an
            array (.npy) beside its words; a model of fastText (.bin); `vectors` of spaCy.
        sought: see `sought.sought`.

    Raises:
        UsageError: it is an archive, or an array without words.
        WikibiasError: it holds no word vectors, or is damaged.
    """
    try:
        with path.open("rb") as file:
            start = file.read(8)
            file.seek(0)
            if start.startswith(_ARRAY):
                beside = path.with_name(spacy_vectors.ROWS)
                return (spacy_vectors.read_spacy if beside.is_file() else read_array)(path, sought)
            if start.startswith(fasttext_model.MAGIC):
                return fasttext_model.read_model(path, sought)
            if start.startswith(_ARCHIVE):
                raise UsageError(f"{path}: an archive; unpack it and give the file of vectors")
            if start.startswith(_GZIP):
                with gzip.open(file) as unpacked:
                    return _of_stream(unpacked, path, sought)  # type: ignore[arg-type]
            return _of_stream(file, path, sought)
    except (EOFError, zlib.error) as error:
        raise WikibiasError(f"{path}: ends too early or is damaged; get it again") from error
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror or error})") from error


def _of_stream(file: BinaryIO, path: Path, sought: Sought) -> Found:
    if file.read(len(fasttext_model.MAGIC)) == fasttext_model.MAGIC:
        raise UsageError(f"{path}: a model of fastText, compressed; unpack it with gunzip")
    file.seek(0)
    binary = _is_binary(file)
    file.seek(0)
    return (read_binary if binary else read_text)(file, path, sought)


def _is_binary(file: BinaryIO) -> bool:
    """Return whether a file begins as word2vec's binary form: two numbers, then no text."""
    counts = counts_of(file.readline(_LOOK))
    if counts is None:
        return False
    second = file.readline(LONGEST)
    try:
        _ = [float(part) for part in second.split()[-counts.numbers :]]
    except ValueError:
        return not _UNSEEN.isdisjoint(second) or not _is_utf8(second)
    return False


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
