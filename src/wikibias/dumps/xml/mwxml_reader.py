"""The reference reader: reads pages and revisions with mwxml. Faster readers are tested against it.

A reader is a function `read(stream, blank_summaries) -> Dump`. A page is an iterator of revisions,
so that only one revision is in memory.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BufferedIOBase
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import ParseError

import mwxml
from mwxml.element_iterator import ElementIterator
from mwxml.errors import MalformedXML

from wikibias.dumps.compression.streams import DAMAGE
from wikibias.errors import DumpError, FetchError
from wikibias.mediawiki.accounts import editor_kind
from wikibias.records import LONGEST_TEXT, Page, ReadRevision, Revision, Site

# mwxml logs warnings about revisions that it reads anyway; users should not see them.
logging.getLogger("mwxml").addHandler(logging.NullHandler())
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# What mwxml raises if a value is missing or malformed.
_MALFORMED = (MalformedXML, AssertionError, AttributeError, KeyError, TypeError, ValueError)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# Everything in an edit summary except words: links such as [[WP:AES|←]], arrows, punctuation.
_NOT_WORDS = re.compile(r"\[\[[^\[\]]*\]\]|[\W_]+")


@dataclass(frozen=True, slots=True)
class Dump:
    """An open dump: its wiki, and an iterator over its pages in order."""

    site: Site
    pages: Iterator[Page]


@dataclass(slots=True)
class Place:
    """The position of a reader, for error messages."""

    title: str | None = None
    revision: int | None = None

    def __str__(self) -> str:
        if self.title is None:
            return "before its first page"
        after = f" after revision {self.revision}" if self.revision is not None else ""
        return f"in page {self.title!r}{after}"


def read(
    stream: BufferedIOBase, blank_summaries: Iterable[str] = (), place: Place | None = None
) -> Dump:
    """Read a MediaWiki export, schema 0.3 to 0.11, from its XML bytes.

    `blank_summaries` are the edit summaries that MediaWiki itself writes when a page is blanked.
    `place` is the position of another reader, if this one takes over from it.

    Raises:
        DumpError: the stream is no export, not well-formed, or a damaged archive; also raised
            later, from the iterators, with the page in the message.
    """
    place = place or Place()
    try:
        root = ElementIterator.from_file(stream)
        if root.tag != "mediawiki":
            raise DumpError(f"is no MediaWiki export: its root element is <{root.tag}>")
        export = mwxml.Dump.from_element(root)
    except (ParseError, *DAMAGE, *_MALFORMED) as error:
        raise _damage(error, place) from error
    site = _site(export.site_info, root.attr(_LANG))
    return Dump(site, _pages(export, root, site, place, blank_words(blank_summaries)))


def blank_words(summaries: Iterable[str]) -> frozenset[str]:
    """Return the words of the summaries that MediaWiki writes when a page is blanked."""
    return frozenset(words(summary) for summary in summaries)


def base36_sha1(text: str) -> str:
    """Return MediaWiki's checksum of a text: SHA-1 in base 36, 31 digits."""
    number = int.from_bytes(hashlib.sha1(text.encode(), usedforsecurity=False).digest())
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits.rjust(31, "0")


_BLANK_SHA1 = base36_sha1("")


def known_text(
    text: str | None, sha1: str | None, size: int | None, *, suppressed: bool, says_blank: bool
) -> str | None:
    """Return a revision's text, or None if it is not in the dump or too long.

    An empty text means a blanked page only if the checksum, the byte count or, in a dump without
    checksums, MediaWiki's own summary says so. Otherwise the text is missing from the dump.
    """
    if suppressed or len(text or "") > LONGEST_TEXT:
        return None
    if text:
        return text
    return "" if sha1 == _BLANK_SHA1 or size == 0 or (says_blank and not sha1) else None


def _site(info: Any, lang: str | None) -> Site:
    base = info.base or ""
    namespaces = {int(ns.id): ns.name or "" for ns in info.namespaces or ()}
    host = urlsplit(base).hostname or ""
    wiki = info.dbname or (host.split(".")[0] + "wiki" if ".wikipedia." in host else info.name)
    return Site(wiki=wiki or "wiki", base=base, lang=lang, namespaces=namespaces)


