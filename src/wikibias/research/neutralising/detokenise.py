"""Word pieces and tokens that stand apart back to text, as far as they tell."""

from __future__ import annotations

import re

_PIECE = re.compile(r"\s+##")
_BEFORE = re.compile(r"\s+([.,;:!?%)\]}»”’…،؛؟。、])")
_BEHIND = re.compile(r"([(\[{«“‘¿¡])\s+")
_JOINED = re.compile(r"(?<=\w) ([-–/'’]) (?=\w)")
_QUOTED = re.compile(r'" ([^"]*?) "')
_SPACES = re.compile(r"\s+")


def detokenise(tokens: str) -> str:
    """Return a text of tokens between spaces as people write it.

    Pieces that begin with ## join what stands before them. Stops and closing brackets go to the
    word before, opening ones to the word behind, hyphens and apostrophes to both; what stands
    between two straight quotation marks is closed up with them.
    """
    text = _PIECE.sub("", _SPACES.sub(" ", tokens).strip())
    text = _QUOTED.sub(r'"\1"', text)
    text = _BEHIND.sub(r"\1", _BEFORE.sub(r"\1", text))
    return _JOINED.sub(r"\1", text)
