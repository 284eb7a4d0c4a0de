"""Dumps that scripts make: synthetic ones, always the same, and stubs of others."""

import io
import subprocess
import sys
import xml.etree.ElementTree as ET
from contextlib import redirect_stdout
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import make_stub_dump
import make_synthetic_dump
from exports import SCHEMAS, Page, Revision, export, files, rows
from make_stub_dump import stub_pieces
from make_synthetic_dump import Size, Wiki
from paths import SCRIPTS
from results import detect
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.mediawiki import base36_sha1

SMALL = Size(pages=30, revisions=20, bytes=4000, tagged=1, fixed=False, giant=0, seed=5)
FIXED = Size(pages=3, revisions=70, bytes=2000, tagged=1, fixed=True, giant=0, seed=5)
STUBS = Size(pages=4, revisions=70, bytes=200, tagged=1, fixed=True, giant=0, seed=5, stubs=True)
NAMESPACE = "{http://www.mediawiki.org/xml/export-0.11/}"


@cache
def made(size: Size) -> bytes:
    return b"".join(Wiki(size).export())


def make(*words: object) -> bytes:
    """Run the script, and return what it prints."""
    printed = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.TextIOWrapper(printed)):
        patch.setattr("sys.argv", ["make_synthetic_dump.py", *map(str, words)])
        make_synthetic_dump.main()
        return printed.getvalue()


def test_the_same_seed_gives_the_same_bytes() -> None:
    words = ("--pages", 3, "--revisions", 5, "--size", 500)
    once = make(*words, "--seed", 1)
    # In another process, where hashes are others.
    command = [sys.executable, f"{SCRIPTS}/make_synthetic_dump.py", *map(str, words), "--seed", "1"]
    assert once == subprocess.run(command, check=True, capture_output=True).stdout
    assert once != make(*words, "--seed", 2)


@pytest.mark.parametrize("size", [SMALL, FIXED, STUBS])
def test_both_readers_find_the_same_transitions(size: Size, tmp_path: Path) -> None:
    dump = tmp_path / "synthetic.xml"
    dump.write_bytes(made(size))
    for reader in ("fast", "mwxml"):
        detect(tmp_path / reader, "--reader", reader, dump).well()
    assert files(tmp_path / "fast", "transitions") == files(tmp_path / "mwxml", "transitions")
    kinds = [row["kind"] for row in rows(tmp_path / "fast", "transitions")]
    assert {"added", "removed"} == set(kinds)
    aliases = {alias for row in rows(tmp_path / "fast", "transitions") for alias in row["aliases"]}
    assert len(aliases) > 2


def test_sizes_and_checksums_are_correct() -> None:
    root = ET.fromstring(made(SMALL))
    blank = 0
    for revision in root.iter(f"{NAMESPACE}revision"):
        text, sha1 = revision.find(f"{NAMESPACE}text"), revision.findtext(f"{NAMESPACE}sha1")
        assert text is not None
        if text.get("deleted"):
            continue
        content = text.text or ""
        blank += not content
        assert int(text.get("bytes", -1)) == len(content.encode())
        assert text.get("sha1") == sha1 == base36_sha1(content)
    assert blank


def test_the_dump_contains_what_real_dumps_contain() -> None:
    text = made(SMALL).decode()
    for wanted in (
        "&lt;ref", "&amp;nbsp;", "{{cite web|", "[[", "<minor />", "<ip>", "Bot</username>",
        "Reverted edits by", "<ns>1</ns>", "{|", "<text bytes=\"0\"", "<redirect title=",
    ):  # fmt: skip
        assert wanted in text, wanted


def test_successive_revisions_share_their_text_and_reverts_are_exact() -> None:
    root = ET.fromstring(made(SMALL))
    page = max(root.iter(f"{NAMESPACE}page"), key=len)
    texts = [text.text or "" for text in page.iter(f"{NAMESPACE}text")]
    assert len(set(texts)) < len(texts)
    shared = [
        len(set(one.split(". ")) & set(other.split(". "))) / len(set(one.split(". ")))
        for one, other in pairwise(texts)
    ]
    assert sorted(shared)[len(shared) // 2] > 0.7


def test_fixed_pages_have_the_same_size() -> None:
    root = ET.fromstring(made(FIXED))
    sizes = [
        [int(text.get("bytes", 0)) for text in page.iter(f"{NAMESPACE}text")]
        for page in root.iter(f"{NAMESPACE}page")
    ]
    assert [len(page) for page in sizes] == [FIXED.revisions] * FIXED.pages
    assert all(1000 < size < 3000 for page in sizes for size in page)


def test_one_revision_can_be_very_long() -> None:
    arguments = ("--pages", 1, "--revisions", 5, "--fixed", "--size", 1000, "--giant", 10**6)
    root = ET.fromstring(make(*arguments))
    sizes = [int(text.get("bytes", 0)) for text in root.iter(f"{NAMESPACE}text")]
    assert [size > 10**6 for size in sizes] == [False, False, True, False, False]


@pytest.mark.parametrize("form", ["xml", "bz2", "7z", "gz", "xz", "zst"])
def test_the_extension_decides_the_compression(form: str, tmp_path: Path) -> None:
    arguments = ("--pages", 2, "--revisions", 4, "--size", 300)
    path = tmp_path / ("x.xml" if form == "xml" else f"x.xml.{form}")
    assert make(*arguments, "-o", path) == b""
    with open_part(str(path)) as (stream, _):
        assert stream.read() == make(*arguments)


PAGES = [
    Page("Mill", [Revision("The <b>mill</b> & the pond."), Revision(""), Revision("Été")]),
    Page("Hill", [Revision("seen", hidden=frozenset({"text"})), Revision("b", lost=True)]),
]


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("reader", [fast_reader.read, mwxml_reader.read])
@pytest.mark.parametrize("piece", [1 << 20, 7])
def test_all_but_the_texts_is_what_it_was(
    schema: str, reader: object, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_stub_dump, "_PIECE", piece)
    xml = export(PAGES, schema=schema)
    stub = b"".join(stub_pieces(io.BytesIO(xml)))
    assert b"pond" not in stub

    def heads(content: bytes) -> list[object]:
        dump = reader(io.BytesIO(content))  # type: ignore[operator]
        return [
            (page.title, r.id, r.timestamp, r.comment, r.editor, r.checksum, r.parent_id)
            for page in dump.pages
            for r in page.revisions
        ]

    assert heads(stub) == heads(xml)
    read = [r for page in mwxml_reader.read(io.BytesIO(stub)).pages for r in page.revisions]
    known = schema in ("0.10", "0.11")
    # Where there is no checksum, the length tells of a blanked page, if the dump holds it.
    assert [r.text for r in read] == [None, "" if known else None, None, None, None]
    if schema == "0.11":
        assert [r.size for r in read][:3] == [27, 0, 5]
        assert read[2].checksum == base36_sha1("Été")


def test_checksums_where_the_dump_has_none() -> None:
    stub = b"".join(stub_pieces(io.BytesIO(export(PAGES, schema="0.4")), with_sha1=True))
    read = [r for page in mwxml_reader.read(io.BytesIO(stub)).pages for r in page.revisions]
    texts = "The <b>mill</b> & the pond.", "Été"
    assert (read[0].checksum, read[2].checksum) == tuple(map(base36_sha1, texts))
    assert [r.checksum for r in read[3:]] == [None, None]
