"""bz2 files: the bytes and the errors of Python's bz2, by the library and without it."""

import bz2
import io
import random
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import archives
from archives import flipped
from exports import export, files, history, packed, wikibias
from wikibias.dumps.compression import bzip2, bzip2_blocks

WORDS = b" ".join(archives.WORDS)
BLOCK = 100_000
BZ2 = bz2.compress(WORDS, 1)
MULTI = bz2.compress(WORDS[:150_000], 1) + bz2.compress(b"", 9) + bz2.compress(WORDS, 2)


def by_ours(content: bytes, threads: int = 1) -> tuple[bytes, type[Exception] | None]:
    """Return the content that `bzip2.decompressed` yields, and the type of its error."""
    got = b""
    with ExitStack() as stack:
        try:
            for block in bzip2.decompressed(io.BytesIO(content), threads, stack):
                got += block
        except (EOFError, OSError) as error:
            return got, type(error)
    return got, None


def by_the_library(content: bytes) -> tuple[bytes, type[Exception] | None]:
    """Return the content that Python's BZ2File reads, and the type of its error."""
    got, opened = list[bytes](), bz2.BZ2File(io.BytesIO(content))
    try:
        while read := opened.read1(1 << 10):
            got.append(read)
    except (EOFError, OSError) as error:
        return b"".join(got), type(error)
    return b"".join(got), None


def common_prefix(one: bytes, other: bytes) -> int:
    """Return the length of the common prefix."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(
    "content",
    [
        BZ2,
        MULTI,
        bz2.compress(b""),
        bz2.compress(b"a" * 9_000_000, 1),
        MULTI + b"\0" * 5_000_000,
        BZ2 + b"not a stream",
        BZ2 + b"BZh",
        BZ2[:3],
        b"BZh9",
        b"BZhello, this is no archive but begins like one",
    ],
    ids="one many empty one-letter zeros-after junk-after head-after 3 4 other".split(),
)
def test_content_and_errors_are_those_of_the_bz2_module(content: bytes, threads: int) -> None:
    assert by_ours(content, threads) == by_the_library(content)


@given(st.integers(4, len(BZ2) - 1))
def test_a_truncated_file_gives_all_blocks_before_the_end(at: int) -> None:
    expected = by_the_library(BZ2[:at])
    assert expected[1] is EOFError
    assert by_ours(BZ2[:at]) == by_ours(BZ2[:at], 3) == expected


@example(2208)
@given(st.integers(32, 8 * len(BZ2) - 9))
def test_a_flipped_bit_costs_the_damaged_block_and_gives_no_wrong_bytes(at: int) -> None:
    """A few bits mean nothing, such as the lengths of codes that a block does not use."""
    content = flipped(BZ2, at)
    got, error = by_ours(content)
    assert by_ours(content, 3) == (got, error)
    assert WORDS.startswith(got)
    other, how = by_the_library(content)
    if error is None:
        assert how is None
        assert got == other == WORDS
        return
    assert error is how is OSError or error is EOFError
    assert len(got) >= common_prefix(other, WORDS) - 2 * BLOCK


def test_a_damaged_header_of_a_later_stream_is_an_error() -> None:
    """Python's module ends there without an error."""
    content = bz2.compress(b"first") + flipped(bz2.compress(b"second"), 3)
    assert by_the_library(content) == (b"first", None)
    assert by_ours(content) == (b"first", OSError)


