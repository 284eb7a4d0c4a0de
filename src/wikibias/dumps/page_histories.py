"""Brings the full histories of single pages from a wiki's API, as an export file.

What the wiki answers is kept beside the file until all pages are there, so a run that was stopped
asks only for the rest. Pages are asked for one by one, fifty revisions each, in the order of time.
"""

import bz2
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikibias.dumps import api_export
from wikibias.dumps.web import wiki_api
from wikibias.dumps.web.catalogue import PARTIAL, DumpRequest
from wikibias.dumps.web.http import Web
from wikibias.dumps.web.wiki_api import AT_ONCE, REMEDY, ask, mapping, marks, values
from wikibias.errors import FetchError, UsageError
from wikibias.kits.files import atomic_file, from_json, read_small, to_json, write_bytes
from wikibias.kits.folders import locked, refuse_links
from wikibias.mediawiki import CATEGORY

MOST_PAGES = 100_000
"""For more, a dump costs the wiki less, and who asks."""
_MEMBERS = {"list": "categorymembers", "cmprop": "ids|title", "cmnamespace": "0", "cmlimit": "500"}
_OF_PAGE = {"prop": "revisions", "rvprop": api_export.PROPERTIES, "rvslots": "main"}
_HISTORY = {**_OF_PAGE, "rvlimit": str(AT_ONCE), "rvdir": "newer"}
_NO_PAGE = {"invalid": "no title", "special": "a special page", "missing": "no such page"}
_MOST_NAMED = 10
_LARGEST = 2 * wiki_api.MOST_OF_AN_ANSWER
# Called with how many pages are here, and how many are wanted.
Report = Callable[[int, int], None]
Query = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PagesRequest:
    """The pages to bring: by their titles, or the articles of a category.

    Attributes:
        lang: the language, which begins the name of the file.
        api: the address of the wiki's API.
        titles: of the pages, each once; none with a category.
        category: its name, with or without the prefix; "" with titles.
    """

    lang: str
    api: str
    titles: Sequence[str] = ()
    category: str = ""

    def target(self, folder: Path) -> Path:
        """Return the file, whose name tells one request from another.

        The day in it is that on which a run that was stopped began, else today's.
        """
        asked = "\n".join([self.api, self.category, *sorted(self.titles)])
        end = f"-pages-selected-{sha256(asked.encode()).hexdigest()[:8]}.xml.bz2"
        wiki, now = DumpRequest(self.lang).wiki, f"{datetime.now(UTC):%Y%m%d}"
        begun = sorted(folder.glob(f"{wiki}-{'[0-9]' * 8}{end}{PARTIAL}"))
        return begun[0].with_suffix("") if begun else folder / f"{wiki}-{now}{end}"


@dataclass(frozen=True, slots=True)
class Brought:
    """What a run has brought.

    Attributes:
        path: the export file.
        pages: how many are in it.
        revisions: how many are in it.
        left: the titles that are not in it, and why.
    """

    path: Path
    pages: int
    revisions: int
    left: Sequence[tuple[str, str]]


def bring(wanted: PagesRequest, folder: Path, web: Web, report: Report) -> Brought:
    """Ask a wiki for all revisions of some pages, and write them as an export file.

    The questions are one about the wiki, one for each 500 articles of a category, and for each page
    one for each fifty revisions begun; more where the wiki holds fifty too large for an answer.

    Args:
        wanted: the pages.
        folder: the folder of the file; made where there is none.
        web: asks for them.
        report: takes the progress.

    Raises:
        UsageError: none of the pages is there, or they are too many; another run is at work.
        FetchError: the wiki cannot be reached, refuses, or answers what no wiki does; what it told
            before is kept.
        DiskError: the folder cannot be written to.
    """
    try:
        head, names = api_export.export_head(ask(web, wanted.api, api_export.SITE)["query"])
    except api_export.ODD as error:
        raise _odd(wanted.api, "itself", error) from error
    # Behind this character "|" parts no titles.
    pages: dict[str, Query] = {title: {"titles": f"\x1f{title}"} for title in wanted.titles}
    if wanted.category:
        pages = _members(web, wanted, names)
    with locked(folder):
        target = wanted.target(folder)
        kept = target.with_name(target.name + PARTIAL)
        refuse_links(folder, [kept.name])
        history = partial(_history, web, wanted.api, kept)
        found, left = dict[int, Query](), list[tuple[str, str]]()
        for number, (title, query) in enumerate(pages.items(), 1):
            try:
                found.setdefault(max(page for page, _, _ in history(query)), query)
            except _LeftOutError as why:
                left.append((title, str(why)))
            report(number, len(pages))
        if not found:
            raise UsageError(f"{wanted.api}: no page to write: {named(left)}; check the titles")
        revisions = _write(target, head, (history(found[page]) for page in sorted(found)))
        shutil.rmtree(kept, ignore_errors=True)
    return Brought(target, len(found), revisions, left)


