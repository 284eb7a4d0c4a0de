"""Iterating over pages: the wanted ones, counted, up to damage."""

import io
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from exports import Page, Revision, export
from months import stub_of
from wikibias import records
from wikibias.dumps.iteration import File, Tally, iterate_pages, merge_files
from wikibias.dumps.xml import mwxml_reader
from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError
from wikibias.records import ReadRevision, Site, Unreadable

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
        for xml, is_stub in ((whole, False), (stub_of(whole), True)):
            _, tally, _ = read(xml)
            assert tally.unknown_texts == (2 if is_stub else 0)
            tally.finish()
            assert (tally.is_stub, tally.unknown_texts) == (is_stub, 0)


def test_a_dump_that_lost_some_texts_is_no_stub_dump() -> None:
    _, tally, _ = read(export([Page("Mill", [Revision("a"), Revision("b", lost=True)])]))
    tally.finish()
    assert (tally.is_stub, tally.unknown_texts) == (False, 1)


SITE = Site(wiki="enwiki", base="", lang="en", namespaces={})
START = datetime(2020, 1, 1, tzinfo=UTC)
# A revision is (hour, id); a page (id, revisions); a file a list of pages.
Place = tuple[int, int]
Pages = Sequence[tuple[int, Sequence[Place]]]
Cut = tuple[list[Pages], dict[int, list[Place]]]


