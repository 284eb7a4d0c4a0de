"""Which form a file of vectors has is told by what it begins with."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vector_files import as_array, as_text, binary
from wikibias.errors import WikibiasError
from wikibias.research.selection_bias.similarity.sought import sought
from wikibias.research.selection_bias.similarity.vector_file import read_file

VECTORS = {"river": [3.5, -4.25], "mill": [1.0, 2.0]}
SOUGHT = sought(["river", "absent"])


def text(*, header: bool) -> bytes:
    first = b"2 2\n" if header else b""
    return first + b"river 3.5 -4.25\nmill 1 2\n"


@pytest.mark.parametrize("name", ["v.txt", "v.bin", "no-ending"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("content", [text(header=False), text(header=True), binary(VECTORS)])
def test_a_stream_of_either_form(content: bytes, packed: bool, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if packed else content)
    found = read_file(path, SOUGHT)
    assert {word: row.tolist() for word, row in found.vectors.items()} == {"river": [3.5, -4.25]}


def test_an_array(tmp_path: Path) -> None:
    found = read_file(as_array(tmp_path / "v.npy", VECTORS), SOUGHT)
    assert found.vectors["river"].tolist() == [3.5, -4.25]


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("glove.txt", text(header=False))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (archive(), "an archive; unpack it and give the file of vectors"),
        (
            gzip.compress(b"\xba\x16\x4f\x2f" + bytes(99), mtime=0),
            "compressed; unpack it with gunzip",
        ),
        (gzip.compress(text(header=True) * 99, mtime=0)[:-20], "ends too early or is damaged"),
        (b"\x1f\x8bnot packed at all", "cannot be read (unknown compression method)"),
        (b"\xba\x16\x4f\x2f\x0c", "a damaged model of fastText"),
        (b"2 2\nriver 1 x\n", "no word vectors in it; give text"),
        (b"2 2\nmill 1 2\nriver 1 x\n", ":3: the vector of 'river' is not of numbers alone"),
        (b"2 2\nriver \x00\x00", "ends after 0 of 2 words"),
        (b"", "no word vectors in it"),
        (b"\x80\x02cnumpy\x00" * 3, "give a text file of word2vec's form"),
    ],
)
def test_another_file_is_refused_in_one_line(content: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(WikibiasError) as error:
        read_file(tmp_path / "v", SOUGHT)
    assert str(error.value).startswith(str(tmp_path / "v"))
    assert why.lower() in str(error.value).lower()


def test_a_line_without_end_within_a_small_file(tmp_path: Path) -> None:
    (tmp_path / "v.gz").write_bytes(gzip.compress(bytes(9_000_000)))
    with pytest.raises(WikibiasError, match="longer than 100,000 bytes"):
        read_file(tmp_path / "v.gz", SOUGHT)


def test_a_file_of_many_words_takes_no_more_memory_than_what_is_sought(tmp_path: Path) -> None:
    many = {f"w{number}": [float(number), 1.0] for number in range(30_000)}
    path = as_text(tmp_path / "v.txt", many, header=True)
    assert set(read_file(path, sought(["w29999", "W7"])).vectors) == {"w29999", "w7"}


@given(
    content=st.binary(max_size=300),
    start=st.sampled_from([b"", b"2 2\n", b"\x93NUMPY", b"\x1f\x8b\x08"]),
)
@pytest.mark.hypothesis
def test_any_bytes_give_vectors_or_one_line(
    content: bytes, start: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("v") / "v"
    path.write_bytes(start + content)
    try:
        found = read_file(path, SOUGHT)
    except WikibiasError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert all(isinstance(row, np.ndarray) for row in found.vectors.values())
