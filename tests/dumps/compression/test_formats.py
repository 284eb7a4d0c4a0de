"""gz, compared with Python's gzip."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from archives import CONTENT, decompress, flipped
from exports import export, history
from wikibias.dumps.compression import formats
from wikibias.dumps.compression.formats import LARGEST_WINDOW, check_window
from wikibias.dumps.compression.streams import DAMAGE, open_part
from wikibias.errors import DumpError

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
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def zst(window: int) -> bytes:
    parameters = zstandard.ZstdCompressionParameters(window_log=window, compression_level=1)
    packing = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packing.compress(CONTENT) + packing.flush()


@pytest.mark.parametrize(
    "content",
    [zst(29), zst(31)],
    ids=["zst 512 MB", "zst 2 GB"],
)
def test_a_window_that_is_too_large_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "part"
    path.write_bytes(content)
    with (
        pytest.raises(DumpError, match="takes more than 256 MB of memory to unpack; pack it again"),
        open_part(str(path)) as (stream, _),
    ):
        stream.read()


def test_the_largest_usual_window_is_read(tmp_path: Path) -> None:
    path = tmp_path / "part"
    path.write_bytes(zst(27))
    assert decompress(path) == (CONTENT, None)


def test_the_bound_itself_is_allowed() -> None:
    check_window("zst", LARGEST_WINDOW)
    with pytest.raises(DumpError, match="a zst archive"):
        check_window("zst", LARGEST_WINDOW + 1)
