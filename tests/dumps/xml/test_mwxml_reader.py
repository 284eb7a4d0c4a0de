"""The reference reader: texts that are known, blank or missing, and messages about damage."""

import io
from typing import Any
from xml.etree.ElementTree import ParseError

import pytest

from exports import Page, Revision, export
from matchers import TAGSETS
from paths import cases
from wikibias.config.choices import Reader
from wikibias.config.languages import load_language
from wikibias.dumps.xml.mwxml_reader import (
    NoExportError,
    Place,
    blank_words,
    damage,
    id_of,
    namespace_of,
    parent_of,
    read,
    says_blank,
    time_of,
    words,
)
from wikibias.errors import DumpError, FetchError
from wikibias.mediawiki import base36_sha1
from wikibias.pipeline.detect import reader_of
from wikibias.records import Unreadable

XML = export([Page("Mill", [Revision("a"), Revision("b")]), Page("Hill", [Revision("c")])])


@pytest.mark.parametrize(
    ("sha1", "size", "summary", "expected"),
    [
        (base36_sha1(""), None, "", True),
        (base36_sha1(""), 0, "", True),
        (None, 0, "", True),
        (None, None, "Blanked the page", True),
        (base36_sha1("a"), None, "Blanked the page", False),
        (base36_sha1("a"), 0, "", False),
        (None, 7, "Blanked the page", False),
        (None, 7, "", False),
        (None, None, "", False),
    ],
)
def test_an_empty_text_is_blank_only_if_the_dump_says_so(
    sha1: str | None, size: int | None, summary: str, expected: object
) -> None:
    blank = blank_words(["Blanked the page"])
    assert says_blank(sha1, size, lambda: summary, blank) is expected


def test_links_arrows_and_punctuation_do_not_count_in_summaries_of_blanked_pages() -> None:
    blank = blank_words(["[[WP:AES|←]] Blanked the page"])
    assert words("←Blanked the page.") in blank
    assert words("Blanked a page") not in blank
    assert words("") not in blank_words([""]) or words("") == "\0"


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        (b"a letter", "is no MediaWiki export; give a file such as"),
        (b"<rss/>", "its root element is <rss>"),
        (XML[:-30], "is cut off: it ends in page 'Hill'; fetch it again"),
        (XML.replace(b"<text", b"<txet", 1), "in page 'Mill'"),
        (XML + b"<mediawiki/>", "has content after </mediawiki>"),
    ],
    ids=["text", "rss", "truncated", "tag", "two dumps"],
)
def test_a_message_says_where_the_damage_is_and_what_to_do(xml: bytes, said: str) -> None:
    def read_all() -> None:
        for page in read(io.BytesIO(xml)).pages:
            list(page.revisions)

    with pytest.raises(DumpError) as caught:
        read_all()
    assert said in str(caught.value)


PLACE = Place("Mill", 7)
WHERE = "in page 'Mill' after revision 7"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (EOFError(), f"is cut off: the archive ends {WHERE}; fetch it again"),
        (OSError("a block"), f"is damaged {WHERE} (a block); fetch it again"),
        (FetchError("lost"), f"broke off {WHERE}: lost"),
        (
            NoExportError("is no MediaWiki export: it has a tag of over 9 bytes"),
            f"is no MediaWiki export: it has a tag of over 9 bytes {WHERE}",
        ),
        (
            ParseError("no element found: line 1, column 0"),
            f"is cut off: it ends {WHERE}; fetch it again",
        ),
        (DumpError("is empty"), "is empty"),
    ],
)
def test_a_message_says_where_the_damage_is(error: Exception, said: str) -> None:
    assert str(damage(error, PLACE)) == said


