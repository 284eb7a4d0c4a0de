"""The reference reader: texts that are known, blank or missing, and messages about damage."""

from __future__ import annotations

import hashlib
import io

import pytest

from exports import SCHEMAS, Page, Revision, export
from wikibias.dumps.xml.mwxml_reader import blank_words, read, says_blank, words
from wikibias.errors import DumpError
from wikibias.mediawiki.revisions import base36_sha1

XML = export([Page("Mill", [Revision("a"), Revision("b")]), Page("Hill", [Revision("c")])])


@pytest.mark.parametrize("schema", SCHEMAS)
def test_pages_and_revisions_of_every_schema(schema: str) -> None:
    pages = [Page("Mill", [Revision("a"), Revision("b")], namespace=1)]
    dump = read(io.BytesIO(export(pages, schema=schema)))
    found = [(p.title, p.namespace, [(r.id, r.text) for r in p.revisions]) for p in dump.pages]
    assert found == [("Talk:Mill", 1, [(1, "a"), (2, "b")])]


@pytest.mark.parametrize("text", ["", "a", "été"])
def test_the_checksum_is_sha1_in_base_36(text: str) -> None:
    checksum = base36_sha1(text)
    assert len(checksum) == 31
    assert int(checksum, 36) == int(hashlib.sha1(text.encode()).hexdigest(), 16)


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
