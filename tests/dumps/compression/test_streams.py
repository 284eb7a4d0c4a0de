"""The bytes of a part, unpacked: the same in every form, and all that stand before damage."""

from __future__ import annotations

import gzip
import hashlib
import io
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import py7zr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import FORMS, export, history, packed, run_process
from wikibias.dumps.compression import gz
from wikibias.dumps.compression.streams import DAMAGE, open_part
from wikibias.errors import DumpError

_CHANCE = random.Random(1)
# More than one block of any form; bz2 in blocks of 100 kB.
WORDS = [b"word%d" % _CHANCE.randrange(2000) for _ in range(60_000)]
CONTENT = b"</page>\n".join(b" ".join(WORDS[at : at + 5000]) for at in range(0, 60_000, 5000))
PROGRAM = next(filter(None, map(shutil.which, ("7z", "7zz", "7za"))), None)


def unpacked(path: Path, threads: int = 1) -> tuple[bytes, type[Exception] | None]:
    """Return what is read of a file up to its end or its damage, and how the damage is told."""
    got = list[bytes]()
    with open_part(str(path), threads) as (stream, _):
        try:
            while piece := stream.read(1_000_003):
                got.append(piece)
        except DAMAGE as error:
            return b"".join(got), type(error)
    return b"".join(got), None


