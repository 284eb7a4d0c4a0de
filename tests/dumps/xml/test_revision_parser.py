"""Revisions as MediaWiki writes them are parsed with patterns; all others are refused."""

from __future__ import annotations

from xml.etree.ElementTree import ParseError, fromstring
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import SCHEMAS, Page, Revision, export
from wikibias.dumps.xml.revision_parser import (
    ScannedRevision,
    end_of_revision,
    plain_text,
    revision_at,
)

REVISION = Revision('A <b>village</b> & "more"', comment="it's new")


def first(xml: bytes) -> tuple[bytes, int]:
    """Return the bytes of an export, and where its first revision starts."""
    return xml, xml.index(b"<revision>")


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_revision_of_every_schema(schema: str) -> None:
    xml, at = first(export([Page("Mill", [REVISION])], schema=schema))
    found = revision_at(xml, at, "Mill", frozenset())
    assert found is not None
    revision, end = found
    assert (revision.text, revision.comment) == (REVISION.text, REVISION.comment)
    assert (revision.editor, revision.editor_kind) == (REVISION.user, "registered")
    assert xml[:end].endswith(b"</revision>")
    assert end_of_revision(xml, at) == end


def test_a_suppressed_text_is_unknown() -> None:
    hidden = Revision("secret", hidden=frozenset({"text", "user", "comment"}))
    found = revision_at(*first(export([Page("Mill", [hidden])])), "Mill", frozenset())
    assert found is not None
    assert (found[0].has_text, found[0].text, found[0].comment) == (False, None, "")
    assert found[0].editor_kind == "hidden"


@pytest.mark.parametrize(
    "change",
    [(b"<text", b"<text odd='x'"), (b"</text>", b"</text><!-- -->"), (b"<id>", b"<upload/><id>")],
    ids=["attribute", "comment", "element"],
)
def test_anything_else_is_left_to_the_reference_reader(change: tuple[bytes, bytes]) -> None:
    xml, at = first(export([Page("Mill", [REVISION])]))
    changed = xml[:at] + xml[at:].replace(*change, 1)
    assert revision_at(changed, at, "Mill", frozenset()) is None
    assert end_of_revision(changed, at) is None


def test_two_equal_texts_are_found_equal_without_decoding() -> None:
    xml = export([Page("Mill", [REVISION, REVISION, Revision("another")])], schema="0.4")
    starts = [at for at in range(len(xml)) if xml.startswith(b"<revision>", at)]
    revisions = [found[0] for at in starts if (found := revision_at(xml, at, "M", frozenset()))]
    assert revisions[1].repeats(revisions[0])
    assert not revisions[2].repeats(revisions[0])


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=30))
def test_plain_text_decodes_the_escapes_of_mediawiki(text: str) -> None:
    assert plain_text(escape(text, {'"': "&quot;", "'": "&#039;"}).encode()) == text


@given(st.lists(st.sampled_from(["a", "é", "&amp;", "&#80;", "&x;", "&", "<", "\r\n", "\0"])))
def test_plain_text_agrees_with_an_xml_parser(tokens: list[str]) -> None:
    raw = "".join(tokens).replace("<", "&lt;").encode()
    try:
        expected = fromstring(b"<t>%b</t>" % raw).text or ""
    except ParseError:
        with pytest.raises(ValueError, match=r"."):
            plain_text(raw)
    else:
        assert plain_text(raw) == expected


def revisions_of(xml: bytes) -> list[ScannedRevision]:
    starts = [at for at in range(len(xml)) if xml.startswith(b"<revision>", at)]
    return [found[0] for at in starts if (found := revision_at(xml, at, "M", frozenset()))]


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