class Untouched(ReadRevision):
    """A revision whose text must not be read, since reading would decode it."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name == "text":
            raise AssertionError("the text was read")
        return super().__getattribute__(name)


def revision(place: Place) -> records.Revision:
    """Return a revision with an hour and an id."""
    hour, number = place
    return Untouched(number, START + timedelta(hours=hour), "", "", "", None, "hidden")


@dataclass
class Shelf:
    """Files that can be opened, and a count of open ones."""

    files: Sequence[Pages]
    # The number of revisions before the damage of a file; -1: not even its start can be read.
    damaged: dict[int, int] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    most_open: int = 0

    @contextmanager
    def opened(self, number: int) -> Iterator[Dump]:
        assert number not in self.open
        self.open.add(number)
        self.most_open = max(self.most_open, len(self.open))
        try:
            if self.damaged.get(number) == -1:
                raise DumpError("is empty")
            left = iter(range(self.damaged.get(number, 10_000)))
            yield Dump(SITE, self._pages(number, left))
        finally:
            self.open.remove(number)

    def _pages(self, number: int, left: Iterator[int]) -> Iterator[records.Page]:
        for page_id, places in self.files[number]:
            revisions = self._revisions(places, left)
            yield records.Page(page_id, f"Page {page_id} of {number}", 0, revisions)
            for _ in revisions:
                pass
        if number in self.damaged:
            raise DumpError("is cut off")

    def _revisions(
        self, places: Sequence[Place], left: Iterator[int]
    ) -> Iterator[records.Revision]:
        for place in places:
            if next(left, None) is None:
                raise DumpError("is cut off")
            yield revision(place)

    def names(self) -> list[File]:
        """Return the files to merge, named 0.xml, 1.xml, ..."""

        def first(number: int) -> int:
            return min((i for _, places in self.files[number] for _, i in places), default=0)

        return [
            File(f"{number}.xml", first(number), partial(self.opened, number))
            for number in range(len(self.files))
        ]


def merged(shelf: Shelf, skip: Sequence[int] = ()) -> tuple[list[tuple[int, list[Place]]], str]:
    """Return the pages of the merged files except those to skip, and the error, if any."""
    found: list[tuple[int, list[Place]]] = []
    try:
        with merge_files(shelf.names()) as dump:
            for page in dump.pages:
                if page.id in skip:
                    continue
                found.append((page.id, []))
                for revision in page.revisions:
                    hour = (revision.timestamp - START) // timedelta(hours=1)
                    found[-1][1].append((hour, revision.id))
    except DumpError as error:
        return found, str(error)
    finally:
        assert shelf.open == set()
    return found, ""


places = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 40)), max_size=24, unique_by=lambda place: place[1]
)


@st.composite
def split(draw: st.DrawFn, *, growing: bool = False) -> Cut:
    """Return pages split over files, with some revisions in two files, and the whole pages.

    Unless `growing`, ids need not grow with time, as those of imported revisions do not.
    """
    number = draw(st.integers(1, 5))
    whole = {page_id: sorted(draw(places)) for page_id in draw(st.sets(st.integers(1, 9)))}
    if growing:
        ids = {page_id: sorted(i for _, i in found) for page_id, found in whole.items()}
        whole = {
            page_id: [(hour, i) for (hour, _), i in zip(found, ids[page_id], strict=True)]
            for page_id, found in whole.items()
        }
    owners = st.sets(st.integers(0, number - 1), min_size=1, max_size=2)
    files: list[Pages] = []
    mine = {place: draw(owners) for page_id in whole for place in whole[page_id]}
    for file in range(number):
        pages = {
            page_id: [place for place in whole[page_id] if file in mine[place]]
            for page_id in sorted(whole)
        }
        files.append([(page_id, found) for page_id, found in pages.items() if found])
    return files, {page_id: found for page_id, found in sorted(whole.items()) if found}


@settings(max_examples=50)
@given(split(), st.sets(st.integers(1, 9)))
def test_pages_are_merged_however_they_are_split_or_skipped(cut: Cut, skip: set[int]) -> None:
    files, whole = cut
    found, damage = merged(Shelf(files), sorted(skip))
    assert damage == ""
    assert found == [item for item in whole.items() if item[0] not in skip]


@settings(max_examples=50)
@given(st.booleans().flatmap(lambda growing: split(growing=growing)), st.data())
def test_a_page_ends_at_the_damage_of_one_of_its_files(cut: Cut, data: st.DataObject) -> None:
    """Each page is a prefix of the whole one: no revision between two others is missing."""
    files, whole = cut
    bad = data.draw(st.integers(0, len(files) - 1))
    length = sum(len(found) for _, found in files[bad])
    growing = all([i for _, i in found] == sorted(i for _, i in found) for found in whole.values())
    # If nothing of a file can be read, only ids show which revisions are missing.
    least = -1 if growing else min(1, length)
    shelf = Shelf(files, {bad: data.draw(st.integers(least, length))})
    found, damage = merged(shelf)
    assert f"{bad}.xml is" in damage
    for page_id, places in found:
        assert places == whole[page_id][: len(places)]


def pages(*hours: Sequence[int]) -> list[Pages]:
    """Return files with revisions of page 7 at these hours; the id is the hour and 100."""
    return [[(7, [(hour, 100 + hour) for hour in its])] for its in hours]


def test_files_are_open_one_after_the_other() -> None:
    shelf = Shelf(pages(range(5), range(5, 9), range(9, 30), [30]))
    assert merged(shelf)[1] == ""
    assert shelf.most_open == 1
    shelf = Shelf(pages([1, 9], [2, 3], [4, 5], [6, 12], [20]))
    assert [hour for hour, _ in merged(shelf)[0][0][1]] == [1, 2, 3, 4, 5, 6, 9, 12, 20]
    assert shelf.most_open == 2


def test_revisions_before_a_file_that_cannot_be_opened_are_kept() -> None:
    files = pages([1, 2], [3, 4], [5], [6])
    found, damage = merged(Shelf(files, {2: -1}))
    assert found == [(7, [(hour, 100 + hour) for hour in (1, 2, 3, 4)])]
    assert damage == "is incomplete: 2.xml is empty"
    # If the times of the files overlap, fewer revisions are certain.
    found, damage = merged(Shelf(pages([1, 2, 7], [3, 4], [5]), {1: -1}))
    assert found == [(7, [(1, 101), (2, 102)])]


def test_damage_at_the_end_of_a_file_ends_the_page() -> None:
    found, damage = merged(Shelf(pages([1, 2], [3, 4], [5]), {1: 2}))
    assert found == [(7, [(hour, 100 + hour) for hour in (1, 2, 3, 4)])]
    assert damage == "is incomplete: 1.xml is cut off"


def test_pages_out_of_order_are_refused() -> None:
    """Merging them would need all pages in memory."""
    found, damage = merged(Shelf([[(7, [(1, 1)])], [(9, [(2, 2)]), (7, [(3, 3)])]]))
    assert "1.xml has page 7 after page 9" in damage
    assert found[0] == (7, [(1, 1)])


def test_the_title_is_that_of_the_first_file() -> None:
    with merge_files(Shelf(pages([5], [1])).names()) as dump:
        assert [page.title for page in dump.pages] == ["Page 7 of 0"]


def test_files_without_pages() -> None:
    assert merged(Shelf([[], []])) == ([], "")


def test_the_first_file_must_be_readable() -> None:
    assert merged(Shelf(pages([1], [2]), {0: -1})) == ([], "is incomplete: 0.xml is empty")
