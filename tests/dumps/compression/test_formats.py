"""Parts in all compressions: what their libraries give, the same bytes, all before damage."""

import bz2
import gzip
import hashlib
import io
import lzma
import random
import subprocess
import sys
import threading
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path

import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

import archives
from archives import CONTENT, decompress, flipped
from exports import FORMS, export, files, history, packed, wikibias
from wikibias.dumps.compression import formats
from wikibias.dumps.compression.formats import LARGEST_WINDOW, check_window, decompress_xz
from wikibias.dumps.compression.streams import DAMAGE, open_part
from wikibias.errors import DumpError

content_in = cache(partial(packed, CONTENT))
ONE = gzip.compress(CONTENT)
TWO = gzip.compress(CONTENT[:1000]) + gzip.compress(CONTENT) + bytes(40_000)


@pytest.mark.parametrize(
    "content",
    [ONE, TWO, gzip.compress(b""), gzip.compress(bytes(9_000_000))],
    ids=["one", "two", "empty", "zeros"],
)
def test_the_content_is_that_of_the_gzip_module(content: bytes) -> None:
    with gzip.open(io.BytesIO(content)) as opened:
        assert b"".join(formats.decompress_gz(io.BytesIO(content))) == opened.read()
    assert all(len(chunk) <= 1 << 18 for chunk in formats.decompress_gz(io.BytesIO(content)))


@settings(max_examples=40)
@given(st.integers(80, 8 * len(ONE) - 1))
def test_a_flipped_bit_is_damage(at: int) -> None:
    with pytest.raises(DAMAGE):
        list(formats.decompress_gz(io.BytesIO(flipped(ONE, at))))


@settings(max_examples=40)
@given(st.integers(2, len(ONE) - 1))
def test_a_truncated_file_gives_the_start_of_its_content(at: int) -> None:
    found = list[bytes]()
    with pytest.raises(EOFError):
        found.extend(formats.decompress_gz(io.BytesIO(ONE[:at])))
    assert CONTENT.startswith(b"".join(found))


def test_zlib_decompresses_if_isal_is_not_installed(tmp_path: Path) -> None:
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(export([history("Mill", 1)])))
    code = (
        "import sys; sys.modules['isal'] = None\n"
        "from wikibias.cli import main; import zlib, wikibias.dumps.compression.formats as gz\n"
        "assert gz.crc32 is zlib.crc32; main(sys.argv[1:])"
    )
    command = ("detect", "--lang", "en", "--workers", "1", "-o", tmp_path / "o", path)
    words = [sys.executable, "-c", code, *map(str, command)]
    assert subprocess.run(words, capture_output=True, check=True).stderr == b""


def zst(window: int) -> bytes:
    parameters = zstandard.ZstdCompressionParameters(window_log=window, compression_level=1)
    packing = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packing.compress(CONTENT) + packing.flush()


def lzma_alone(size: int) -> bytes:
    packed = lzma.compress(CONTENT, lzma.FORMAT_ALONE, preset=0)
    return packed[:1] + size.to_bytes(4, "little") + packed[5:]


@pytest.mark.parametrize(
    "content",
    [zst(29), zst(31), lzma_alone(1 << 29), lzma_alone(3 << 30)],
    ids=["zst 512 MB", "zst 2 GB", "lzma 512 MB", "lzma 3 GB"],
)
def test_a_window_that_is_too_large_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "part"
    path.write_bytes(content)
    with (
        pytest.raises(DumpError, match="takes more than 256 MB of memory to unpack; pack it again"),
        open_part(str(path)) as (stream, _),
    ):
        stream.read()


