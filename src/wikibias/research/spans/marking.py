"""Marks biased words in new sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from wikibias.errors import WikibiasError
from wikibias.kits.tables import given_sentences
from wikibias.messages import counted
from wikibias.models.examples import LONGEST, Warn
from wikibias.research.spans import registry
from wikibias.research.spans.decoding import Words, decode, top_word
from wikibias.research.spans.labels import Span, spans
from wikibias.research.spans.sentences import split_words

_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece of a sentence, in characters, and the highest probability of bias of its words."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence, its spans in order, and its most likely word, marked or not."""

    text: str
    spans: tuple[Mark, ...]
    top: Mark | None

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            "text": self.text,
            "spans": [self._shown(mark) for mark in self.spans],
            "top": self._shown(self.top) if self.top else None,
        }

    def _shown(self, mark: Mark) -> dict[str, Any]:
        return {
            "start": mark.start,
            "end": mark.end,
            "text": self.text[mark.start : mark.end],
            "probability": round(mark.probability, 6),
        }


class Marker:
    """Marks sentences with a tagger that `wikibias spans train` made.

    Raises:
        WikibiasError: the folder holds none, or a damaged one.
    """

    def __init__(self, folder: Path) -> None:
        self.tagger, described = registry.load(folder)
        threshold = described.get("threshold")
        if not isinstance(threshold, (int, float)):
            raise WikibiasError(f"{folder / registry.FOLDER.description}: damaged (no threshold)")
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
            return Mark(places[start][0], places[end - 1][1], float(sums[start:end].max()))

        top = top_word(words)
        return Marked(
            text,
            tuple(mark(*span) for span in spans(decode(words, self.threshold))),
            None if top is None else mark(top, top + 1),
        )


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
