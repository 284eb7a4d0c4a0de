"""Revisions of a dump by mwxml, the reader of reference and of what is odd or damaged.

It is given the events of a parser that bounds everything that a dump could make grow. A parser of
the standard library keeps what it has read, and looks again at the whole of a tag or a comment that
has not ended with every chunk. So a few kilobytes of an archive could cost all memory, or hours.
Here an element knows only itself: its values are cut off, it does not keep its children, and a part
ends where it has no form that MediaWiki could have written.
"""

import io
import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

import mwxml
from mwxml.element_iterator import ElementIterator, EventPointer
from mwxml.errors import MalformedXML

from wikibias.dumps.compression.streams import DAMAGE
from wikibias.errors import DumpError, FetchError
from wikibias.mediawiki import base36_sha1, editor_kind
from wikibias.records import LONGEST_TEXT, Page, ReadRevision, Revision, Site, Unreadable

_Kind = Literal["start", "end"]
_CHUNK_SIZE = 1 << 17
# Bytes of one tag, comment, processing instruction or document type.
_LONGEST_MARKUP = 1 << 20
# Bytes without a tag, outside of a text and in it. A text is passed over up to here, which takes
# some twenty seconds, so that a pipe of junk ends too.
_LONGEST_GAP, _LONGEST_IN_TEXT = 1 << 22, 1 << 33
# Characters of a value. MediaWiki keeps at most 65,535 bytes of a summary, and less of the others.
LONGEST_VALUE = 1 << 16
# Elements from one page or revision to the next, different names of elements, and elements that
# are open at a time: MediaWiki writes some dozens, some dozens, and eight.
_MOST_ELEMENTS, _MOST_NAMES, _DEEPEST = 10_000, 10_000, 100
_NO_EXPORT = "is no MediaWiki export: it"
_NO_MEMORY = 1  # expat's code


class Stream(Protocol):
    """What bytes are read from, as many at a time as are there."""

    def read1(self, size: int = ..., /) -> bytes:
        """Return up to `size` bytes; none at the end."""


class NoExportError(Exception):
    """The document has something that no MediaWiki export has; the message lacks the place."""


class Element:
    """One element: its name without the namespace, its attributes, and its text at its end.

    The text is what stands before the first child. Of a `<text>` that is longer than LONGEST_TEXT
    one character more than that is kept.
    """

    __slots__ = ("_is_too_long", "_text", "attrib", "tag")

    def __init__(self, tag: str, attrib: Mapping[str, str]) -> None:
        self.tag = tag
        self.attrib = attrib
        self._text: str | None = None
        self._is_too_long = False

    @property
    def text(self) -> str | None:
        """Return the text; None if there is none.

        Raises:
            ValueError: it is longer than such a value can be.
        """
        if self._is_too_long:
            raise ValueError(f"its <{self.tag}> has more than {LONGEST_VALUE:,} characters")
        return self._text

    def clear(self) -> None:
        """Forget the text."""
        self._text = None

    def close(self, text: str) -> None:
        """Set the text, cut off if it is too long."""
        if self.tag == "text":
            self._text = text[: LONGEST_TEXT + 1] or None
        else:
            self._is_too_long = len(text) > LONGEST_VALUE
            self._text = None if self._is_too_long else text or None


def events(stream: Stream) -> Iterator[tuple[_Kind, Element]]:
    """Yield the start and the end of each element of a document, and its element.

    Everything before damage is yielded before it is raised. Whatever is raised ends the events.

    Raises:
        ParseError: the document is not well-formed.
        NoExportError: it has something that no export has: a document type, an encoding that is
            not known, a tag of a megabyte, thousands of elements in the head of a page.
    """
    parser = _Parser()
    more = True
    while more:
        try:
            chunk = stream.read1(_CHUNK_SIZE)
        except MemoryError as error:
            raise _no_memory() from error
        more = bool(chunk)
        # Some streams return more than they are asked for.
        for at in range(0, len(chunk) or 1, _CHUNK_SIZE):
            damage = parser.feed(chunk[at : at + _CHUNK_SIZE])
            found, parser.found = parser.found, []
            yield from found
            del found
            if damage is not None:
                raise damage


