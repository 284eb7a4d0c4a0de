"""Revisions of schema 0.3 to 0.11, read with byte patterns; patterns are compiled here.

The patterns match what MediaWiki usually writes: one content slot, elements in a fixed order,
values of a usual length. The reference reader parses everything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import ParseError, fromstring

from wikibias.dumps.xml.mwxml_reader import LONGEST_VALUE, says_blank
from wikibias.errors import DumpError
from wikibias.mediawiki import editor_kind
from wikibias.records import LONGEST_TEXT, EditorKind, Revision, same_text

try:
    import re2
except ImportError:  # the extra [fast] is not installed
    re2 = None


def compiled(pattern: bytes) -> Any:
    """Compile a byte pattern with google-re2 where it is installed, else with `re`."""
    if re2 is None:
        return re.compile(pattern)
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = 1 << 26
    return re2.compile(pattern, options)


# An "&" that does not start one of the five escapes that MediaWiki writes.
ODD = compiled(
    rb"&(?:[^lgaq#]|l[^t]|lt[^;]|g[^t]|gt[^;]|a[^m]|am[^p]|amp[^;]"
    rb"|q[^u]|qu[^o]|quo[^t]|quot[^;]|#[^0]|#0[^3]|#03[^9]|#039[^;])"
)


NO_TAGS: Mapping[str, str] = {}
PAGE = re.compile(
    rb"\s*(<page>\s*<title>([^<]+)</title>\s*<ns>(-?\d{1,9})</ns>\s*<id>(\d{1,18})</id>\s*"
    rb'(?:<redirect title="[^"<]*" ?/>\s*)?(?:<restrictions>[^<]*</restrictions>\s*)?)'
    rb"(?=<revision>|</page>)"
)
# `(?:...|)` takes half the time of `(?:...)?`, and the usual attributes in their usual order a
# tenth less than any in any order.
_HEAD = re.compile(
    rb"\s*<revision>\s*<id>(\d{1,18})</id>\s*(?:<parentid>\d{1,18}</parentid>\s*|)"
    rb"<timestamp>([1-9]\d{3}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\dZ)</timestamp>\s*"
    rb"<contributor(?:>\s*(?:<username>([^<]+)</username>\s*<id>(\d{1,18})</id>|<ip>([^<]+)</ip>)\s*"
    rb'</contributor>| deleted="deleted" ?/>)\s*'
    rb"(?:<minor ?/>\s*|)"
    rb'(?:<comment(?:>([^<]*)</comment>|(?: deleted="deleted"|) ?/>)\s*|)'
    rb"(?:<origin>\d+</origin>\s*|)(?:<model>[^<]*</model>\s*<format>[^<]*</format>\s*|)"
    rb"(?:<sha1>([0-9a-z]*)</sha1>\s*|)"
    rb'<text((?: bytes="\d{1,18}"|)(?: sha1="[0-9a-z]+"|)(?: xml:space="preserve"|)'
    rb'(?: (?:bytes="\d{0,18}"|sha1="[0-9a-z]+"|id="[^"<&]*"|location="[^"<&]*"'
    rb'|xml:space="preserve"|deleted="deleted"))*) ?(/?)>'
)
_AFTER_TEXT = (
    rb"\s*(?:<sha1>([0-9a-z]*)</sha1>\s*|<sha1 ?/>\s*|)"
    rb"(?:<model>[^<]*</model>\s*<format>[^<]*</format>\s*|)</revision>"
)
_TAIL, _TAIL_OF_NONE = re.compile(rb"</text>" + _AFTER_TEXT), re.compile(_AFTER_TEXT)
_PARENT = re.compile(rb"<parentid>(\d+)")
_BYTES = re.compile(rb' bytes="(\d+)"')
_SHA1 = re.compile(rb' sha1="([0-9a-z]+)"')
# Of a checksum that nobody has asked for, or of an empty element, which is looked at again.
_UNREAD = b""
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n")
# The five escapes that MediaWiki writes; their characters, by the letter after "&".
_ESCAPED = {"<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#039;", "&": "&amp;"}
_ANY_ESCAPE = re.compile(rb"(%b)" % b"|".join(map(str.encode, _ESCAPED.values())))
_UNESCAPED = {escape.encode(): character.encode() for character, escape in _ESCAPED.items()}
_TO_ESCAPE = str.maketrans(_ESCAPED)
_LONGEST_ESCAPE = 6
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# How much longer an escape is than its character, by the letter after "&".
_LONGER_BY = {escape[1].encode(): len(escape) - 1 for escape in _ESCAPED.values()}
# The continuation bytes of UTF-8.
_CONTINUATION = bytes(range(0x80, 0xC0))
_SLICE_SIZE = 1 << 20
# Bytes of what stands before the text; only in a longer one a value can be too long.
_LONGEST_HEAD = LONGEST_VALUE


class EncodedText(str):
    """A text that keeps the UTF-8 it was made of: for its checksum, and to be stored."""

    __slots__ = ("_utf8",)
    _utf8: bytes

    def __new__(cls, utf8: bytes) -> EncodedText:
        """Decode UTF-8.

        Raises:
            ValueError: it is none.
        """
        text = super().__new__(cls, utf8, "utf-8")
        text._utf8 = utf8
        return text

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        """Return the UTF-8, or what `str.encode` does."""
        return self._utf8 if encoding == "utf-8" else super().encode(encoding, errors)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Go to other processes as an ordinary string."""
        return str, (str(self),)