def _pages(
    export: Any, root: ElementIterator, site: Site, place: Place, blank: frozenset[str]
) -> Iterator[Page]:
    pages = iter(export.pages)
    while True:
        try:
            page = next(pages, None)
            if page is None:
                # mwxml stops at the end of the root; a second dump or a wrong checksum may follow.
                for _ in root.pointer.etree_events:
                    pass
                return
            title = full_title(str(page.title), int(page.namespace), site)
            if title != place.title:
                place.title, place.revision = title, None
            result = Page(int(page.id), title, int(page.namespace), _revisions(page, place, blank))
        except (ParseError, *DAMAGE, *_MALFORMED) as error:
            raise _damage(error, place) from error
        yield result


def full_title(title: str, namespace: int, site: Site) -> str:
    """Return the title with its namespace, which mwxml strips if the dump has no <ns>."""
    prefix = site.namespaces.get(namespace, "")
    return title if not prefix or title.startswith(f"{prefix}:") else f"{prefix}:{title}"


def _revisions(page: Any, place: Place, blank: frozenset[str]) -> Iterator[Revision]:
    revisions = iter(page)
    while True:
        try:
            raw = next(revisions, None)
            if raw is None:
                return
            revision = _revision(raw, blank)
        except (ParseError, *DAMAGE, *_MALFORMED) as error:
            raise _damage(error, place) from error
        place.revision = revision.id
        yield revision


def _revision(raw: Any, blank: frozenset[str]) -> Revision:
    main = raw.slots.contents.get("main") if raw.slots else None
    comment = raw.comment or ""
    given, checksum = (main.text, main.sha1) if main else (None, None)
    text = known_text(
        given,
        checksum,
        int(main.bytes) if main and main.bytes is not None else None,
        suppressed=bool(raw.deleted.text),
        says_blank=words(comment) in blank,
    )
    name = raw.user.text if raw.user else None
    return ReadRevision(
        id=int(raw.id),
        timestamp=datetime.fromtimestamp(raw.timestamp.unix(), UTC),
        text=text,
        checksum=checksum,
        comment=comment,
        editor=name,
        editor_kind=editor_kind(
            name,
            has_id=raw.user is not None and raw.user.id is not None,
            hidden=bool(raw.deleted.user),
        ),
        is_too_long=len(given or "") > LONGEST_TEXT,
    )


def words(summary: str) -> str:
    """Return the words of an edit summary, without links, arrows and punctuation."""
    return _NOT_WORDS.sub(" ", summary).strip().casefold() or "\0"


def _damage(error: Exception, place: Place) -> DumpError:
    if isinstance(error, DumpError):
        return error
    if isinstance(error, ParseError):
        return _not_well_formed(error, place)
    if isinstance(error, EOFError):
        return DumpError(f"is cut off: the archive ends {place}; fetch it again")
    if isinstance(error, DAMAGE):
        lost = isinstance(error, FetchError)
        damaged = f"is damaged {place} ({error}); fetch it again"
        return DumpError(f"broke off {place}: {error}" if lost else damaged)
    if "Expected to see <revision>" in str(error) or "a <page>: 'page'" in str(error):
        return DumpError(
            f"is not well-formed {place}: the page is not closed before the next; fetch it again"
        )
    what = str(error).rstrip(".") or "an unexpected element"
    return DumpError(f"is no valid MediaWiki export {place}: {what}; fetch it again")


def _not_well_formed(error: ParseError, place: Place) -> DumpError:
    what = str(error).partition(": ")[0]
    if "no element found" in what or "unclosed token" in what:
        return DumpError(f"is cut off: it ends {place}; fetch it again")
    if "junk after document element" in what:
        return DumpError("has content after </mediawiki>; put each dump in a file of its own")
    if place.title is None:
        return DumpError(
            "is no MediaWiki export; give a file such as ...-pages-meta-history1.xml.bz2"
        )
    return DumpError(f"is not well-formed XML {place} ({error}); fetch it again")
