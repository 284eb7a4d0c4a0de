"""7z archives of all compression methods, and damaged ones."""

import shutil
import struct
import subprocess
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import py7zr
import pytest

from archives import CONTENT, decompress, flipped
from exports import export, history, packed, run_process
from wikibias.dumps.compression.streams import open_part
from wikibias.errors import DumpError

PROGRAM = next(filter(None, map(shutil.which, ("7z", "7zz", "7za"))), None)


def archive(path: Path, filters: list[dict[str, int]] | None = None, **options: Any) -> None:
    """Write a 7z archive of two files, of which the first holds CONTENT."""
    with py7zr.SevenZipFile(path, "w", filters=filters, **options) as target:
        target.writestr(CONTENT, "dump.xml")
        target.writestr(b"another", "another.xml")


FILTERS = {
    "lzma": [{"id": py7zr.FILTER_LZMA, "preset": 1}],
    "lzma2": [{"id": py7zr.FILTER_LZMA2, "preset": 9}],
    "x86": [{"id": py7zr.FILTER_X86}, {"id": py7zr.FILTER_LZMA2, "preset": 1}],
    "bzip2": [{"id": py7zr.FILTER_BZIP2}],
    "deflate": [{"id": py7zr.FILTER_DEFLATE}],
    "copy": [{"id": py7zr.FILTER_COPY}],
}


PPMD = [{"id": py7zr.FILTER_PPMD, "order": 6, "mem": 20}]


def large_dictionary(path: Path) -> bytes:
    """Return an archive that asks for a dictionary of 4 GB."""
    with py7zr.SevenZipFile(path, "w", filters=FILTERS["lzma2"]) as target:
        target.set_encoded_header_mode(False)
        target.writestr(CONTENT, "dump.xml")
    content = path.read_bytes()
    offset, size = struct.unpack("<QQ", content[12:28])
    contents = content[32 + offset :].replace(b"\x21\x21\x01\x1c", b"\x21\x21\x01\x28")
    numbers = struct.pack("<QQI", offset, size, zlib.crc32(contents))
    start = content[:8] + struct.pack("<I", zlib.crc32(numbers)) + numbers
    return start + content[32 : 32 + offset] + contents


@pytest.mark.parametrize("name", FILTERS)
def test_every_compression_method(name: str, tmp_path: Path) -> None:
    archive(tmp_path / "a.7z", FILTERS[name])
    assert decompress(tmp_path / "a.7z") == (CONTENT, None)


@pytest.mark.parametrize(
    "options",
    [
        ["-m0=lzma", "-mx9"],
        ["-m0=lzma:d=1m:lc=1:lp=2:pb=1"],
        ["-m0=lzma2:d=48m"],
        ["-m0=lzma2:d=3m", "-mhc=off", "-ms=off"],
    ],
    ids=" ".join,
)
@pytest.mark.skipif(PROGRAM is None, reason="no program 7z, 7zz or 7za here")
def test_archives_of_the_7z_program(options: list[str], tmp_path: Path) -> None:
    """With small dictionaries and other literal bits, which our parser of properties must read."""
    for name, content in (("a.xml", CONTENT), ("b.xml", b"another")):
        (tmp_path / name).write_bytes(content)
    command = [str(PROGRAM), "a", *options, "a.7z", "a.xml", "b.xml"]
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert decompress(tmp_path / "a.7z") == (CONTENT, None)


def test_a_real_dump(shared: Path) -> None:
    """The archive has one checksum, over its whole content."""
    got, error = decompress(shared / "dumps/chwiki-20180501-pages-meta-history.xml.7z")
    assert (len(got), error) == (96_939_255, None)


@pytest.mark.parametrize("name", ["lzma", "lzma2", "copy"])
def test_damage_in_the_middle(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.7z"
    archive(path, FILTERS[name])
    path.write_bytes(flipped(path.read_bytes(), 4 * path.stat().st_size))
    got, error = decompress(path)
    assert error is not None
    # Everything before the damage, or the whole content if only the checksum shows the damage.
    assert got.startswith(CONTENT[: len(CONTENT) // 4])


def test_a_wrong_checksum(tmp_path: Path) -> None:
    """The whole content comes first, then the error."""
    path = tmp_path / "a.7z"
    archive(path, FILTERS["copy"])
    content = path.read_bytes()
    at = content.index(CONTENT[-20:])
    path.write_bytes(flipped(content, 8 * at))
    got, error = decompress(path)
    assert (len(got), error) == (len(CONTENT), OSError)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: archive(path, password="secret"), "password"),
        (lambda path: archive(path, password="secret", header_encryption=True), "password"),
        (lambda path: py7zr.SevenZipFile(path, "w").close(), "nothing in it"),
        (lambda path: path.write_bytes(packed(CONTENT, "7z")[:9000]), "broken or cut-off"),
        (lambda path: archive(path, PPMD), "unpack it by the program 7z"),
        (lambda path: archive(path, [{"id": py7zr.FILTER_ZSTD, "level": 3}]), "by the program 7z"),
        (lambda path: path.write_bytes(large_dictionary(path)), "more than 256 MB"),
    ],
    ids=["password", "password-for-names", "empty", "cut-off", "ppmd", "zstd", "dictionary"],
)
def test_a_bad_archive_is_refused(make: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    make(tmp_path / "a.7z")
    with pytest.raises(DumpError, match=said), open_part(str(tmp_path / "a.7z")):
        pass


def test_a_table_of_contents_without_end_is_refused(tmp_path: Path) -> None:
    with py7zr.SevenZipFile(tmp_path / "a.7z", "w") as target:
        for number in range(1_500):
            target.writestr(b"", f"{number:0100}.xml")
    said = "of thousands of files; a dump is one file"
    with pytest.raises(DumpError, match=said), open_part(str(tmp_path / "a.7z")):
        pass


def test_a_bomb_is_unpacked_a_little_at_a_time(tmp_path: Path) -> None:
    with py7zr.SevenZipFile(tmp_path / "a.7z", "w", filters=FILTERS["deflate"]) as target:
        target.writestr(bytes(40_000_000), "dump.xml")
    tracemalloc.start()
    with open_part(str(tmp_path / "a.7z")) as (stream, _):
        assert not any(any(stream.read1()) for _ in range(100))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.skipif(PROGRAM is None, reason="no program 7z, 7zz or 7za here")
def test_an_unknown_compression_method_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(export([history("Mill", 1)]))
    methods = ["-m0=bcj2", "-m1=lzma", "-m2=lzma", "-m3=lzma", "-mb0:1", "-mb0s1:2", "-mb0s2:3"]
    command = [str(PROGRAM), "a", *methods, "a.7z", "a.xml"]
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    ended = run_process("detect", "--lang", "en", "-o", tmp_path / "o", tmp_path / "a.7z")
    ended.refused("program 7z", code=1)
