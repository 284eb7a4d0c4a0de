"""Normalises page titles and namespace prefixes, as MediaWiki does to compare them.

Source: MediaWiki's title normalisation. Runs of underscores and white space count as one space,
invisible direction marks are ignored, the case of the first letter is ignored, and a fragment
after # is not part of the title.
"""

from __future__ import annotations

import re

from wikibias.mediawiki.composition import composed

_SPACES = re.compile(r"[\s\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_MARKS = re.compile(r"[\u200e\u200f\u202a-\u202e]")


def single_spaced(text: str) -> str:
    """Return a text in NFC, with single spaces, and without direction marks."""
    if not text.isascii():
        text = _MARKS.sub("", composed(text))
    return _SPACES.sub(" ", text).strip()


def clean(title: str) -> str:
    """Return a title with single spaces and without underscores."""
    return single_spaced(title.replace("_", " "))


def key(title: str, *, ignore_case: bool) -> str:
    """Return the key of a title: two names mean the same template if their keys are equal."""
    title = clean(title)
    return title.casefold() if ignore_case else title[:1].upper() + title[1:]
