"""The numbers by which files of spaCy know words."""

from __future__ import annotations

from collections.abc import Iterable


def keys(words: Iterable[str]) -> dict[int, str]:
    """Return words by their numbers: a hash of 64 bits, or the number of a symbol of spaCy."""
    from spacy.strings import StringStore  # noqa: PLC0415 (most of a second)

    store = StringStore()
    return {store[word]: word for word in sorted(words)}
