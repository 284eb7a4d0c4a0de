"""The words that a network knows, and how others are told by their letters. Imports no torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

from wikibias.edits.word_diff import Span, tokens

LONGEST = 300
"""Words of a sentence that are read; what follows is not."""
_SHORTEST_GRAM, _LONGEST_GRAM = 3, 5
_LETTERS = 40  # of a word whose n-grams count; a longer one is an address or a prank


class Words(NamedTuple):
    """The distinct words of some sentences as numbers, and where each stands.

    Attributes:
        known: of each distinct word its row among the given vectors, 0 for none.
        learnt: likewise among the vectors learnt.
        grams: its character n-grams, those of one word behind another's.
        starts: where in `grams` those of each word begin.
        places: for each sentence its words, as numbers of distinct ones.
    """

    known: list[int]
    learnt: list[int]
    grams: list[int]
    starts: list[int]
    places: list[list[int]]


@dataclass(frozen=True)
class Vocabulary:
    """The words with a vector of their own.

    Attributes:
        given: words with a vector from a file, in the order of the rows, from 1.
        learnt: words of the training data, likewise.
        buckets: how many vectors character n-grams share; 0 for none.
    """

    given: Sequence[str]
    learnt: Sequence[str]
    buckets: int

    @cached_property
    def _rows(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        given, learnt = (
            {word: row for row, word in enumerate(words, 1)} for words in (self.given, self.learnt)
        )
        return given, learnt

    def numbered(self, sentences: Sequence[Sequence[str]]) -> Words:
        """Return sentences of words as numbers; an empty one as one unknown word."""
        distinct: dict[str, int] = {}
        places = [
            [distinct.setdefault(word, len(distinct)) for word in sentence or [""]]
            for sentence in sentences
        ]
        given, learnt = self._rows
        grams: list[int] = []
        starts = []
        for word in distinct:
            starts.append(len(grams))
            grams += character_ngrams(word, self.buckets) if self.buckets else ()
        return Words(
            [given.get(word, 0) for word in distinct],
            [learnt.get(word, 0) for word in distinct],
            grams,
            starts,
            places,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return what `of_dict` takes, as JSON."""
        return {"given": list(self.given), "learnt": list(self.learnt), "buckets": self.buckets}

    @classmethod
    def of_dict(cls, found: Mapping[str, Any]) -> Vocabulary:
        """Return the vocabulary that `as_dict` described.

        Raises:
            ValueError, KeyError, TypeError: it described none.
        """
        given, learnt, buckets = found["given"], found["learnt"], found["buckets"]
        if not all(isinstance(word, str) for word in (*given, *learnt)) or type(buckets) is not int:
            raise ValueError("no vocabulary")
        return cls(list(given), list(learnt), buckets)


def spans(text: str) -> list[Span]:
    """Return where the words and marks of a text stand, in characters; the first `LONGEST`.

    In a script without spaces each letter is a word.
    """
    return tokens(text)[:LONGEST]


def words(text: str) -> list[str]:
    """Return the words and marks of a text in the form that the vocabulary has them."""
    return [text[start:end].lower() for start, end in spans(text)]


def frequent(sentences: Iterable[Sequence[str]], least: int) -> list[str]:
    """Return the words that occur at least `least` times, the commonest first."""
    counts = Counter(word for sentence in sentences for word in sentence)
    found = [word for word, count in counts.items() if count >= least]
    return sorted(found, key=lambda word: (-counts[word], word))


def character_ngrams(word: str, buckets: int) -> list[int]:
    """Return the numbers of a word's n-grams of three to five characters, its ends marked.

    A number is a hash, so that two n-grams may share one; the same on each machine.
    """
    marked = f"<{word[:_LETTERS]}>"
    found = [
        marked[at : at + long]
        for long in range(_SHORTEST_GRAM, _LONGEST_GRAM + 1)
        for at in range(len(marked) - long + 1)
    ]
    return [crc32(gram.encode("utf-8", "surrogatepass")) % buckets for gram in found or [marked]]
