"""Marks biased words in new sentences."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypedDict

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.kits.tables import given_sentences
from wikibias.messages import counted
from wikibias.models.examples import LONGEST, Warn
from wikibias.research.spans.labels import BEGIN, INSIDE, OUTSIDE, Span, spans, split_words
from wikibias.research.spans.taggers import TAGGERS

_AT_ONCE = 200
Words = NDArray[np.float64]
"""An array (words, 2) of a sentence: probability that a span begins at a word, or goes on."""


def decode(words: Words, threshold: float) -> list[str]:
    """Return labels: a word is marked from `threshold` on, and neighbours make one span.

    A marked word begins a span of its own behind another where that is the likelier.
    """
    marked = words.sum(axis=1) >= threshold
    labels = []
    for place, (begin, inside) in enumerate(words):
        if not marked[place]:
            labels.append(OUTSIDE)
        elif place == 0 or not marked[place - 1] or begin > inside:
            labels.append(BEGIN)
        else:
            labels.append(INSIDE)
    return labels


def top_word(words: Words) -> int | None:
    """Return the word that is most likely biased, the first of several; None of no word."""
    return int(np.argmax(words.sum(axis=1))) if len(words) else None


class Mark(TypedDict):
    """A piece of a sentence, in characters, and the highest probability of bias of its words."""

    start: int
    end: int
    text: str
    probability: float


class Marked(TypedDict):
    """A sentence, its spans in order, and its most likely word, marked or not."""

    text: str
    spans: list[Mark]
    top: Mark | None


class Marker:
    """Marks sentences with a tagger that `wikibias spans train` made.

    Raises:
        WikibiasError: the folder holds none, or a damaged one.
    """

    def __init__(self, folder: Path) -> None:
        self.tagger, described = TAGGERS.load(folder)
        threshold = described.get("threshold")
        if not isinstance(threshold, (int, float)):
            raise WikibiasError(f"{folder / TAGGERS.folder.description}: damaged (no threshold)")
        self.threshold = float(threshold)

    def mark(self, texts: Sequence[str]) -> list[Marked]:
        """Return sentences with their marks."""
        split = [split_words(text) for text in texts]
        found = self.tagger.probabilities([words for words, _ in split])
        return [
            self._marked(text, places, words)
            for text, (_, places), words in zip(texts, split, found, strict=True)
        ]

    def _marked(self, text: str, places: Sequence[Span], words: Words) -> Marked:
        sums = words.sum(axis=1)

        def mark(start: int, end: int) -> Mark:
            first, last = places[start][0], places[end - 1][1]
            likely = round(float(sums[start:end].max()), 6)
            return {"start": first, "end": last, "text": text[first:last], "probability": likely}

        top = top_word(words)
        return {
            "text": text,
            "spans": [mark(*span) for span in spans(decode(words, self.threshold))],
            "top": None if top is None else mark(top, top + 1),
        }


def marked_lines(marker: Marker, lines: BinaryIO, warn: Warn) -> Iterator[Marked]:
    """Yield the sentence of each line with its marks; of a blank line, one without words.

    Of a longer line only the first `LONGEST` characters are read, and `warn` is told how many.

    Raises:
        WikibiasError: a line is not text.
    """
    numbered = given_sentences(lines, getattr(lines, "name", "standard input"))
    cut = 0
    while some := [text for _, text in islice(numbered, _AT_ONCE)]:
        cut += sum(len(text) > LONGEST for text in some)
        yield from marker.mark([text[:LONGEST] for text in some])
    if cut:
        warn(f"read only the first {LONGEST:,} characters of {counted(cut, 'longer line')}")
