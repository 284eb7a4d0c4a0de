"""Lists of keywords that a corpus was searched with, or might have been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeywordList:
    """Keywords, each once, in their order.

    Attributes:
        name: for people, such as the name of its file.
        source: where it is from, in words.
        words: words or phrases, as they are written.
    """

    name: str
    source: str
    words: Sequence[str]
