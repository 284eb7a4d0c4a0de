"""Parts in all compressions: the same bytes, and everything before damage."""

import hashlib
import lzma
import threading
from pathlib import Path

import pytest
import zstandard

from archives import CONTENT, decompress
from exports import FORMS, packed
from wikibias.dumps.compression.streams import open_part


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("form", FORMS)
def test_every_format_gives_the_same_bytes_and_the_checksum_of_the_file(
    form: str, threads: int, tmp_path: Path
) -> None:
    content = packed(CONTENT, form)
    path = tmp_path / "part"
    path.write_bytes(content)
    with open_part(str(path), threads) as (stream, source):
        assert stream.read() == CONTENT
        assert source.sha256() == hashlib.sha256(content).hexdigest()
        assert source.read_bytes == len(content)


@pytest.mark.parametrize("form", FORMS)
def test_a_part_that_is_not_read_to_its_end(form: str, tmp_path: Path) -> None:
    """Its threads end, and the checksum is still that of the whole file."""
    content = packed(CONTENT, form)
    path = tmp_path / "part"
    path.write_bytes(content)
    before = threading.active_count()
    with open_part(str(path), 4) as (stream, source):
        assert stream.read(1000) == CONTENT[:1000]
        assert source.sha256() == hashlib.sha256(content).hexdigest()
    assert threading.active_count() <= before


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("xml", "7z", "zst")])
def test_a_truncated_file_gives_its_content_up_to_the_end(form: str, tmp_path: Path) -> None:
    """Except zst, which raises no error, and 7z, whose table of contents is at its end."""
    content = packed(CONTENT, form)
    path = tmp_path / "part"
    path.write_bytes(content[: 9 * len(content) // 10])
    got, error = decompress(path)
    assert error is EOFError
    assert CONTENT.startswith(got)
    assert len(got) > len(CONTENT) // 2


CHECKED = {
    "xml": CONTENT,
    "bz2": packed(CONTENT, "bz2"),
    "gz": packed(CONTENT, "gz"),
    "7z": packed(CONTENT, "7z"),
    "lzma": packed(CONTENT, "lzma"),
    "xz": packed(CONTENT, "xz"),
    "xz without": lzma.compress(CONTENT, check=lzma.CHECK_NONE),
    "zst": packed(CONTENT, "zst"),
    "zst without": zstandard.ZstdCompressor(write_checksum=False).compress(CONTENT),
}


@pytest.mark.parametrize("form", CHECKED)
def test_whether_an_archive_holds_a_checksum_of_its_content(form: str, tmp_path: Path) -> None:
    path = tmp_path / "part"
    path.write_bytes(CHECKED[form])
    with open_part(str(path)) as (_, source):
        assert source.is_checked is (form in ("bz2", "gz", "7z", "xz", "zst"))