class _Parser:
    """Gathers the events of a chunk, and watches the bounds."""

    def __init__(self) -> None:
        self.found: list[tuple[_Kind, Element]] = []
        self._open: list[Element] = []
        # What has been read of the text of the innermost open element, before its first child.
        self._text: io.StringIO | None = None
        self._left = 0
        self._elements = 0
        self._in_text = False
        self._moved = self._has_tag = False
        self._markup = self._gap = 0
        self._names: dict[str, str] = {}
        self._parser = parser = expat.ParserCreate(None, "}", self._names)
        parser.buffer_text = True
        parser.buffer_size = 1 << 16
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.DefaultHandler = self._other
        parser.StartDoctypeDeclHandler = self._document_type
        # Only so that the prefixes count among the names.
        parser.StartNamespaceDeclHandler = self._other

    def feed(self, chunk: bytes) -> Exception | None:
        """Parse a chunk, the last one if it is empty; return what is wrong with it."""
        self._moved = self._has_tag = False
        try:
            self._parser.Parse(chunk, not chunk)
            self._check(len(chunk))
        except expat.ExpatError as error:
            return _no_memory() if error.code == _NO_MEMORY else ParseError(str(error))
        except MemoryError:
            return _no_memory()
        except NoExportError as error:
            return error
        except (LookupError, ValueError) as error:
            return NoExportError(f"has an encoding that cannot be read ({error})")
        return None

    def _check(self, size: int) -> None:
        self._markup = 0 if self._moved else self._markup + size
        if self._markup > _LONGEST_MARKUP:
            raise NoExportError(f"{_NO_EXPORT} has a tag of over {_LONGEST_MARKUP:,} bytes")
        self._gap = 0 if self._has_tag else self._gap + size
        longest = _LONGEST_IN_TEXT if self._in_text else _LONGEST_GAP
        if self._gap > longest:
            raise NoExportError(f"{_NO_EXPORT} has no tag in {longest:,} bytes")
        if len(self._names) > _MOST_NAMES:
            raise NoExportError(f"{_NO_EXPORT} has over {_MOST_NAMES:,} kinds of elements")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._moved = self._has_tag = True
        self._end_of_text()
        tag = name.rpartition("}")[2]
        self._elements = 0 if tag in ("page", "revision") else self._elements + 1
        if self._elements > _MOST_ELEMENTS:
            raise NoExportError(f"{_NO_EXPORT} has over {_MOST_ELEMENTS:,} elements in a row")
        if len(self._open) >= _DEEPEST:
            raise NoExportError(f"{_NO_EXPORT} has elements nested over {_DEEPEST} deep")
        element = Element(tag, attributes)
        self._open.append(element)
        self.found.append(("start", element))
        self._in_text = self._in_text or tag == "text"
        self._left = (LONGEST_TEXT if tag == "text" else LONGEST_VALUE) + 1
        self._text = io.StringIO()

    def _end(self, _: str) -> None:
        self._moved = self._has_tag = True
        self._end_of_text()
        element = self._open.pop()
        self._in_text = self._in_text and element.tag != "text"
        self.found.append(("end", element))

    def _characters(self, characters: str) -> None:
        self._moved = True
        if self._text is not None and self._left > 0:
            self._text.write(characters)
            self._left -= len(characters)

    def _end_of_text(self) -> None:
        if self._text is not None:
            self._open[-1].close(self._text.getvalue())
            self._text = None

    def _other(self, *_: object) -> None:
        self._moved = True

    def _document_type(self, *_: object) -> None:
        raise NoExportError(f"{_NO_EXPORT} has a document type (<!DOCTYPE)")


def _no_memory() -> NoExportError:
    return NoExportError("needs more memory than there is")


