"""The words of a sentence that topics are made of, without stop words."""

from __future__ import annotations

from collections.abc import Collection

from wikibias.corpus.log_odds import tokens

_NUMBER = "numtkn"  # what the normal form has for a number


def topic_words(norm: str, stop_words: Collection[str]) -> list[str]:
    """Return the words of a normal form, without stop words, numbers and single letters.

    Text without spaces gives each two letters side by side, as elsewhere.
    """
    return [
        word
        for word in tokens(norm)
        if len(word) > 1 and word != _NUMBER and word not in stop_words
    ]
