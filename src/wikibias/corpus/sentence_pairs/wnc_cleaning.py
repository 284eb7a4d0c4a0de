"""A line of wikitext to the text that WNC keeps of it (Pryzant et al. 2020, their scripts)."""

from __future__ import annotations

import re

from wikibias.text.cleaning import without_markup

# Longer than any paragraph; cleaning it would take minutes.
_LONGEST = 100_000
_TIMES = 3
# A reference, or the rest of the line where it is not closed.
_REFERENCE = re.compile(r"<ref\b.*?(?:</ref\s*>|\Z)", re.IGNORECASE | re.DOTALL)
# One that only names another. The scripts take it for the begin of a reference, and lose the text.
_NAMED_REFERENCE = re.compile(r"<ref\b[^<>]*/>", re.IGNORECASE)
_ADDRESS = re.compile(r"https?:\S*", re.IGNORECASE)
_EMPTY_BRACKETS = re.compile(r"\(\s*+\)")
_ELEMENTS = re.compile(r"</?(?:del|ins|blockquote)\b[^<>]*>", re.IGNORECASE)
_IMAGE_OPTION = re.compile(r"(?:right|left|thumb|frame|(?<!\d)\d++px)\|", re.IGNORECASE)
_LITTER = str.maketrans("", "", "[]*")


def cleaned(line: str) -> str:
    """Return the text of a line, with its capitals; "" where none is kept.

    In this order: what is no printable ASCII goes, references, three times the markup; a text that
    begins with a question mark or a bar, or has no word, is dropped; square brackets, addresses,
    empty brackets, stars and options of images go, and a text with "retrieved on" is dropped. So is
    one with a reference that only names another, which the published harvest does not have.
    """
    if len(line) > _LONGEST or _NAMED_REFERENCE.search(line):
        return ""
    text = "".join(char for char in line if " " <= char <= "~")
    text = _REFERENCE.sub("", text)
    try:
        for _ in range(_TIMES):
            text = without_markup(text)
    except ValueError:
        return ""
    if text.startswith(("?", "|")) or not any(map(str.isalnum, text)):
        return ""
    text = _EMPTY_BRACKETS.sub("", _ADDRESS.sub("", text.translate(_LITTER)))
    text = _IMAGE_OPTION.sub("", _ELEMENTS.sub("", text))
    if "retrieved on" in text.lower():
        return ""
    return " ".join(text.split())