# MediaWiki numbers pages and revisions in 64 bits, and namespaces in 32.
_MOST_ID, _MOST_NAMESPACE = (1 << 63) - 1, (1 << 31) - 1
# Years before 1000 are written in fewer digits by some systems; no wiki is that old.
_TIME = re.compile(r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z")
_LONGEST_SHOWN = 40


def id_of(given: str | None) -> int:
    """Return the id of a page or of a revision.

    Raises:
        ValueError: it is missing, no number, or too large.
    """
    return _number("id", given, 0, _MOST_ID)


def parent_of(given: int | None) -> int | None:
    """Return the id of a parent revision; None if it is missing, or no number of a revision."""
    return given if given is not None and 0 <= given <= _MOST_ID else None


def namespace_of(given: str | None) -> int:
    """Return the number of a namespace.

    Raises:
        ValueError: as `id_of`.
    """
    return _number("ns", given, -_MOST_NAMESPACE, _MOST_NAMESPACE)


def time_of(given: str | None) -> datetime:
    """Return a timestamp, in UTC.

    Raises:
        ValueError: it is missing or impossible, or has another form.
    """
    found = _required("timestamp", given).strip()
    try:
        if _TIME.fullmatch(found):
            return datetime.fromisoformat(found)
    except ValueError:
        pass
    raise ValueError(f"its <timestamp> {_quoted(found)} is not possible")


def _number(name: str, given: str | None, least: int, most: int) -> int:
    found = _required(name, given)
    try:
        number = int(found)
    except ValueError:
        number = most + 1
    if not least <= number <= most:
        raise ValueError(f"its <{name}> {_quoted(found)} is not possible")
    return number


def _required(name: str, given: str | None) -> str:
    if not given:
        raise ValueError(f"its <{name}> is missing")
    return given


def _quoted(value: str) -> str:
    return repr(value if len(value) <= _LONGEST_SHOWN else f"{value[:_LONGEST_SHOWN]}...")


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


# Takes what cannot be worked out of a part, while the rest of it is read.
Report = Callable[[Unreadable], None]


def end_part(what: Unreadable) -> None:
    """Report by ending the part.

    Raises:
        DumpError: always.
    """
    where = f"in page {what.page!r}"
    if what.revision is not None:
        where += f" in revision {what.revision}"
    raise DumpError(f"is no valid MediaWiki export {where}: {what.cause}; fetch it again")


def damage(error: Exception, place: Place) -> DumpError:
    """Return what to tell the user of an error, in one line."""
    if isinstance(error, DumpError):
        return error
    if isinstance(error, NoExportError):
        return DumpError(f"{error} {place}")
    if isinstance(error, ParseError):
        return _not_well_formed(error, place)
    if isinstance(error, DAMAGE):
        return _archive_message(error, place)
    if "Expected to see <revision>" in str(error) or "a <page>: 'page'" in str(error):
        return DumpError(
            f"is not well-formed {place}: the page is not closed before the next; fetch it again"
        )
    what = str(error).rstrip(".") or "an unexpected element"
    return DumpError(f"is no valid MediaWiki export {place}: {what}; fetch it again")


def _archive_message(error: Exception, place: Place) -> DumpError:
    if isinstance(error, EOFError):
        return DumpError(f"is cut off: the archive ends {place}; fetch it again")
    if isinstance(error, FetchError):
        return DumpError(f"broke off {place}: {error}")
    return DumpError(f"is damaged {place} ({error}); fetch it again")


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


# mwxml logs warnings about revisions that it reads anyway; users should not see them.
logging.getLogger("mwxml").addHandler(logging.NullHandler())
_LANG = "http://www.w3.org/XML/1998/namespace}lang"
# What mwxml raises if a value is missing or malformed.
_MALFORMED = (AssertionError, AttributeError, KeyError, TypeError, ValueError)
# What tells of damage of the XML or of the archive, with which the part ends.
_BROKEN = (ParseError, NoExportError, DumpError, MalformedXML, *DAMAGE)
# What a page has beside title, namespace, id and revisions, and what is not read.
_OF_PAGE = ("redirect", "restrictions", "DiscussionThreading")
# Everything in an edit summary except words: links such as [[WP:AES|←]], arrows, punctuation.
_NOT_WORDS = re.compile(r"\[\[[^\[\]]*\]\]|[\W_]+")


@dataclass(frozen=True, slots=True)
class Dump:
    """An open dump: its wiki, and an iterator over its pages in order."""

    site: Site
    pages: Iterator[Page]


@dataclass(slots=True)
class _Reading:
    """What all pages of a part share."""

    site: Site
    place: Place
    blank: frozenset[str]
    report: Report
    # By the local names of the namespaces, for dumps without <ns>.
    namespaces: dict[str, int]


def read(
    stream: Stream,
    blank_summaries: Iterable[str] = (),
    place: Place | None = None,
    report: Report = end_part,
) -> Dump:
    """Read a MediaWiki export, schema 0.3 to 0.11, from its XML bytes.

    `blank_summaries` are the edit summaries that MediaWiki itself writes when a page is blanked.
    `place` is the position of another reader, if this one takes over from it. `report` takes pages
    with a value that is missing or impossible: such a page ends there, and the next one is read.

    Raises:
        DumpError: the stream is no export, not well-formed, or a damaged archive; also raised
            later, from the iterators, with the page in the message.
    """
    place = place or Place()
    try:
        pointer = EventPointer(events(stream))
        root = ElementIterator(next(pointer)[1], pointer)
        if root.tag != "mediawiki":
            raise DumpError(f"is no MediaWiki export: its root element is <{root.tag}>")
        children = iter(root)
        site, first = _head(children, root.attr(_LANG))
    except (*_BROKEN, *_MALFORMED) as error:
        raise damage(error, place) from error
    numbers = {name: number for number, name in site.namespaces.items()}
    reading = _Reading(site, place, blank_words(blank_summaries), report, numbers)
    return Dump(site, _pages(chain([first] if first else [], children), pointer, reading))


def blank_words(summaries: Iterable[str]) -> frozenset[str]:
    """Return the words of the summaries that MediaWiki writes when a page is blanked."""
    return frozenset(words(summary) for summary in summaries)


_BLANK_SHA1 = base36_sha1("")


def says_blank(
    sha1: str | None, size: int | None, summary: Callable[[], str], blank: Collection[str]
) -> bool:
    """Return whether a dump says that a text, which it holds empty, was saved empty.

    The checksum tells, else the number of bytes, else MediaWiki's own summary, which is asked for
    only then. All else is missing from the dump: it lost the text, or is a stub dump.
    """
    if sha1:
        return sha1 == _BLANK_SHA1
    return words(summary()) in blank if size is None else not size


def _head(children: Iterator[Any], lang: str | None) -> tuple[Site, Any]:
    """Read up to the first page; return what the dump says of its wiki, and that page."""
    info = first = None
    for child in children:
        if child.tag == "siteinfo":
            info = mwxml.SiteInfo.from_element(child)
        elif child.tag in ("page", "logitem"):
            first = child
            break
        else:
            raise MalformedXML(_unexpected(child.tag, "mediawiki"))
    if info is None:
        raise MalformedXML("it has no <siteinfo>")
    return _site(info, lang), first


def _site(info: Any, lang: str | None) -> Site:
    base = info.base or ""
    namespaces = {namespace_of(str(ns.id)): ns.name or "" for ns in info.namespaces or ()}
    try:
        host = urlsplit(base).hostname or ""
    except ValueError:  # it has a bracket in the host
        base = host = ""
    wiki = info.dbname or (host.split(".")[0] + "wiki" if ".wikipedia." in host else info.name)
    return Site(wiki=wiki or "wiki", base=base, lang=lang, namespaces=namespaces)


def _pages(elements: Iterator[Any], pointer: EventPointer, reading: _Reading) -> Iterator[Page]:
    while True:
        try:
            element = next(elements, None)
            if element is None:
                # The root has ended; a second dump or a wrong checksum may follow.
                for _ in pointer.etree_events:
                    pass
                return
            if element.tag == "logitem":
                continue
            if element.tag != "page":
                raise MalformedXML(_unexpected(element.tag, "mediawiki"))
            page = _page(element, reading)
        except _BROKEN as error:
            raise damage(error, reading.place) from error
        if page is not None:
            yield page


def _page(element: Any, reading: _Reading) -> Page | None:
    """Read the head of a page; return None if it cannot be worked out, which is reported then."""
    children, first = iter(element), None
    given: dict[str, str | None] = {}
    try:
        for child in children:
            if child.tag == "revision":
                first = child
                break
            if child.tag not in _OF_PAGE:
                if child.tag not in ("title", "ns", "id"):
                    raise MalformedXML(_unexpected(child.tag, "page"))
                given[child.tag] = child.text
        namespace = namespace_of(given["ns"]) if "ns" in given else None
        title, namespace = _title(given.get("title"), namespace, reading)
        number = id_of(given.get("id"))
    except (MemoryError, *_MALFORMED) as error:
        reading.report(Unreadable(given.get("title") or "", None, None, _cause(error)))
        return None
    if title != reading.place.title:
        reading.place.title, reading.place.revision = title, None
    revisions = _revisions(chain([first] if first else [], children), number, title, reading)
    return Page(number, title, namespace, revisions)


def _title(given: str | None, namespace: int | None, reading: _Reading) -> tuple[str, int]:
    """Return a title with its namespace, and the namespace, which old dumps tell by it alone."""
    if not given:
        raise ValueError("its <title> is missing")
    title = given.replace("_", " ")
    if namespace is None:
        prefix, colon, rest = given.partition(":")
        # As in mwxml: with a space behind the colon it belongs to the title.
        prefixed = colon and not rest.startswith(" ")
        namespace = reading.namespaces.get(prefix, 0) if prefixed else 0
    return full_title(title, namespace, reading.site), namespace


def full_title(title: str, namespace: int, site: Site) -> str:
    """Return the title with its namespace, where the dump does not write it."""
    prefix = site.namespaces.get(namespace, "")
    return title if not prefix or title.startswith(f"{prefix}:") else f"{prefix}:{title}"


def _unexpected(tag: str, parent: str) -> str:
    return f"Unexpected tag found when processing a <{parent}>: '{tag}'"


def _revisions(
    elements: Iterator[Any], page: int, title: str, reading: _Reading
) -> Iterator[Revision]:
    """Yield the revisions of a page, up to one that cannot be worked out, which is reported."""
    while True:
        seen = _Seen()
        try:
            element = next(elements, None)
            if element is None:
                return
            if element.tag != "revision":
                raise MalformedXML(f"Expected to see <revision>.  Instead saw <{element.tag}>")
            revision = _revision(mwxml.Revision.from_element(seen.children(element)), seen, reading)
        except _BROKEN as error:
            raise damage(error, reading.place) from error
        except (MemoryError, *_MALFORMED) as error:
            reading.report(Unreadable(title, page, seen.id, _cause(error)))
            return
        reading.place.revision = revision.id
        yield revision


@dataclass(slots=True)
class _Seen:
    """What of a revision is known while mwxml reads the rest, which may fail."""

    id: int | None = None
    time: datetime | None = None

    def children(self, revision: Any) -> Iterator[Any]:
        """Yield the children of a revision, except those read here and slots beside the text."""
        for child in revision:
            if child.tag == "id":
                self.id = id_of(child.text)
            elif child.tag == "timestamp":
                self.time = time_of(child.text)
            elif child.tag != "content":
                if child.tag == "text" and not child.attr("bytes", "0"):
                    # Where nobody knows the length, mwxml would look for a number all the same.
                    del child.element.attrib["bytes"]
                yield child


def _cause(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    return str(error) or type(error).__name__


def _revision(raw: Any, seen: _Seen, reading: _Reading) -> Revision:
    if seen.id is None or seen.time is None:
        raise ValueError(f"its <{'id' if seen.id is None else 'timestamp'}> is missing")
    main = raw.slots.contents.get("main") if raw.slots else None
    comment = raw.comment or ""
    given, checksum = (main.text or "", main.sha1) if main else ("", None)
    size = int(main.bytes) if main and main.bytes is not None else None
    is_too_long = len(given) > LONGEST_TEXT
    is_known = not (raw.deleted.text or is_too_long) and (
        bool(given) or says_blank(checksum, size, lambda: comment, reading.blank)
    )
    name = raw.user.text if raw.user else None
    return ReadRevision(
        id=seen.id,
        timestamp=seen.time,
        text=given if is_known else None,
        checksum=checksum,
        comment=comment,
        editor=name,
        editor_kind=editor_kind(
            name,
            has_id=raw.user is not None and raw.user.id is not None,
            hidden=bool(raw.deleted.user),
        ),
        is_too_long=is_too_long,
        size=size,
        parent_id=parent_of(raw.parent_id),
    )


def words(summary: str) -> str:
    """Return the words of an edit summary, without links, arrows and punctuation."""
    return _NOT_WORDS.sub(" ", summary).strip().casefold() or "\0"
