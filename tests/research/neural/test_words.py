"""Words as numbers, and the n-grams of their letters; needs no torch."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.errors import WikibiasError
from wikibias.research.neural.words import (
    LONGEST_SENTENCE,
    Vocabulary,
    character_ngrams,
    frequent,
    read_vectors,
    words,
)


def test_words_are_lower_case_and_marks_stand_alone() -> None:
    text = "The Mill, 「水車」!"
    assert words(text) == ["the", "mill", ",", "「", "水", "車", "」", "!"]


def test_a_long_text_is_read_from_its_beginning() -> None:
    assert len(words("mill " * 10_000)) == LONGEST_SENTENCE


def test_the_commonest_come_first() -> None:
    sentences = [["the", "mill"], ["the", "barn", "mill"], ["the", "tower"]]
    assert frequent(sentences, 2) == ["the", "mill"]


def test_an_unknown_word_is_told_by_its_letters() -> None:
    vocabulary = Vocabulary(["mill"], ["the", "mill"], 1000)
    found = vocabulary.numbered([["the", "mill"], [], ["mills", "the"]])
    assert found.known == [0, 1, 0, 0]
    assert found.learnt == [1, 2, 0, 0]
    assert found.places == [[0, 1], [2], [3, 0]]
    assert found.starts[0] == 0
    mill, mills = (set(character_ngrams(word, 1000)) for word in ("mill", "mills"))
    assert mill & mills


def test_the_same_ngrams_on_each_machine() -> None:
    assert character_ngrams("of", 1000) == [155, 205, 434]


@pytest.mark.parametrize("word", ["", "x", "\ud800", "y" * 100_000])
def test_any_word_has_some(word: str) -> None:
    found = character_ngrams(word, 7)
    assert 1 <= len(found) <= 150
    assert all(0 <= each < 7 for each in found)


def test_it_is_kept_as_json() -> None:
    vocabulary = Vocabulary(["mill"], ["the"], 5)
    assert Vocabulary(**json.loads(json.dumps(asdict(vocabulary)))) == vocabulary


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def read(
    path: Path, content: bytes, wanted: tuple[str, ...] = (), most: int = 9
) -> dict[str, object]:
    found = read_vectors(written(path / "v.vec", content), wanted, most)
    return {word: row.tolist() for word, row in zip(found.words, found.vectors, strict=True)}


@pytest.mark.parametrize(
    "content",
    [
        b"river 1 2\nmill 3 4\n",
        b"2 2\nriver 1 2\nmill 3 4\n",
        b"2 2\r\nriver 1 2 \r\nmill\t3\t4",
        b"2 2\nriver 1 2\n\nmill 3 4\n\n",
        b"river   1 2\nmill 3  4\n",
        b"River 1 2\nmill 3 4\nriver 5 6\n",
    ],
)
def test_each_form_gives_the_same(content: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, content) == {"river": [1, 2], "mill": [3, 4]}


def test_a_word_may_hold_spaces(tmp_path: Path) -> None:
    assert read(tmp_path, b"2 1\n. . . 7\nat name 8\n") == {". . .": [7], "at name": [8]}


def test_the_first_and_those_wanted_are_kept(tmp_path: Path) -> None:
    lines = b"".join(f"w{i} {i}\n".encode() for i in range(1000))
    assert read(tmp_path, lines, ("w998", "none"), 2) == {"w0": [0], "w1": [1], "w998": [998]}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no word vectors in it"),
        (b"2 3\n", "no word vectors in it"),
        (b"river\n", "v.vec:1: 0 numbers a word, of which there are 1 to 4,096; give a text file"),
        (b"2 0\n", "v.vec:1: 0 numbers a word"),
        (b"2 99999999999999999\n", "v.vec:1: 99,999,999,999,999,999 numbers a word"),
        (b"river 1 2\nmill 3\n", "v.vec:2: 1 numbers, not 2"),
        (b"river 1 x\n", "v.vec:1: the vector of 'river' is not of numbers alone"),
        (b"river 1 nan\n", "has a number that is none or beyond a million"),
        (b"river 1 1e300\n", "has a number that is none or beyond a million"),
        (b"river " + b"1 " * 5000, "v.vec:1: 5,000 numbers a word"),
        (b"r" * 200_000, "v.vec:1: longer than 100,000 bytes"),
        (b"\x80\x02cnumpy\x00" * 3, "give a text file"),
    ],
)
def test_another_file_is_refused_in_one_line(content: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(WikibiasError) as error:
        read(tmp_path, content)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="cannot be read"):
        read_vectors(tmp_path / "none", (), 9)


def test_a_line_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(WikibiasError, match="longer than 100,000 bytes"):
        read_vectors(Path("/dev/zero"), (), 9)


NUMBERS = st.floats(-1e5, 1e5, width=32)
WORD = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    words=st.lists(WORD, min_size=1, max_size=8, unique_by=str.lower),
    width=st.integers(1, 5),
    header=st.booleans(),
    data=st.data(),
)
@pytest.mark.hypothesis
def test_what_is_written_is_read_again(
    words: list[str],
    width: int,
    header: bool,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = [data.draw(st.lists(NUMBERS, min_size=width, max_size=width)) for _ in words]
    lines = [f"{len(words)} {width}"] if header or width == 1 else []
    lines += [f"{word} {' '.join(map(repr, row))}" for word, row in zip(words, rows, strict=True)]
    path = written(tmp_path_factory.mktemp("v") / "v", "\n".join(lines).encode())
    found = read_vectors(path, (), 9)
    assert found.words == [word.lower() for word in words]
    assert np.array_equal(found.vectors, np.array(rows, dtype=np.float32))


@settings(max_examples=200, deadline=None)
@given(content=st.binary(max_size=200))
@pytest.mark.hypothesis
def test_any_bytes_give_vectors_or_one_line(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(tmp_path_factory.mktemp("v") / "v", content)
    try:
        found = read_vectors(path, (), 9)
    except WikibiasError as error:
        assert "\n" not in str(error).replace(str(path), "")  # noqa: PT017
    else:
        assert len(found.words) == len(found.vectors)
        assert np.isfinite(found.vectors).all()