class ScannedRevision:
    """A revision that decodes its text and comment on demand.

    It keeps a reference to its chunk of bytes. Its escaped text is `chunk[start:stop]`. It is made
    of what `around_text` returns; a value that is impossible, such as the 30th of February, raises
    ValueError.
    """

    __slots__ = tuple(
        "_checksum _head _page _tail _text chunk editor editor_kind has_text id is_too_long start "
        "stop tags timestamp".split()
    )

    def __init__(
        self, head: re.Match[bytes], tail: re.Match[bytes], page: str, blank: Collection[str]
    ) -> None:
        number, time, name, account, ip, attributes = head.group(1, 2, 3, 4, 5, 8)
        self._head = head
        self._tail = tail
        self._page = page
        self._text: str | None = None
        self._checksum: bytes | None = _UNREAD
        self.chunk = head.string
        self.start = start = head.end()
        self.stop = stop = tail.start()
        self.id = int(number)
        self.timestamp = datetime.fromisoformat(time.decode())
        self.editor, self.editor_kind = _editor(name or ip, account is not None)
        self.is_too_long = stop - start > LONGEST_TEXT and (
            _letters(self.chunk, start, stop) > LONGEST_TEXT
        )
        self.has_text = not (b"deleted" in attributes or self.is_too_long) and (
            start < stop
            or says_blank(self.checksum, self.size, lambda: plain_text(self.raw_comment), blank)
        )
        self.tags: Mapping[str, str] | None = NO_TAGS if self.has_text else None

    @property
    def text(self) -> str | None:
        """Return the text.

        Raises:
            DumpError: its bytes are not well-formed.
        """
        if self._text is None:
            self._text = self.peek()
        return self._text

    def peek(self) -> str | None:
        """Return the text, without keeping it.

        Raises:
            DumpError: as `text`.
        """
        if self._text is None and self.has_text:
            return self._decoded(self.chunk[self.start : self.stop], _kept_text)
        return self._text

    @property
    def raw_text(self) -> bytes | None:
        """Return the text as it stands in the XML, for `scanned_text` to decode whole lines of."""
        return self.chunk[self.start : self.stop] if self.has_text else None

    def holds(self, words: str) -> bool:
        """Return whether the text has these words in it, without decoding it.

        False too where the dump escapes in another way than MediaWiki.
        """
        now = words.translate(_TO_ESCAPE).encode()
        # MediaWiki of before 2022 leaves an apostrophe as it is.
        forms = dict.fromkeys([now, now.replace(b"&#039;", b"'")])
        return self.has_text and any(
            self.chunk.find(form, self.start, self.stop) >= 0 for form in forms
        )

    @property
    def parent_id(self) -> int | None:
        """Return the id of the parent revision, where the dump states it."""
        found = _PARENT.search(self.chunk, self._head.start(), self.start)
        return int(found[1]) if found else None

    @property
    def checksum(self) -> str | None:
        """Return the checksum that the dump states."""
        return self._sha1.decode() if self._sha1 else None

    @property
    def text_key(self) -> str | int | None:
        """Return the checksum, or the length of the escaped text."""
        if self._sha1:
            return self._sha1.decode()
        return self.stop - self.start if self.has_text else None

    @property
    def _sha1(self) -> bytes | None:
        if self._checksum is _UNREAD:
            own = _SHA1.findall(self._head[8])
            self._checksum = own[-1] if own else self._tail[1] or self._head[7]
        return self._checksum

    @property
    def size(self) -> int | None:
        """Return the number of bytes that the dump states."""
        found = _BYTES.search(self._head[8])
        return int(found[1]) if found else None

    def repeats(self, other: Revision) -> bool:
        """Return whether both texts are known and equal, without decoding them."""
        if not isinstance(other, ScannedRevision):
            return same_text(self, other)
        mine, others = self._sha1, other._sha1
        if mine and others:
            return mine == others and self.has_text and other.has_text
        size = self.stop - self.start
        return (
            self.has_text
            and other.has_text
            and size == other.stop - other.start
            and self.chunk.startswith(other.chunk[other.start : other.stop], self.start)
        )

    @property
    def comment(self) -> str:
        """Return the edit summary.

        Raises:
            DumpError: as `text`.
        """
        return self._decoded(self._head[6], plain_text) if self._head[6] else ""

    @property
    def raw_comment(self) -> bytes:
        """Return the edit summary as it stands in the XML."""
        return self._head[6] or b""

    def _decoded(self, raw: bytes, decode: Callable[[bytes], str]) -> str:
        try:
            return decode(raw)
        except ValueError as error:
            where = f"in page {self._page!r} in revision {self.id}"
            raise DumpError(f"is not well-formed XML {where} ({error}); fetch it again") from error


