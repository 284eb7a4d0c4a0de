"""Sentences to the normal form that is compared and classified (2019 paper, section 3.3)."""

from __future__ import annotations

import re
import unicodedata

from wikibias.mediawiki.composition import composed
from wikibias.text import unsegmented

_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f' ]\d{3}(?!\d))*(?:[.,]\d+)?")
_APOSTROPHES = str.maketrans("\u2019\u02bc\u2018\uff07", "''''")
_LONE_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")

_MOST_LETTERS = 1 << 16


class _Letters(dict[int, str]):
    """A table for str.translate that keeps letters, marks, numbers and apostrophes."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = char if char == "'" or unicodedata.category(char)[0] in "LMN" else " "
        # A million characters, most of which no wiki uses, would take 150 MB.
        if len(self) < _MOST_LETTERS:
            self[code] = kept
        return kept


_LETTERS = _Letters()


def normalise(text: str, *, keep_apostrophes: bool = False) -> str:
    """Return the form of section 3.3: lower case, no punctuation, numbers as `numtkn`.

    A run of letters of a script without spaces is one word. Two sentences with the same form are
    the same sentence. Applying it twice changes nothing.
    """
    text = composed(text).lower().translate(_APOSTROPHES)
    text = _NUMBER.sub(" numtkn ", text).translate(_LETTERS)
    text = _LONE_APOSTROPHE.sub(" ", text) if keep_apostrophes else text.replace("'", " ")
    return unsegmented.closed_up(" ".join(text.split()))
