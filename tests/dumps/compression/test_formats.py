"""Parts in all compressions: what their libraries give, the same bytes, all before damage."""

import gzip
import hashlib
import io
import lzma
import subprocess
import sys
import threading
from functools import cache, partial
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.integers(80, 8 * len(ONE) - 1))
def test_a_flipped_bit_is_damage(at: int) -> None:
    with pytest.raises(DAMAGE):
        list(formats.decompress_gz(io.BytesIO(flipped(ONE, at))))


@given(st.integers(2, len(ONE) - 1))
def test_a_truncated_file_gives_the_start_of_its_content(at: int) -> None:
    found = list[bytes]()
    with pytest.raises(EOFError):
        found.extend(formats.decompress_gz(io.BytesIO(ONE[:at])))
    assert CONTENT.startswith(b"".join(found))


def test_without_isal_and_our_own_library_the_result_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(export([history("Mill", 1)])))
    (tmp_path / "b.xml.bz2").write_bytes(packed(export([history("Hill", 30)], first_id=99), "bz2"))
    code = (
        "import sys; sys.modules['isal'] = None\n"
        "from wikibias.cli import main; import zlib, wikibias.dumps.compression.formats as gz\n"
        "import wikibias.dumps.compression.bzip2_blocks as blocks\n"
        "blocks.COMPILED = blocks.SOURCE.with_suffix('.absent')\n"
        "assert gz.crc32 is zlib.crc32 and not blocks.is_there(); main(sys.argv[1:])"
    )
    command = ("detect", "-q", "--lang", "en", "--workers", "1", "-o")
    words = [sys.executable, "-c", code, *command, str(tmp_path / "without"), str(tmp_path)]
    assert subprocess.run(words, capture_output=True, check=True).stderr == b""
    wikibias(*command, tmp_path / "with", *tmp_path.glob("*.xml.*")).well()
    assert files(tmp_path / "without", "transitions") == files(tmp_path / "with", "transitions")


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


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("xml", "7z")])
def test_a_truncated_file_gives_its_content_up_to_the_end(form: str, tmp_path: Path) -> None:
    """Except 7z, whose table of contents is at its end."""
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
