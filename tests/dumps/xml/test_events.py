"""Hostile XML is read in bounded memory by both readers: skipped and read on, or ended soon."""

from __future__ import annotations

import bz2
import io
import tracemalloc
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from exports import Page, Revision, export, rows, wikibias
from matchers import TAGSETS
from wikibias.config.choices import Reader
from wikibias.config.languages import load_language
from wikibias.dumps.xml.mwxml_reader import events
from wikibias.errors import DumpError
from wikibias.pipeline.detect import reader_of
from wikibias.records import Unreadable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

READERS: tuple[Reader, ...] = ("fast", "mwxml")
XML = export(
    [
        Page("Barn", [Revision("{{POV}} a")]),
        Page("Mill", [Revision("b"), Revision("c"), Revision("d")]),
        Page("Hill", [Revision("e")]),
    ]
)
MEGABYTE = 1 << 20
SIZE = 72 * MEGABYTE
# Twice what the fast reader holds of a revision that it passes on, and what tests themselves need.
MOST = 64 * MEGABYTE


class Endless(io.RawIOBase):
    """A stream in which a piece is repeated up to SIZE bytes in one place."""

    def __init__(self, before: bytes, piece: bytes, behind: bytes) -> None:
        many = piece * (MEGABYTE // len(piece) + 1)
        self._pieces: Iterator[bytes] = chain([before], repeat(many, SIZE // len(many)), [behind])
        self._piece = memoryview(b"")
        self.read_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        while not self._piece and (piece := next(self._pieces, None)) is not None:
            self._piece = memoryview(piece)
        size = min(len(view), len(self._piece))
        view[:size], self._piece = self._piece[:size], self._piece[size:]
        self.read_bytes += size
        return size


def endless(at: str, piece: str, opening: str = "") -> Endless:
    """Return the export with a piece repeated behind an `at`, of the page "Mill" if it is there."""
    start = XML.find(at.encode(), XML.index(b"<title>Mill"))
    end = (start if start >= 0 else XML.index(at.encode())) + len(at)
    return Endless(XML[:end] + opening.encode(), piece.encode(), XML[end:])


def read_all(stream: Any, reader: Reader) -> tuple[list[Any], list[Unreadable], str | None]:
    """Return the pages with the texts of their revisions, what is lost, and the damage."""
    lost: list[Unreadable] = []
    found: list[Any] = []
    stream = io.BufferedReader(stream) if isinstance(stream, Endless) else stream
    try:
        read = reader_of(load_language("en"), TAGSETS["en"], reader, lost.append)
        for page in read(stream).pages:
            texts: list[Any] = []
            found.append((page.title, texts))
            for revision in page.revisions:
                texts.append("too long" if revision.is_too_long else revision.text)
    except DumpError as error:
        return found, lost, str(error)
    return found, lost, None


def bounded(stream: Endless, reader: Reader) -> tuple[list[Any], list[Unreadable], str | None]:
    tracemalloc.start()
    try:
        found = read_all(stream, reader)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()
    return found


@pytest.mark.parametrize("reader", READERS)
def test_a_text_without_end_is_passed_over_and_the_next_read(reader: Reader) -> None:
    found, lost, damage = bounded(endless('xml:space="preserve">', "é&amp;&#8364; "), reader)
    assert found == [("Barn", ["{{POV}} a"]), ("Mill", ["too long", "c", "d"]), ("Hill", ["e"])]
    assert (lost, damage) == ([], None)


@pytest.mark.parametrize("reader", READERS)
def test_no_text_is_passed_over_for_ever(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikibias.dumps.xml.mwxml_reader._LONGEST_IN_TEXT", 50 * MEGABYTE)
    found, lost, damage = bounded(endless('xml:space="preserve">', "a"), reader)
    assert (len(found), lost) == (2, [])
    assert damage == "is no MediaWiki export: it has no tag in 52,428,800 bytes in page 'Mill'"


TEXT, TAG = 'xml:space="preserve">', "has a tag of over 1,048,576 bytes in page"
MANY, GAP = "over 10,000 elements", "has no tag in 4,194,304 bytes"
# Behind what something opens, what is repeated then, and what is said of it. At markup a parser
# looks from its start with every chunk: 40 MB would take an hour.
ENDLESS = {
    "tiny elements in a text": (TEXT, "", "<b/>", "over 10,000 elements in a row"),
    "nested elements": (TEXT, "", "<b>", "nested over 100 deep"),
    "elements with other names": ("<comment>", "", "<b{} />", "not well-formed"),
    "attributes": ("<text", "", " a", "not well-formed"),
    "a head of a page": ("</title>", "", "<restrictions>x</restrictions>", MANY),
    "white space in a head": ("</title>", "", " ", GAP),
    "white space between revisions": ("</revision>", "", "\n", GAP),
    "slots": ("</text>", "", "<content><role>x</role><text>y</text></content>", MANY),
    "namespaces": ("<namespaces>", "", '<namespace key="7">x</namespace>', MANY),
    "a generator": ("<generator>", "", "a", GAP),
    "a title": ("<title>", "", "a", GAP),
    "a summary": ("<comment>", "", "a", GAP),
    "a name": ("<username>", "", "a", GAP),
    "closed revisions": ("</revision>", "", "</revision>", "not well-formed"),
    "an attribute": ("<text", ' a="', "a", TAG),
    "a tag": ("</title>", "<", "a", TAG),
    "a comment": ("</title>", "<!--", "a", TAG),
    "a comment in a text": (TEXT, "<!--", "a", TAG),
    "a processing instruction": ("</title>", "<?a ", "a", TAG),
    "an entity": (TEXT, "&", "a", TAG),
    "many attributes": ("<text", "", ' a="" ', ""),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ENDLESS)
def test_what_never_ends_ends_the_part_soon(kind: str, reader: Reader) -> None:
    at, opening, piece, said = ENDLESS[kind]
    stream = endless(at, piece, opening)
    # Elements that are counted need no more memory than others, but seconds to be traced.
    found, lost, damage = (read_all if said == MANY else bounded)(stream, reader)
    assert damage is not None
    assert said in damage
    assert lost == []
    assert found[:1] == ([] if at in ("<namespaces>", "<generator>") else [("Barn", ["{{POV}} a"])])
    assert stream.read_bytes < 40 * MEGABYTE


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", [b"\0", b"a", b" ", b"\n", b"\xff", b"</revision>"])
def test_junk_without_end_is_no_dump(piece: bytes, reader: Reader) -> None:
    stream = Endless(b"", piece, b"")
    found, lost, damage = bounded(stream, reader)
    assert (found, lost) == ([], [])
    assert (damage or "").startswith("is no MediaWiki export")
    assert stream.read_bytes < 12 * MEGABYTE


DOCTYPES = {
    "billion laughs": '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY c "&a;&a;&a;">]>',
    "a file": '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
    "a web page": "<!DOCTYPE html>",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", DOCTYPES)
def test_document_types_are_refused(kind: str, reader: Reader) -> None:
    xml = DOCTYPES[kind].encode() + XML.replace(b">b</text>", b">&a;&c;</text>")
    found, _, damage = read_all(io.BytesIO(xml), reader)
    assert found == []
    assert damage == (
        "is no MediaWiki export: it has a document type (<!DOCTYPE) before its first page"
    )


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["klingon", "utf-7", "utf-32", "undefined", "rot13", "shift_jis"])
def test_odd_encodings_end_the_part(name: str, reader: Reader) -> None:
    xml = f'<?xml version="1.0" encoding="{name}"?>'.encode() + XML
    _, _, damage = read_all(io.BytesIO(xml), reader)
    assert damage is None or "encoding" in damage or "well-formed" in damage


class Failing(io.BytesIO):
    """A stream for whose second piece there is no memory."""

    def read1(self, size: int | None = -1, /) -> bytes:
        if self.tell():
            raise MemoryError
        return super().read1(900)


@pytest.mark.parametrize("reader", READERS)
def test_too_little_memory_for_the_stream_ends_the_part(reader: Reader) -> None:
    _, lost, damage = read_all(Failing(XML), reader)
    assert lost == []
    assert damage == "needs more memory than there is in page 'Barn'"


def test_a_host_that_is_none_is_no_host() -> None:
    xml = XML.replace(b"https://en.invented.example/wiki/Main_Page", b"https://[::1/wiki")
    for reader in READERS:
        site = reader_of(load_language("en"), TAGSETS["en"], reader)(io.BytesIO(xml)).site
        assert (site.base, site.wiki) == ("", "inventedenwiki")


def test_names_of_elements_are_counted() -> None:
    piece = b"".join(b"<b%d/>" % number for number in range(9_000))
    xml = b"<m>" + b"<page/>".join([piece, piece.replace(b"<b", b"<c"), b"</m>"])
    with pytest.raises(Exception, match="kinds of elements"):
        list(events(io.BytesIO(xml)))


def test_comments_in_a_text_do_not_gather() -> None:
    text = "ab<!---->" * 100_000
    xml = f"<m><text>{text}</text></m>".encode()
    (end,) = [element for kind, element in events(io.BytesIO(xml)) if element.tag == "text"][:1]
    assert end.text == "ab" * 100_000


def test_a_bomb_is_passed_over_by_the_command(tmp_path: Path) -> None:
    """Of 3 KB, unpacked to 20 MB of text; the pages around it are there, the exit code is 0."""
    where = XML.index(b'xml:space="preserve">', XML.index(b"Mill")) + 21
    pieces = (XML[:where], b"a" * 20 * MEGABYTE, XML[where:])
    packed = b"".join(map(bz2.compress, pieces))
    (tmp_path / "bomb.xml.bz2").write_bytes(packed)
    out = wikibias("detect", "--lang", "en", "-o", tmp_path / "out", tmp_path)
    assert (out.code, len(packed) < 3000) == (0, True)
    assert "passed over the text of 1 revision" in out.err
    assert [row["page_title"] for row in rows(tmp_path / "out", "transitions")] == ["Barn"]