READERS: tuple[Reader, ...] = ("fast", "mwxml")
XML_VALUES = export(
    [
        Page("Barn", [Revision(f"text {number}") for number in range(10)]),
        Page(
            "Mill",
            [
                Revision("{{POV}} a text", "Al", "first"),
                Revision("a text that is longer", "Tam", "second"),
                Revision("the last text", "Tam", "third"),
            ],
        ),
        Page("Hill", [Revision("a hill")]),
    ]
).replace(b"<id>2</id>\n    <revision>", b"<id>1</id>\n    <revision>", 1)
START = XML_VALUES.index(b"  <page>\n    <title>Mill")


def mended(old: str, new: str) -> bytes:
    """Return the export with a value of the page "Mill" replaced."""
    page = XML_VALUES[START:]
    new = new.replace("@MANY@", "a" * 70_000).replace("@DIGITS@", "1" * 5000)
    assert old.encode() in page, old
    return XML_VALUES[:START] + page.replace(old.encode(), new.encode(), 1)


def read_all(xml: bytes, reader: Reader) -> tuple[list[Any], list[Unreadable]]:
    """Return the pages with the ids of their revisions, and what cannot be worked out."""
    lost: list[Unreadable] = []
    read = reader_of(load_language("en"), TAGSETS["en"], reader, lost.append)
    pages = read(io.BufferedReader(io.BytesIO(xml))).pages
    return [(page.title, page.id, [each.id for each in page.revisions]) for page in pages], lost


@pytest.mark.parametrize("case", cases("bad_pages"))
def test_a_page_ends_where_a_value_is_impossible_and_the_next_is_read(case: Any) -> None:
    xml = mended(case["old"], case["new"])
    for reader in READERS:
        pages, lost = read_all(xml, reader)
        barn, *mill, hill = pages
        assert (barn[0], len(barn[2])) == ("Barn", 10)
        assert hill == ("Hill", 3, [14])
        assert mill == ([] if case.get("head") else [("Mill", 1, [11])])
        (what,) = lost
        named = (what.page, what.page_id, what.revision)
        head = (case.get("title", "Mill"), None, None)
        assert named == (head if case.get("head") else ("Mill", 1, case.get("revision")))
        assert case["cause"] in what.cause
        assert len(what.cause) < 200


@pytest.mark.parametrize("reader", READERS)
def test_bad_pages_that_nobody_reads_are_not_named(reader: Reader) -> None:
    xml = mended("<timestamp>2019-06-19T", "<timestamp>2019-02-30T")
    read = reader_of(load_language("en"), TAGSETS["en"], reader)
    assert [page.title for page in read(io.BytesIO(xml)).pages] == ["Barn", "Mill", "Hill"]


@pytest.mark.parametrize("reader", READERS)
def test_without_anybody_to_report_to_a_bad_page_ends_the_part(reader: Reader) -> None:
    read = reader_of(load_language("en"), TAGSETS["en"], reader)
    with pytest.raises(DumpError, match="in page 'Mill': its <id> 'x' is not possible"):
        list(read(io.BytesIO(mended("<id>1</id>", "<id>x</id>"))).pages)


@pytest.mark.parametrize("reader", READERS)
def test_every_bad_page_is_named(reader: Reader) -> None:
    xml = XML_VALUES.replace(b"<id>1</id>", b"<id>x</id>").replace(b"<id>14</id>", b"<id>y</id>")
    pages, lost = read_all(xml, reader)
    assert pages == [("Hill", 3, [])]
    assert [what.page for what in lost] == ["Barn", "Mill", "Hill"]


def test_the_largest_and_the_smallest_values() -> None:
    assert id_of(str(2**63 - 1)) == 2**63 - 1
    assert id_of("0") == 0
    assert namespace_of("-2") == -2
    assert time_of("1000-01-01T00:00:00Z").year == 1000
    assert time_of("9999-12-31T23:59:59Z").year == 9999


@pytest.mark.parametrize(
    ("given", "parent"), [(None, None), (0, 0), (7, 7), (-1, None), (1 << 63, None)]
)
def test_a_parent_that_is_not_possible_is_none(given: int | None, parent: int | None) -> None:
    assert parent_of(given) == parent