def around_text(chunk: bytes, at: int) -> tuple[re.Match[bytes], re.Match[bytes]] | None:
    """Match the elements before and after the text of the revision that starts at `at`.

    Returns None if it has another form than the usual one.
    """
    head = _HEAD.match(chunk, at)
    if head is None:
        return None
    start = head.end()
    if start - at > _LONGEST_HEAD:
        return None
    if head[9]:
        tail = _TAIL_OF_NONE.match(chunk, start)
    else:
        # Inside a text, "<" is always escaped.
        tail = _TAIL.match(chunk, chunk.find(b"<", start))
    return None if tail is None else (head, tail)


def _letters(chunk: bytes, start: int, stop: int) -> int:
    """Return the length of a text in characters, without decoding it."""
    escapes = sum(chunk.count(b"&" + begins, start, stop) * n for begins, n in _LONGER_BY.items())
    whole = sum(
        len(chunk[at : min(at + _SLICE_SIZE, stop)].translate(None, _CONTINUATION))
        for at in range(start, stop, _SLICE_SIZE)
    )
    return whole - escapes


def plain_text(raw: bytes) -> str:
    """Return the text of an XML element without children, from its bytes.

    Raises:
        ValueError: it is not well-formed.
    """
    # The pattern does not see an escape that the end cuts off.
    if ODD.search(raw) or ODD.search(raw[-_LONGEST_ESCAPE:] + b"<"):
        return _parsed_text(raw)
    return scanned_text(raw)


def scanned_text(raw: bytes) -> str:
    """Return what `plain_text` does of whole lines of the text of a `ScannedRevision`.

    The reader has seen to it that they have no references but the five escapes.

    Raises:
        ValueError: as `plain_text`.
    """
    return _parsed_text(raw) if _has_controls(raw) else _unescaped(raw).decode()


def escaped_text(raw: bytes) -> str | None:
    """Return whole lines of the text of a `ScannedRevision`, for `unescaped` to make text of them.

    None where that does not do: what `scanned_text` would leave to a parser, or refuse.
    """
    if _has_controls(raw):
        return None
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None


def unescaped(text: str) -> str:
    """Return what the `escaped_text` of a line says."""
    if "&" in text:
        # The ampersand last: what it makes is no escape.
        for character, escape in _ESCAPED.items():
            text = text.replace(escape, character)
    return text


def escaped(text: str) -> str:
    """Return a text as MediaWiki writes it into an export; what no XML can hold is replaced."""
    return _NO_XML.sub("\ufffd", text).translate(_TO_ESCAPE)


def _kept_text(raw: bytes) -> str:
    """Return what `scanned_text` does, as a text that keeps its UTF-8."""
    return _parsed_text(raw) if _has_controls(raw) else EncodedText(_unescaped(raw))


def _unescaped(raw: bytes) -> bytes:
    if b"&" not in raw:
        return raw
    # Takes a third of the time of five calls of `replace`, and less on bytes than on characters.
    parts = _ANY_ESCAPE.split(raw)
    parts[1::2] = map(_UNESCAPED.__getitem__, parts[1::2])
    return b"".join(parts)


def _parsed_text(raw: bytes) -> str:
    try:
        return fromstring(b"<t>%b</t>" % raw).text or ""  # noqa: S314 (no DTD, so no entities)
    except ParseError as error:
        raise ValueError(str(error).partition(":")[0]) from error


def _has_controls(raw: bytes) -> bool:
    """Return whether there are carriage returns, or characters that XML does not allow."""
    # Several times as fast as a search for a character class.
    if len(raw.translate(None, _CONTROLS)) < len(raw):
        return True
    # One byte is found twenty times as fast as two.
    return b"\xef" in raw and b"\xef\xbf" in raw


@lru_cache(1 << 12)
def _editor(raw: bytes | None, has_id: bool) -> tuple[str | None, EditorKind]:
    name = None if raw is None else plain_text(raw)
    return name, editor_kind(name, has_id=has_id, hidden=name is None)
