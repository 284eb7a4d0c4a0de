"""Revisions as MediaWiki writes them are parsed with patterns; all others are refused."""

import pickle
import re
from xml.etree.ElementTree import ParseError, fromstring
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import SCHEMAS, Page, Revision, export
from wikibias.dumps.xml import revision_parser
from wikibias.dumps.xml.revision_parser import ODD, compiled
from wikibias.mediawiki import base36_sha1

REVISION = Revision('A <b>village</b> & "more"', comment="it's new")


def first(xml: bytes) -> tuple[bytes, int]:
    """Return the bytes of an export, and where its first revision starts."""
    return xml, xml.index(b"<revision>")


def scanned(xml: bytes, at: int) -> revision_parser.ScannedRevision:
    found = revision_parser.around_text(xml, at)
    assert found is not None
    return revision_parser.ScannedRevision(*found, "Mill", frozenset())


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_revision_of_every_schema(schema: str) -> None:
    xml, at = first(export([Page("Mill", [REVISION])], schema=schema))
    revision = scanned(xml, at)
    assert (revision.text, revision.comment) == (REVISION.text, REVISION.comment)
    assert (revision.editor, revision.editor_kind) == (REVISION.user, "registered")
    found = revision_parser.around_text(xml, at)
    assert found is not None
    assert xml[: found[1].end()].endswith(b"</revision>")
    stated = b"<sha1>" in revision.chunk or b" sha1=" in revision.chunk
    assert revision.checksum == (base36_sha1(REVISION.text or "") if stated else None)
    assert revision.size in (len(REVISION.text or ""), None)


def test_attributes_may_come_in_any_order() -> None:
    xml, at = first(export([Page("Mill", [REVISION])]))
    attributes = b'<text id="x" sha1="abc" xml:space="preserve" location="tt:1" bytes="7">'
    revision = scanned(re.sub(b"<text[^>]*>", attributes, xml), at)
    assert (revision.checksum, revision.size) == ("abc", 7)


@pytest.mark.parametrize(
    "change",
    [(b"<text", b"<text odd='x'"), (b"</text>", b"</text><!-- -->"), (b"<id>", b"<upload/><id>")],
    ids=["attribute", "comment", "element"],
)
def test_anything_else_is_left_to_the_reference_reader(change: tuple[bytes, bytes]) -> None:
    xml, at = first(export([Page("Mill", [REVISION])]))
    changed = xml[:at] + xml[at:].replace(*change, 1)
    assert revision_parser.around_text(changed, at) is None


def test_two_equal_texts_are_found_equal_without_decoding() -> None:
    xml = export([Page("Mill", [REVISION, REVISION, Revision("another")])], schema="0.4")
    revisions = revisions_of(xml)
    assert revisions[1].repeats(revisions[0])
    assert not revisions[2].repeats(revisions[0])


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=30))
def test_plain_text_decodes_the_escapes_of_mediawiki(text: str) -> None:
    assert revision_parser.plain_text(escape(text, {'"': "&quot;", "'": "&#039;"}).encode()) == text


@given(st.lists(st.sampled_from(["a", "é", "&amp;", "&#80;", "&x;", "&", "<", "\r\n", "\0"])))
def test_plain_text_agrees_with_an_xml_parser(tokens: list[str]) -> None:
    raw = "".join(tokens).replace("<", "&lt;").encode()
    try:
        expected = fromstring(b"<t>%b</t>" % raw).text or ""
    except ParseError:
        with pytest.raises(ValueError, match=r"."):
            revision_parser.plain_text(raw)
    else:
        assert revision_parser.plain_text(raw) == expected


def revisions_of(xml: bytes) -> list[revision_parser.ScannedRevision]:
    starts = [at for at in range(len(xml)) if xml.startswith(b"<revision>", at)]
    return [scanned(xml, at) for at in starts]


def test_the_parent_is_told_where_the_dump_tells_it() -> None:
    page = Page("Mill", [REVISION, REVISION])
    assert [r.parent_id for r in revisions_of(export([page]))] == [None, 1]
    assert [r.parent_id for r in revisions_of(export([page], schema="0.4"))] == [None, None]


@pytest.mark.parametrize("apostrophe", [b"&#039;", b"'"])
def test_words_are_found_without_decoding(apostrophe: bytes) -> None:
    text = """It's a <b>village</b> & "more", says l'abbé."""
    raw = escape(text, {'"': "&quot;"}).encode().replace(b"'", apostrophe)
    xml = export([Page("Mill", [Revision("TEXT")])], sha1=False).replace(b"TEXT", raw)
    (revision,) = revisions_of(xml)
    for start in range(0, len(text), 3):
        assert revision.holds(text[start : start + 9])
    assert not revision.holds("its a")
    assert not revision.holds("copy-edit")


def test_a_text_that_is_only_looked_at_is_not_kept() -> None:
    (revision,) = revisions_of(export([Page("Mill", [REVISION])]))
    assert revision.peek() == revision.peek() == REVISION.text
    assert revision.peek() is not revision.peek()
    assert revision.text is revision.text
    assert revision.peek() is revision.text


def test_a_text_keeps_its_utf_8() -> None:
    text = 'L\'abbé says: 麦 & "more"'
    (revision,) = revisions_of(export([Page("Mill", [Revision(text)])]))
    found = revision.text
    assert found == text
    assert found is not None
    assert found.encode() is found.encode()
    assert found.encode() == text.encode()
    assert found.encode("utf-16") == text.encode("utf-16")
    assert type(pickle.loads(pickle.dumps(found))) is str


@pytest.mark.parametrize(("schema", "has_checksums"), [("0.11", True), ("0.4", False)])
def test_keys_tell_texts_apart(schema: str, has_checksums: bool) -> None:
    texts = ["A mill.", "A mill & a barn.", "A mill.", "", "A lake."]
    page = Page("Mill", [Revision(text) for text in texts])
    keys = [revision.text_key for revision in revisions_of(export([page], schema=schema))]
    assert keys[0] == keys[2]
    assert len({*keys[:2], keys[3]}) == 3
    assert (keys[0] == keys[4]) is not has_checksums


def test_the_text_as_it_stands_in_the_xml() -> None:
    known, hidden = revisions_of(
        export([Page("Mill", [REVISION, Revision("x", hidden=frozenset({"text"}))])])
    )
    assert known.raw_text is not None
    assert revision_parser.scanned_text(known.raw_text) == known.text
    assert hidden.raw_text is None


@given(st.binary(max_size=20))
def test_patterns_match_raw_bytes_as_re_does(content: bytes) -> None:
    pattern = rb"[\x80-\xff]+|[^a-z\n]x|&(?:lt|gt);"
    ours, theirs = compiled(pattern).search(content), re.compile(pattern).search(content)
    assert (ours and ours.span()) == (theirs and theirs.span())


@pytest.mark.parametrize("reference", [b"&apos;", b"&#39;", b"&#x7b;", b"&nbsp;", b"&lt ", b"& b"])
def test_any_reference_that_mediawiki_does_not_write_is_odd(reference: bytes) -> None:
    found = ODD.search(b"&lt; &gt; &amp; &quot; &#039; " + reference + b" b")
    assert found is not None
    assert found.start() == len(b"&lt; &gt; &amp; &quot; &#039; ")
