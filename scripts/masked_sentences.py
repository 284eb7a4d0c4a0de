"""Leaves of sentences only what tells their topic, or only what does not.

Usage: python scripts/masked_sentences.py {topic,names,grammar} LANG < sentences.txt > masked.txt

What a classifier still wins on the masked sentences, it can win without what was masked. One line
of output for each of input.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Mapping

from wikibias.config.languages import load_language

_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
_MASK = "w"


def topic(tokens: list[str], stopwords: Collection[str]) -> list[str]:
    """Return the words that are no stop words: no grammar, no punctuation."""
    return [token for token in tokens if token[0].isalnum() and token.lower() not in stopwords]


def names(tokens: list[str], stopwords: Collection[str]) -> list[str]:
    """Return numbers and the words with a capital, without the first: what no wording changes."""
    return [
        token
        for token in tokens[1:]
        if (token[0].isupper() or token[0].isdigit()) and token.lower() not in stopwords
    ]


def grammar(tokens: list[str], stopwords: Collection[str]) -> list[str]:
    """Return stop words and punctuation in their order, a mark in place of each other word."""
    return [
        token.lower() if token.lower() in stopwords or not token[0].isalnum() else _MASK
        for token in tokens
    ]


KINDS: Mapping[str, Callable[[list[str], Collection[str]], list[str]]] = {
    "topic": topic,
    "names": names,
    "grammar": grammar,
}


def masked(text: str, kind: str, stopwords: Collection[str]) -> str:
    """Return a sentence masked; what nothing is left of is the mark."""
    return " ".join(KINDS[kind](_TOKEN.findall(text), stopwords)) or _MASK


def main() -> None:
    """Mask the lines of standard input."""
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    stopwords = frozenset(load_language(sys.argv[2]).stopwords)
    for line in sys.stdin:
        print(masked(line, sys.argv[1], stopwords))


if __name__ == "__main__":
    main()
