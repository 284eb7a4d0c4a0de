"""Parses the XML of a dump into events, and bounds everything that a dump could make grow.

A parser of the standard library keeps what it has read, and looks again at the whole of a tag or a
comment that has not ended with every chunk. So a few kilobytes of an archive could cost all
memory, or hours. Here an element knows only itself: its values are cut off, it does not keep
its children, and a part ends where it has no form that MediaWiki could have written.
"""

import io
from collections.abc import Iterator, Mapping
from typing import Literal, Protocol
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

from wikibias.records import LONGEST_TEXT

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
