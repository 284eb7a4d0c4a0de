"""Vectors of models of spaCy, as spaCy itself writes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.vocab import Vocab

from wikibias.errors import WikibiasError
from wikibias.research.selection_bias.similarity.packages import find
from wikibias.research.selection_bias.similarity.readers.spacy_vectors import _pairs, read_spacy
from wikibias.research.selection_bias.similarity.sought import sought

WORDS = ("river", "mill", "NOUN", "réfugiés")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Write the vectors of a model: two words share a row, one has none."""
    vocab = Vocab()
    data = np.array([[1, 2], [3, 4], [5, 6]], dtype="float32")
    vocab.vectors = pytest.importorskip("spacy.vectors").Vectors(strings=vocab.strings, data=data)
    for word, row in zip(WORDS, (0, 1, 2, 1), strict=True):
        vocab.vectors.add(vocab.strings.add(word), row=row)
    vocab.to_disk(tmp_path / "vocab")
    return tmp_path


def test_what_spacy_writes_is_read(model: Path) -> None:
    found = read_spacy(find(str(model)).path, sought([*WORDS, "absent"]))
    assert {word: row.tolist() for word, row in found.vectors.items()} == {
        "river": [1, 2],
        "mill": [3, 4],
        "NOUN": [5, 6],
        "réfugiés": [3, 4],
    }


@pytest.mark.parametrize(
    "content", [b"", b"\xdf\xff\xff\xff\xff\x01\x02", b"\x93\x01\x02", b"\x81\xa1x\x01"]
)
def test_a_damaged_file_of_rows(content: bytes, model: Path) -> None:
    (model / "vocab" / "key2row").write_bytes(content)
    with pytest.raises(WikibiasError, match="key2row: damaged; install the package again"):
        read_spacy(model / "vocab" / "vectors", sought(WORDS))


def test_rows_that_are_not_there(model: Path) -> None:
    np.save(model / "one.npy", np.ones((1, 2), np.float32))
    (model / "one.npy").rename(model / "vocab" / "vectors")
    with pytest.raises(WikibiasError, match="rows that vectors has not"):
        read_spacy(model / "vocab" / "vectors", sought(WORDS))


def test_without_rows(model: Path) -> None:
    (model / "vocab" / "key2row").unlink()
    with pytest.raises(WikibiasError, match="key2row: cannot be read"):
        read_spacy(model / "vocab" / "vectors", sought(WORDS))


@given(st.dictionaries(st.integers(0, 2**64 - 1), st.integers(-(2**31), 2**31 - 1), max_size=40))
@pytest.mark.hypothesis
def test_any_map_of_numbers_is_read(rows: dict[int, int]) -> None:
    srsly = pytest.importorskip("srsly")  # with which spaCy writes it
    assert dict(_pairs(srsly.msgpack_dumps(rows))) == rows
