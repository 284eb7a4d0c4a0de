"""Arrays of vectors beside their words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vector_files import as_array
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.selection_bias.similarity.readers.array import mapped, read_array
from wikibias.research.selection_bias.similarity.sought import sought

VECTORS = {"river": [1.0, 2.0], "gun control": [3.0, 4.0], "mill": [5.0, 6.0]}


def read(path: Path, *words: str) -> dict[str, list[float]]:
    return {word: row.tolist() for word, row in read_array(path, sought(words)).vectors.items()}


def test_words_one_a_line(tmp_path: Path) -> None:
    path = as_array(tmp_path / "v.npy", VECTORS)
    assert read(path, "mill", "gun control") == {"mill": [5, 6], "gun control": [3, 4]}
    assert read_array(path, sought(["none"])).dimensions == 2


def test_what_follows_a_tab_and_a_word_that_comes_again_do_not_count(tmp_path: Path) -> None:
    path = as_array(tmp_path / "v.npy", VECTORS)
    path.with_suffix(".txt").write_bytes(b"river\t99\r\nmill\t7\r\nmill\t1")
    assert read(path, "mill", "river") == {"river": [1, 2], "mill": [3, 4]}


@pytest.mark.parametrize("column", ["index", "anything"])
def test_the_words_of_a_table(column: str, tmp_path: Path) -> None:
    path = as_array(tmp_path / "v_emb.npy", VECTORS)
    path.with_suffix(".txt").unlink()
    pq.write_table(pa.table({column: list(VECTORS), "n": [1, 2, 3]}), tmp_path / "v_index.parquet")
    assert read(path, "mill") == {"mill": [5, 6]}


def test_the_array_stays_on_the_disk(tmp_path: Path) -> None:
    assert isinstance(mapped(as_array(tmp_path / "v.npy", VECTORS)), np.memmap)


def test_without_words_it_says_where_to_put_them(tmp_path: Path) -> None:
    path = as_array(tmp_path / "v.npy", VECTORS)
    path.with_suffix(".txt").rename(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("river\n", "utf-8")
    (tmp_path / "v.txt").mkdir()
    with pytest.raises(UsageError, match=r"one a line, into v\.txt beside it"):
        read(path, "mill")


@pytest.mark.parametrize(("words", "which"), [("a\n", "fewer"), ("a\n" * 4, "more"), ("", "fewer")])
def test_words_of_another_array(words: str, which: str, tmp_path: Path) -> None:
    path = as_array(tmp_path / "v.npy", VECTORS)
    path.with_suffix(".txt").write_text(words, "utf-8")
    with pytest.raises(WikibiasError, match=rf"v\.txt: {which} words than the 3 vectors of v\.npy"):
        read(path, "mill")


def test_words_without_end(tmp_path: Path) -> None:
    path = as_array(tmp_path / "v.npy", VECTORS)
    path.with_suffix(".txt").write_bytes(b"r" * 200_000)
    with pytest.raises(WikibiasError, match="longer than 100,000 bytes"):
        read(path, "mill")


@pytest.mark.parametrize(
    ("array", "why"),
    [
        (np.zeros(3), "3 of float64, not vectors"),
        (np.zeros((3, 2, 1)), "3 by 2 by 1 of float64, not vectors"),
        (np.array([["river"]]), "1 by 1 of <U5, not vectors"),
        (np.array([[{}]]), "not an array that can be read"),
        (np.zeros((2, 5000)), "2 by 5000 of float64, not vectors"),
    ],
)
def test_an_array_of_something_else(array: np.ndarray, why: str, tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", array)
    with pytest.raises(WikibiasError) as error:
        mapped(tmp_path / "v.npy")
    assert why in str(error.value)


def test_an_array_that_promises_more_than_it_has(tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    header = {"descr": "<f4", "fortran_order": False, "shape": (10**12, 300)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.write(bytes(64))
    with pytest.raises(WikibiasError, match="not an array that can be read"):
        mapped(path)


@pytest.mark.parametrize(
    "head",
    [
        "{'shape': (",
        "(" * 9_000,
        "-" * 9_000,
        "'''",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
    ],
)
def test_an_array_with_a_head_of_anything(head: str, tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
    with pytest.raises(WikibiasError, match="not an array that can be read"):
        mapped(path)