def named(left: Sequence[tuple[str, str]]) -> str:
    """Return the first titles that were left out, and why, for a line."""
    more = [f"{len(left) - _MOST_NAMED:,} more"] if left[_MOST_NAMED:] else []
    return ", ".join([f"{title[:99]!r} ({why})" for title, why in left[:_MOST_NAMED]] + more)


def _write(target: Path, head: bytes, histories: Iterable[Iterator["_Piece"]]) -> int:
    """Write the export file, whole or not at all; return how many revisions are in it."""
    written = 0
    with atomic_file(target, keep=True) as temporary, bz2.open(temporary, "wb") as file:
        file.write(head)
        for history in histories:
            for number, (_, opening, revisions) in enumerate(history):
                file.writelines([] if number else [opening])
                file.writelines(xml for _, _, xml in revisions)
                written += len(revisions)
            file.write(b"  </page>\n")
        file.write(b"</mediawiki>\n")
    return written


def _odd(api: str, what: str, error: Exception) -> FetchError:
    return FetchError(f"{api}: tells of {what} what no wiki does ({error!r:.99}); {REMEDY}")


def _members(web: Web, wanted: PagesRequest, names: Mapping[int, str]) -> dict[str, Query]:
    """Return for the title of each article of a category the query that asks for it.

    Raises:
        UsageError: there is none, or there are too many.
        FetchError: as `bring`.
    """
    name = wanted.category.removeprefix(f"{names.get(CATEGORY)}:").removeprefix("Category:")
    found, further = dict[str, Query](), dict[str, str]()
    # A wiki that saves work may answer with few members, or none, and marks to go on from.
    for _ in range(MOST_PAGES // 100):
        answer = ask(web, wanted.api, {**further, **_MEMBERS, "cmtitle": f"Category:{name}"})
        for each in map(mapping, values(mapping(answer.get("query")).get("categorymembers"))):
            found[str(each.get("title"))] = {"pageids": str(each.get("pageid"))}
        if not (further := marks(answer)):
            break
    if further or len(found) > MOST_PAGES:
        raise UsageError(f"category {name!r}: over {MOST_PAGES:,} articles; download the dump")
    if not found:
        raise UsageError(f"{wanted.api}: no article is in a category {name!r}; check its name")
    return found


# What an answer tells of a page: its id, what stands before its revisions, and some of them.
_Piece = tuple[int, bytes, list[tuple[datetime, int, bytes]]]


class _LeftOutError(Exception):
    """A page cannot be had; the message says why."""


def _history(web: Web, api: str, folder: Path, query: Query) -> Iterator[_Piece]:
    """Yield what the wiki tells of a page; each answer is kept in the folder, and asked for once.

    Raises:
        _LeftOutError: there is no such page, or no longer.
        FetchError: as `bring`.
    """
    page, last, further = 0, tuple[Any, ...](), {"continue": ""}
    while further:
        asked = {**further, **_HISTORY, **query}
        place = folder / sha256(to_json(asked).encode()).hexdigest()[:32]
        answer = _kept(place) or ask(web, api, asked)
        piece = page, _, revisions = _piece(api, page, answer)
        further, times = marks(answer), [last, *(each[:2] for each in revisions)]
        if times != sorted(set(times)):
            raise FetchError(f"{api}: tells of page {page} in no order; {REMEDY}")
        if not place.is_file():
            write_bytes(place, zlib.compress(to_json(answer).encode(errors="replace")))
        # A page that is moved keeps its id.
        last, query = times[-1], {"pageids": str(page)}
        yield piece


def _piece(api: str, page: int, answer: Mapping[str, Any]) -> _Piece:
    """Return what an answer tells, where it goes on with a page, or with 0 begins one."""
    told = mapping(next(iter(values(mapping(answer.get("query")).get("pages"))), None))
    why = next((why for key, why in _NO_PAGE.items() if told.get(key)), "")
    if why or page not in (0, told.get("pageid")) or not told.get("revisions"):
        raise _LeftOutError("deleted meanwhile" if page else why or "not on this wiki")
    try:
        revisions = [*map(api_export.export_revision, values(told["revisions"]))]
        return (*api_export.page_head(told), revisions)
    except api_export.ODD as error:
        raise _odd(api, f"{str(told.get('title'))[:99]!r}", error) from error


def _kept(place: Path) -> Any:
    """Return an answer that was kept; None where there is none, or it is damaged."""
    try:
        return from_json(zlib.decompressobj().decompress(read_small(place), _LARGEST))
    except (OSError, ValueError, zlib.error):
        return None
