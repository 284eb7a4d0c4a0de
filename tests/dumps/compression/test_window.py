"""Archives that take too much memory to unpack are refused, in a line that says what to do."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
import zstandard

from archives import CONTENT, decompress
from wikibias.dumps.compression.formats import LARGEST_WINDOW, check_window
from wikibias.dumps.compression.streams import open_part
from wikibias.errors import DumpError


def zst(window: int) -> bytes:
    parameters = zstandard.ZstdCompressionParameters(window_log=window, compression_level=1)
    packing = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packing.compress(CONTENT) + packing.flush()


def lzma_alone(size: int) -> bytes:
    packed = lzma.compress(CONTENT, lzma.FORMAT_ALONE)
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
