"""A stub dump made of a dump: all but the texts, in the form of the schema."""

import io

import pytest

import make_stub_dump
from exports import SCHEMAS, Page, Revision, export
from make_stub_dump import stub_pieces
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.mediawiki.revisions import base36_sha1

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