def flipped(content: bytes, at: int) -> bytes:
    """Return content with the bit `at` changed."""
    changed = bytearray(content)
    changed[at // 8] ^= 128 >> at % 8
    return bytes(changed)


class TestEveryForm:
    @pytest.mark.parametrize("threads", [1, 3])
    @pytest.mark.parametrize("form", FORMS)
    def test_the_bytes_their_count_and_their_checksum(
        self, form: str, threads: int, tmp_path: Path
    ) -> None:
        content = packed(CONTENT, form)
        path = tmp_path / "part"
        path.write_bytes(content)
        with open_part(str(path), threads) as (stream, source):
            assert stream.read() == CONTENT
            assert source.sha256() == hashlib.sha256(content).hexdigest()
            assert source.read_bytes == len(content)

    @pytest.mark.parametrize("form", FORMS)
    def test_a_part_left_early(self, form: str, tmp_path: Path) -> None:
        """No thread stays behind, and the checksum is that of the whole file all the same."""
        content = packed(CONTENT, form)
        path = tmp_path / "part"
        path.write_bytes(content)
        before = threading.active_count()
        with open_part(str(path), 4) as (stream, source):
            assert stream.read(1000) == CONTENT[:1000]
            assert source.sha256() == hashlib.sha256(content).hexdigest()
        assert threading.active_count() <= before

    @pytest.mark.parametrize("form", [form for form in FORMS if form not in ("xml", "7z", "zst")])
    def test_cut_off(self, form: str, tmp_path: Path) -> None:
        """zst ends in silence, and 7z has its contents listed at its end."""
        content = packed(CONTENT, form)
        path = tmp_path / "part"
        path.write_bytes(content[: 9 * len(content) // 10])
        got, error = unpacked(path)
        assert error is EOFError
        assert CONTENT.startswith(got)
        assert len(got) > len(CONTENT) // 2


class TestGz:
    ONE = gzip.compress(CONTENT)
    TWO = gzip.compress(CONTENT[:1000]) + gzip.compress(CONTENT) + bytes(40_000)

    @pytest.mark.parametrize(
        "content",
        [ONE, TWO, gzip.compress(b""), gzip.compress(bytes(9_000_000))],
        ids=["one", "two", "empty", "zeros"],
    )
    def test_as_the_library(self, content: bytes) -> None:
        with gzip.open(io.BytesIO(content)) as opened:
            assert b"".join(gz.decompressed(io.BytesIO(content))) == opened.read()
        assert all(len(block) <= 1 << 18 for block in gz.decompressed(io.BytesIO(content)))

    @settings(max_examples=40)
    @given(st.integers(80, 8 * len(ONE) - 1))
    def test_a_bit_flipped_anywhere(self, at: int) -> None:
        with pytest.raises(DAMAGE):
            list(gz.decompressed(io.BytesIO(flipped(self.ONE, at))))

    @settings(max_examples=40)
    @given(st.integers(2, len(ONE) - 1))
    def test_cut_anywhere(self, at: int) -> None:
        got = list[bytes]()
        with pytest.raises(EOFError):
            got.extend(gz.decompressed(io.BytesIO(self.ONE[:at])))
        assert CONTENT.startswith(b"".join(got))

    def test_without_the_extra(self, tmp_path: Path) -> None:
        """Where isal is not installed, zlib does it."""
        path = tmp_path / "a.xml.gz"
        path.write_bytes(gzip.compress(export([history("Mill", 1)])))
        code = (
            "import sys; sys.modules['isal'] = None\n"
            "from wikibias.cli import main; import zlib, wikibias.dumps.compression.gz as gz\n"
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


def archive(path: Path, filters: list[dict[str, int]] | None = None, **options: str) -> None:
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
    "ppmd": [{"id": py7zr.FILTER_PPMD, "order": 6, "mem": 20}],
    "copy": [{"id": py7zr.FILTER_COPY}],
}


class TestSevenZip:
    @pytest.mark.parametrize("name", FILTERS)
    def test_every_way_of_packing(self, name: str, tmp_path: Path) -> None:
        archive(tmp_path / "a.7z", FILTERS[name])
        assert unpacked(tmp_path / "a.7z") == (CONTENT, None)

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
    def test_archives_of_the_program(self, options: list[str], tmp_path: Path) -> None:
        """Small dictionaries, other literal bits: what our reading of the properties must get."""
        for name, content in (("a.xml", CONTENT), ("b.xml", b"another")):
            (tmp_path / name).write_bytes(content)
        command = [str(PROGRAM), "a", *options, "a.7z", "a.xml", "b.xml"]
        subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
        assert unpacked(tmp_path / "a.7z") == (CONTENT, None)

    def test_a_real_dump(self, shared: Path) -> None:
        """The checksum in the archive is of its whole content."""
        got, error = unpacked(shared / "dumps/chwiki-20180501-pages-meta-history.xml.7z")
        assert (len(got), error) == (96_939_255, None)

    @pytest.mark.parametrize("name", ["lzma", "lzma2", "copy"])
    def test_damage_in_the_middle(self, name: str, tmp_path: Path) -> None:
        path = tmp_path / "a.7z"
        archive(path, FILTERS[name])
        path.write_bytes(flipped(path.read_bytes(), 4 * path.stat().st_size))
        got, error = unpacked(path)
        assert error is not None
        # What was unpacked before, or all of it where the checksum alone can tell.
        assert got.startswith(CONTENT[: len(CONTENT) // 4])

    def test_a_wrong_checksum(self, tmp_path: Path) -> None:
        """All of the content is given, and then the error; py7zr's own does not need to agree."""
        path = tmp_path / "a.7z"
        archive(path, FILTERS["copy"])
        content = path.read_bytes()
        at = content.index(CONTENT[-20:])
        path.write_bytes(flipped(content, 8 * at))
        got, error = unpacked(path)
        assert (len(got), error) == (len(CONTENT), OSError)

    @pytest.mark.parametrize(
        ("make", "said"),
        [
            (lambda path: archive(path, password="secret"), "password"),
            (lambda path: archive(path, password="secret", header_encryption=True), "password"),
            (lambda path: py7zr.SevenZipFile(path, "w").close(), "nothing in it"),
            (lambda path: path.write_bytes(packed(CONTENT, "7z")[:9000]), "broken or cut-off"),
        ],
        ids=["password", "password-for-names", "empty", "cut-off"],
    )
    def test_what_cannot_be_read_is_said(
        self, make: Callable[[Path], None], said: str, tmp_path: Path
    ) -> None:
        make(tmp_path / "a.7z")
        with pytest.raises(DumpError, match=said), open_part(str(tmp_path / "a.7z")):
            pass

    @pytest.mark.skipif(PROGRAM is None, reason="no program 7z, 7zz or 7za here")
    def test_a_way_of_packing_that_is_not_known(self, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_bytes(export([history("Mill", 1)]))
        ways = ["-m0=bcj2", "-m1=lzma", "-m2=lzma", "-m3=lzma", "-mb0:1", "-mb0s1:2", "-mb0s2:3"]
        command = [str(PROGRAM), "a", *ways, "a.7z", "a.xml"]
        subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
        ended = run_process("detect", "--lang", "en", "-o", tmp_path / "o", tmp_path / "a.7z")
        assert ended.code == 1
        assert len(ended.errors) == 1
        assert "program 7z" in ended.errors[0]
