"""Compares texts with the checksums that MediaWiki wrote beside them."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from wikibias.mediawiki.composition import composed
from wikibias.records import Revision

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CHECKSUM = re.compile(r"[0-9a-z]{31}")
# What MediaWiki writes for bytes that are no character.
_NO_CHARACTER = "\ufffd"
# Until then texts were saved with the line ends of the browser.
_FIRST_YEAR_OF_ONE_LINE_END = 2006


def base36_sha1(text: str) -> str:
    """Return MediaWiki's checksum of a text: SHA-1 in base 36, 31 digits."""
    return _base36(text.encode())


def is_intact(revision: Revision) -> bool:
    """Return whether a revision's text is the one that its checksum was computed of.

    A text without a checksum counts as intact, and so does one that differs from that of the wiki
    only as export and parsers make it: one kind of line end, Unicode in normal form C, a
    replacement for what is no character. Where that cannot be tried out, the number of bytes must
    allow it; in a dump without that number, the time must: texts before 2006 hold both line ends.

    Raises:
        DumpError: the text is not well-formed.
    """
    text, checksum = revision.text, revision.checksum
    if text is None or not checksum or not _CHECKSUM.fullmatch(checksum):
        return True
    raw = text.encode()
    if _base36(raw) == checksum or _NO_CHARACTER in text:
        return True
    parted = unicodedata.normalize("NFD", composed(text)).encode()
    if checksum in (_base36(raw.replace(b"\n", b"\r\n")), _base36(parted)):
        return True
    line_ends = raw.count(b"\n")
    if revision.size is None:
        return bool(line_ends) and revision.timestamp.year < _FIRST_YEAR_OF_ONE_LINE_END
    return 0 < revision.size - len(raw) <= line_ends + len(parted) - len(raw)


def _base36(raw: bytes) -> str:
    number = int.from_bytes(hashlib.sha1(raw, usedforsecurity=False).digest())
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits.rjust(31, "0")
