"""Iterating over pages: the wanted ones, counted, up to damage."""

import io
from collections.abc import Collection
from datetime import UTC, datetime

from exports import Page, Revision, export
from make_stub_dump import stub_pieces
from wikibias.dumps.iteration import Tally, iterate_pages
from wikibias.dumps.xml import mwxml_reader
from wikibias.records import Unreadable

PAGES = [
    Page("Mill", [Revision("a"), Revision("b", hidden=frozenset({"text"}))]),
    Page("Mill", [Revision("talk")], namespace=1),
    Page("Hill", [Revision("c")]),
]
XML = export(PAGES)


def read(
    xml: bytes, namespaces: Collection[int] = (0,), limit: int | None = None
) -> tuple[list[tuple[str, int]], Tally, int]:
    """Return title and number of revisions of each page, the counts, and the progress reports."""
    tally, reports = Tally(), list[None]()
    pages = iterate_pages(
        mwxml_reader.read(io.BytesIO(xml)),
        tally,
        namespaces=namespaces,
        limit=limit,
        on_progress=lambda: reports.append(None),
    )
    return [(page.title, len(list(page.revisions))) for page in pages], tally, len(reports)


def test_only_pages_in_the_wanted_namespaces_are_read_and_counted() -> None:
    found, tally, _ = read(XML)
    assert found == [("Mill", 2), ("Hill", 1)]
    assert (tally.pages, tally.revisions, tally.unknown_texts) == (2, 3, 1)
    assert read(XML, namespaces=(0, 1))[1].pages == 3


def test_a_limit_ends_the_iteration_early() -> None:
    found, tally, _ = read(XML, limit=1)
    assert found == [("Mill", 2)]
    assert (tally.pages, tally.error) == (1, None)


def test_damage_ends_the_iteration_and_is_in_the_tally() -> None:
    found, tally, _ = read(XML[: XML.index(b"Hill")])
    assert found == [("Mill", 2)]
    assert tally.error is not None
    assert "cut off" in tally.error


def test_which_pages_and_up_to_when() -> None:
    _, tally, _ = read(XML, namespaces=(0, 1))
    assert (tally.first_page, tally.last_page) == (1, 3)
    assert tally.newest == datetime(2019, 3, 31, 12, tzinfo=UTC)
    assert tally.without_beginning == 0
    assert (Tally().first_page, Tally().newest) == (None, None)


def test_a_page_whose_first_revision_has_a_parent_is_counted() -> None:
    first = XML.index(b"    <revision>")
    second = XML.index(b"    <revision>", first + 1)
    assert read(XML[:first] + XML[second:])[1].without_beginning == 1


def test_a_revision_older_than_the_one_before_is_counted() -> None:
    assert read(XML)[1].steps_back_in_time == 0
    first, second, *rest = XML.split(b"<timestamp>20")
    older = b"<timestamp>20".join([first, b"9" + second[1:], *rest])
    assert read(older)[1].steps_back_in_time == 1


def test_progress_is_reported_for_skipped_pages_and_every_few_revisions() -> None:
    assert read(XML)[2] == 1
    many = export([Page("Mill", [Revision(f"{n}") for n in range(40)])])
    assert read(many)[2] == 2


def test_counts_all_that_is_unreadable_and_names_the_first() -> None:
    tally = Tally()
    for number in range(1000):
        tally.skip(Unreadable("Somewhere", 1, number, "no reason"))
    assert tally.unreadable == 1000
    assert [what.revision for what in tally.first_unreadable] == list(range(100))


def test_texts_that_do_not_match_their_checksums_are_counted_and_the_first_named() -> None:
    tally = Tally()
    dump = mwxml_reader.read(io.BytesIO(XML.replace(b">a<", b">x<").replace(b">c<", b">y<")))
    pages = iterate_pages(
        dump, tally, namespaces=[0], limit=None, on_progress=lambda: None, verify=True
    )
    assert [len(list(page.revisions)) for page in pages] == [2, 1]
    tally.finish()
    assert (tally.wrong_texts, tally.unreadable, tally.has_checksums) == (2, 2, True)
    assert tally.error == (
        "is damaged: 2 texts do not match their checksums, the first that of revision 1 of page "
        "'Mill'; fetch it again"
    )


def test_damage_that_ended_the_reading_comes_first() -> None:
    tally = Tally(wrong_texts=1, first_wrong_text="revision 1 of page 'Mill'", error="is cut off")
    tally.finish()
    assert tally.error == "is cut off"


def test_of_a_stub_dump_no_text_is_lost() -> None:
    pages = [Page("Mill", [Revision("a"), Revision(""), Revision("b")])]
    for schema in ("0.10", "0.11"):
        whole = export(pages, schema=schema)
        for xml, is_stub in ((whole, False), (b"".join(stub_pieces(io.BytesIO(whole))), True)):
            _, tally, _ = read(xml)
            assert tally.unknown_texts == (2 if is_stub else 0)
            tally.finish()
            assert (tally.is_stub, tally.unknown_texts) == (is_stub, 0)


def test_a_dump_that_lost_some_texts_is_no_stub_dump() -> None:
    _, tally, _ = read(export([Page("Mill", [Revision("a"), Revision("b", lost=True)])]))
    tally.finish()
    assert (tally.is_stub, tally.unknown_texts) == (False, 1)
