"""xz and lzma: several streams, what stands behind them, and damage."""

from __future__ import annotations

import io
import lzma

import pytest

from archives import CONTENT
from wikibias.dumps.compression.formats import decompress_xz

PACKED = lzma.compress(CONTENT)


def unpacked(content: bytes) -> bytes:
    return b"".join(decompress_xz(io.BytesIO(content)))


@pytest.mark.parametrize("behind", [b"", b"\0" * 8, b"junk behind the stream"])
def test_streams_are_read_one_after_the_other(behind: bytes) -> None:
    assert unpacked(PACKED + lzma.compress(b"more") + behind) == CONTENT + b"more"


def test_chunks_are_small_even_of_a_bomb() -> None:
    packed = lzma.compress(bytes(50_000_000))
    assert max(map(len, decompress_xz(io.BytesIO(packed)))) <= 1 << 16


def test_a_file_that_is_cut_off() -> None:
    for content in (PACKED[:-1], PACKED[:100], PACKED + lzma.compress(b"more")[:-5]):
        with pytest.raises(EOFError):
            unpacked(content)


def test_a_damaged_file() -> None:
    at = len(PACKED) // 2
    with pytest.raises(lzma.LZMAError):
        unpacked(PACKED[:at] + bytes([PACKED[at] ^ 1]) + PACKED[at + 1 :])
