"""Vectors as text: what is kept, and what is refused."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import WikibiasError
from wikibias.research.selection_bias.similarity.readers.text import read_text
from wikibias.research.selection_bias.similarity.sought import Found, sought

PATH = Path("v.txt")


def read(content: bytes, *words: str) -> Found:
    return read_text(BytesIO(content), PATH, sought(words))


@pytest.mark.parametrize(
    "content",
    [
        b"river 1 2\nMill 3 4\nmill 5 6\n",
        b"3 2\nriver 1 2\nMill 3 4\nmill 5 6\n",
        b"\xef\xbb\xbf3 2\r\nriver 1 2 \r\nMill\t3\t4\r\nmill 5 6",
        b"river 1 2\nMill 3 4\nriver 7 8\nmill 5 6\n",
    ],
)
def test_each_form_gives_the_same(content: bytes) -> None:
    found = read(content, "river", "Mill", "absent")
    assert {word: row.tolist() for word, row in found.vectors.items()} == {
        "river": [1, 2],
        "Mill": [3, 4],
        "mill": [5, 6],
    }
    assert found.dimensions == 2


@pytest.mark.parametrize("first", [b"", b"2 2\n", b"1 2\n"])
def test_a_whole_file_needs_no_caution(first: bytes) -> None:
    assert not read(first + b"river 1 2\nmill 3 4\n\n", "river").caution


def test_a_file_that_was_cut_off_between_two_lines_has_a_caution() -> None:
    found = read(b"2000000 2\nriver 1 2\nmill 3 4\n\n", "river", "bridge")
    assert set(found.vectors) == {"river"}
    assert found.caution.startswith("v.txt ends after 2 of the 2,000,000 words that its first line")


def test_only_what_is_sought_is_kept_and_looked_at() -> None:
    assert read(b"river 1 2\nmill x y\n", "absent").vectors == {}
    with pytest.raises(WikibiasError, match=r"v\.txt:2: the vector of 'mill' is not of numbers"):
        read(b"river 1 2\nmill x y\n", "mill")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no word vectors in it"),
        (b"9 2\n", "no word vectors in it"),
        (b"This is prose.\n", "v.txt: no word vectors in it; give text"),
        (b"r" * 200_000, "v.txt:1: longer than 100,000 bytes"),
        (b"river 1 2\nmill 3\n", "v.txt:2: 1 numbers, not 2"),
        (
            b"mill 1 2\nriver 1 2\x0b3\n",
            "v.txt:2: the vector of 'river' is not of numbers with one",
        ),
        (b"9 999999999999\n", "numbers a word; at most 4,096"),
    ],
)
def test_another_file_is_refused_in_one_line(content: bytes, why: str) -> None:
    with pytest.raises(WikibiasError) as error:
        read(content, "river")
    assert why in str(error.value)


WORD = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8)


@given(
    rows=st.dictionaries(
        WORD, st.lists(st.floats(allow_nan=False), min_size=3, max_size=3), min_size=1
    ),
    header=st.booleans(),
)
@pytest.mark.hypothesis
def test_what_is_written_is_read_again(rows: dict[str, list[float]], header: bool) -> None:
    lines = [f"{len(rows)} 3"] if header else []
    lines += [f"{word} {' '.join(map(repr, row))}" for word, row in rows.items()]
    found = read("\n".join(lines).encode(), *rows)
    assert {word: row.tolist() for word, row in found.vectors.items() if word in rows} == rows


@given(st.binary(max_size=200))
@pytest.mark.hypothesis
def test_any_bytes_give_vectors_or_one_line(content: bytes) -> None:
    try:
        found = read(content, "a", "0")
    except WikibiasError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert all(row.dtype == np.float64 for row in found.vectors.values())
