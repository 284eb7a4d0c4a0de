"""The words of a sentence that topics are made of, without stop words."""

from __future__ import annotations

from collections.abc import Collection

from wikibias.corpus.log_odds import tokens
from wikibias.text.unsegmented import is_unspaced

_NUMBERS = ("numtkn", "нумткн")  # for a number: ours, and of the published Bulgarian corpus


def topic_words(norm: str, stop_words: Collection[str]) -> list[str]:
    """Return the words of a normal form, without stop words, numbers and single letters.

    Where apostrophes are kept, a word loses what is elided before it if that is a stop word: with
    "l'" among them "l'église" is "église". Text without spaces gives each two letters side by side,
    as elsewhere, but for two that are both stop words.
    """
    words = tokens(norm) if "'" not in norm else (_whole(each, stop_words) for each in tokens(norm))
    return [
        word
        for word in words
        if len(word) > 1
        and word not in _NUMBERS
        and word not in stop_words
        and not (len(word) == 2 and _are_both(word, stop_words))
    ]


def _whole(word: str, stop_words: Collection[str]) -> str:
    elided, apostrophe, rest = word.partition("'")
    return rest if apostrophe and elided + apostrophe in stop_words else word


def _are_both(pair: str, stop_words: Collection[str]) -> bool:
    return pair[0] in stop_words and pair[1] in stop_words and is_unspaced(pair)