def test_a_missing_block_is_an_error() -> None:
    """All blocks are intact, but the checksum of the stream is wrong."""
    sections = list(bzip2._sections(io.BytesIO(BZ2)))
    first, second = sections[0], sections[1]
    number = int.from_bytes(BZ2)
    left = 8 * len(BZ2) - 32 - first.length - second.length
    head = number >> (8 * len(BZ2) - 32 - first.length)
    joined = head << left | number & ((1 << left) - 1)
    # Any bits may fill the last byte.
    size = 32 + first.length + left
    content = (joined << -size % 8).to_bytes((size + 7) // 8)
    got, error = by_ours(content)
    assert error is OSError
    assert got.startswith(WORDS[: BLOCK // 2])


@pytest.mark.parametrize("magic", [0x314159265359, 0x177245385090], ids=["block", "footer"])
def test_a_magic_number_inside_a_block(magic: int) -> None:
    """A block lists the byte values that occur in it; these spell the magic number."""
    values = bytes(
        16 * row + column
        for row in range(3)
        for column in range(16)
        if magic >> (47 - 16 * row - column) & 1
    )
    chance = random.Random(2)
    content = b"".join(bytes(chance.sample(values, len(values))) for _ in range(12_000))
    compressed = bz2.compress(content, 1)
    found = [section.magic for section in bzip2._sections(io.BytesIO(compressed))]
    assert found.count(magic) > len(content) // BLOCK
    for threads in (1, 3):
        assert by_ours(compressed, threads) == (content, None)


def test_a_very_large_block_is_returned_in_chunks() -> None:
    content = bz2.compress(bytes(20_000_000))
    with ExitStack() as stack:
        sizes = list(map(len, bzip2.decompressed(io.BytesIO(content), 2, stack)))
    assert sum(sizes) == 20_000_000
    assert max(sizes) <= 1 << 22


def test_a_file_without_magic_numbers_is_not_read_to_its_end() -> None:
    file = io.BytesIO(BZ2[:100] + bytes(50_000_000))
    with ExitStack() as stack, pytest.raises(OSError, match="damaged"):
        list(bzip2.decompressed(file, 1, stack))
    assert file.tell() < 6_000_000


def test_any_number_of_workers_gives_the_same_result(tmp_path: Path) -> None:
    """Up to the damage, and the same words on it."""
    xml = export([history(f"Village {name}", 20, topic=n) for n, name in enumerate("ABCD")])
    content = packed(xml, "bz2-multi")
    path = tmp_path / "cut.xml.bz2"
    path.write_bytes(content[: 2 * len(content) // 3])
    results = []
    for workers in (1, 2):
        command = ("detect", "-q", "--lang", "en", "--workers", workers)
        ended = wikibias(*command, "-o", tmp_path / f"{workers}", path)
        assert ended.code == 1
        results.append((ended, files(tmp_path / f"{workers}", "transitions")))
    assert results[0] == results[1]


def by_the_blocks(content: bytes) -> list[bytes | None]:
    """Return what the library makes of each block."""
    sections = bzip2._sections(io.BytesIO(content))
    return [
        bzip2_blocks.text_of(section.packed, section.at, section.length)
        for section in sections
        if section.magic == bzip2._BLOCK_MAGIC
    ]


compiled = pytest.mark.skipif(not bzip2_blocks.is_there(), reason="needs a C compiler")
RUNS = st.tuples(
    st.sampled_from([b"a", b"\n", b" ", b"\0", b"\xff", b"a line\n"]), st.integers(1, 900)
)
TEXTS = st.lists(RUNS | st.binary(max_size=40), min_size=1, max_size=60)


@compiled
@given(TEXTS, st.integers(1, 30))
def test_the_library_gives_the_text_of_a_block(
    pieces: list[tuple[bytes, int] | bytes], more: int
) -> None:
    """Runs of a byte, lines that come again, no lines at all."""
    text = b"".join(piece if isinstance(piece, bytes) else piece[0] * piece[1] for piece in pieces)
    if text:
        assert by_the_blocks(bz2.compress(text * more)) == [text * more]


SHORT = WORDS[:20_000]
SMALL = bz2.compress(SHORT)


@compiled
@settings(max_examples=200)
@given(st.integers(32, 8 * len(SMALL) - 9), st.integers(0, 12))
def test_the_library_gives_the_text_or_nothing(at: int, many: int) -> None:
    content = SMALL
    for step in range(many + 1):
        content = flipped(content, (at + 7 * step) % (8 * len(SMALL) - 41) + 32)
    assert {*by_the_blocks(content)} <= {SHORT, None}


@compiled
def test_a_block_longer_than_the_memory_for_it_is_left_to_python() -> None:
    assert by_the_blocks(bz2.compress(bytes(20_000_000))) == [None]
