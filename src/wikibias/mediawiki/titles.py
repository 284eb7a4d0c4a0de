"""Normalises page titles and namespace prefixes, as MediaWiki does to compare them.

Source: MediaWiki's title normalisation. Runs of underscores and white space count as one space,
invisible direction marks are ignored, the case of the first letter is ignored, and a fragment
after # is not part of the title.
"""

from __future__ import annotations

import re

from wikibias.mediawiki.composition import composed

# A space to MediaWiki, but none to Python.
_MONGOLIAN_SEPARATOR = "\u180e"
_MARKS = re.compile(r"[\u200e\u200f\u202a-\u202e]")


def single_spaced(text: str) -> str:
    """Return a text in NFC, with single spaces, and without direction marks."""
    if not text.isascii():
        text = _MARKS.sub("", composed(text)).replace(_MONGOLIAN_SEPARATOR, " ")
    return " ".join(text.split())


def clean(title: str) -> str:
    """Return a title with single spaces and without underscores."""
    return single_spaced(title.replace("_", " "))


def key(title: str, *, ignore_case: bool) -> str:
    """Return the key of a title: two names mean the same template if their keys are equal."""
    title = clean(title)
    return title.casefold() if ignore_case else title[:1].upper() + title[1:]
