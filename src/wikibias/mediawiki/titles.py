"""Page titles and namespace prefixes as MediaWiki compares them.

Source of the rules: MediaWiki's title normalisation (underscores and all white space are one
space, invisible direction marks do not count, the first letter is of either case, a fragment
after # is not part of the title).
"""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile(r"[\s\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_MARKS = re.compile(r"[\u200e\u200f\u202a-\u202e]")


def single_spaced(text: str) -> str:
    """Return a text in NFC, with single spaces, and without direction marks."""
    if not text.isascii():
        text = _MARKS.sub("", unicodedata.normalize("NFC", text))
    return _SPACES.sub(" ", text).strip()


def clean(title: str) -> str:
    """Return a title in one form: single-spaced, and without underscores."""
    return single_spaced(title.replace("_", " "))


def key(title: str, *, ignore_case: bool) -> str:
    """Return what two names must share to be the same template."""
    title = clean(title)
    return title.casefold() if ignore_case else title[:1].upper() + title[1:]