@pytest.mark.parametrize(
    "content", [zst(27), lzma_alone(1 << 26)], ids=["zst 128 MB", "lzma 64 MB"]
)
def test_the_largest_usual_windows_are_read(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "part"
    path.write_bytes(content)
    assert decompress(path) == (CONTENT, None)


def test_the_bound_itself_is_allowed() -> None:
    check_window("zst", LARGEST_WINDOW)
    with pytest.raises(DumpError, match="a zst archive"):
        check_window("zst", LARGEST_WINDOW + 1)


PACKED = content_in("xz")


def unpacked(content: bytes) -> bytes:
    return b"".join(decompress_xz(io.BytesIO(content)))


@pytest.mark.parametrize("behind", [b"", b"\0" * 8, b"junk behind the stream"])
def test_streams_are_read_one_after_the_other(behind: bytes) -> None:
    assert unpacked(PACKED + lzma.compress(b"more") + behind) == CONTENT + b"more"


def test_chunks_are_small_even_of_a_bomb() -> None:
    packed = lzma.compress(bytes(5_000_000))
    assert max(map(len, decompress_xz(io.BytesIO(packed)))) <= 1 << 16


def test_a_damaged_file() -> None:
    with pytest.raises(lzma.LZMAError):
        unpacked(flipped(PACKED, 4 * len(PACKED)))


WORDS = b" ".join(archives.WORDS)
BLOCK = 100_000
BZ2 = bz2.compress(WORDS, 1)
MULTI = bz2.compress(WORDS[:150_000], 1) + bz2.compress(b"", 9) + bz2.compress(WORDS, 2)


def by_ours(content: bytes, threads: int = 1) -> tuple[bytes, type[Exception] | None]:
    """Return the content that `formats.decompressed` yields, and the type of its error."""
    got = b""
    with ExitStack() as stack:
        try:
            for block in formats.decompressed(io.BytesIO(content), threads, stack):
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


@settings(max_examples=40)
@given(st.integers(4, len(BZ2) - 1))
def test_a_truncated_file_gives_all_blocks_before_the_end(at: int) -> None:
    expected = by_the_library(BZ2[:at])
    assert expected[1] is EOFError
    assert by_ours(BZ2[:at]) == by_ours(BZ2[:at], 3) == expected


@settings(max_examples=40)
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
    sections = list(formats._sections(io.BytesIO(BZ2)))
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
    found = [section.magic for section in formats._sections(io.BytesIO(compressed))]
    assert found.count(magic) > len(content) // BLOCK
    for threads in (1, 3):
        assert by_ours(compressed, threads) == (content, None)


def test_a_very_large_block_is_returned_in_chunks() -> None:
    content = bz2.compress(bytes(20_000_000))
    with ExitStack() as stack:
        sizes = list(map(len, formats.decompressed(io.BytesIO(content), 2, stack)))
    assert sum(sizes) == 20_000_000
    assert max(sizes) <= 1 << 22


def test_a_file_without_magic_numbers_is_not_read_to_its_end() -> None:
    file = io.BytesIO(BZ2[:100] + bytes(50_000_000))
    with ExitStack() as stack, pytest.raises(OSError, match="damaged"):
        list(formats.decompressed(file, 1, stack))
    assert file.tell() < 6_000_000


def test_any_number_of_workers_gives_the_same_result(tmp_path: Path) -> None:
    """Also if it is damaged."""
    xml = export([history(f"Village {name}", 20, topic=n) for n, name in enumerate("ABCD")])
    content = packed(xml, "bz2-multi")
    for name, body in (("whole", content), ("cut", content[: 2 * len(content) // 3])):
        path = tmp_path / f"{name}.xml.bz2"
        path.write_bytes(body)
        results, said = [], set()
        for workers in (1, 3):
            out = tmp_path / f"{name}-{workers}"
            command = ("detect", "-q", "--lang", "en", "--workers", workers)
            ended = wikibias(*command, "-o", out, path)
            said.add((ended.code, ended.err))
            assert ended.code == (name == "cut")
            results.append(files(out, "transitions"))
        assert results[0] == results[1]
        assert len(said) == 1


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("form", FORMS)
def test_formats_give_the_same_bytes_and_checksum(form: str, threads: int, tmp_path: Path) -> None:
    path = tmp_path / "part"
    path.write_bytes(content := content_in(form))
    with open_part(str(path), threads) as (stream, source):
        assert stream.read() == CONTENT
        assert source.sha256() == hashlib.sha256(content).hexdigest()
        assert source.read_bytes == len(content)


@pytest.mark.parametrize("form", FORMS)
def test_a_part_that_is_not_read_to_its_end(form: str, tmp_path: Path) -> None:
    """Its threads end, and the checksum is still that of the whole file."""
    path = tmp_path / "part"
    path.write_bytes(content := content_in(form))
    before = threading.active_count()
    with open_part(str(path), 4) as (stream, source):
        assert stream.read(1000) == CONTENT[:1000]
        assert source.sha256() == hashlib.sha256(content).hexdigest()
    assert threading.active_count() <= before


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("xml", "7z", "zst")])
def test_a_truncated_file_gives_its_content_up_to_the_end(form: str, tmp_path: Path) -> None:
    """Except zst, which raises no error, and 7z, whose table of contents is at its end."""
    path, content = tmp_path / "part", content_in(form)
    path.write_bytes(content[: 9 * len(content) // 10])
    got, error = decompress(path)
    assert error is EOFError
    assert CONTENT.startswith(got)
    assert len(got) > len(CONTENT) // 2


WITHOUT = {
    "xz without": lzma.compress(b"a", check=lzma.CHECK_NONE),
    "zst without": zstandard.ZstdCompressor(write_checksum=False).compress(b"a"),
}


@pytest.mark.parametrize("form", [*FORMS, *WITHOUT])
def test_whether_an_archive_holds_a_checksum_of_its_content(form: str, tmp_path: Path) -> None:
    path = tmp_path / "part"
    path.write_bytes(WITHOUT.get(form) or content_in(form))
    with open_part(str(path)) as (_, source):
        assert source.is_checked is (form in ("bz2", "bz2-multi", "gz", "7z", "xz", "zst"))
