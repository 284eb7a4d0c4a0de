"""word2vec's binary form: what is kept, and what is refused."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vector_files import binary
from wikibias.errors import WikibiasError
from wikibias.research.selection_bias.similarity.readers.binary import read_binary
from wikibias.research.selection_bias.similarity.sought import Found, sought

VECTORS = {"river": [1.0, 2.0], "réfugiés": [3.0, 4.0], "New_York": [5.0, 6.0]}


def read(content: bytes, *words: str) -> Found:
    return read_binary(BytesIO(content), Path("v.bin"), sought(words))


@pytest.mark.parametrize("behind", [b"", b"\n"])
def test_with_and_without_ends_of_lines(behind: bytes) -> None:
    found = read(binary(VECTORS, behind), "réfugiés", "New York", "absent")
    assert {word: row.tolist() for word, row in found.vectors.items()} == {
        "réfugiés": [3, 4],
        "New_York": [5, 6],
    }
    assert found.dimensions == 2


def test_a_file_of_many_words_is_read_in_parts() -> None:
    many = {f"w{number}": [float(number)] * 50 for number in range(20_000)}
    found = read(binary(many), "w0", "w19999")
    assert found.vectors["w19999"].tolist() == [19_999.0] * 50
    assert len(found.vectors) == 2


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"1000000000000 2\n" + b"river " + bytes(8), "ends after 1 of 1,000,000,000,000 words"),
        (b"2 2\nriver " + bytes(4), "ends after 0 of 2 words; get the whole file again"),
        (b"2 2\n" + b"r" * 20_000, "no word where one should be"),
        (b"2 999999999999\n", "2 words of 999,999,999,999 numbers; at most 4,096"),
        (b"0 2\n", "0 words of 2 numbers"),
        (b"river\n", "does not begin with how many words"),
        (b"r" * 20_000, "does not begin with how many words"),
    ],
)
def test_another_file_is_refused_in_one_line(content: bytes, why: str) -> None:
    with pytest.raises(WikibiasError) as error:
        read(content, "river")
    assert why in str(error.value)


def test_a_file_without_end_is_not_held() -> None:
    zeros: BinaryIO
    with Path("/dev/zero").open("rb") as zeros, pytest.raises(WikibiasError):
        read_binary(zeros, Path("v.bin"), sought(["river"]))


WORD = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8)


@given(
    rows=st.dictionaries(
        WORD, st.lists(st.floats(width=32), min_size=3, max_size=3), min_size=1, max_size=20
    ),
    behind=st.sampled_from([b"", b"\n"]),
)
@pytest.mark.hypothesis
def test_what_is_written_is_read_again(rows: dict[str, list[float]], behind: bytes) -> None:
    found = read(binary(rows, behind), *rows)
    for word, row in rows.items():
        assert np.array_equal(found.vectors[word], row, equal_nan=True)


@given(st.binary(max_size=200), st.booleans())
@pytest.mark.hypothesis
def test_any_bytes_give_vectors_or_one_line(content: bytes, begun: bool) -> None:
    try:
        found = read(b"2 1\n" + content if begun else content, "a", "0")
    except WikibiasError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert all(len(row) == found.dimensions for row in found.vectors.values())
