"""Sentences whose words are labelled, and how they come from a pair of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wikibias.edits.edited_spans import edited_spans
from wikibias.edits.word_diff import tokens
from wikibias.research.spans.labels import OUTSIDE, Span, labelled


@dataclass(frozen=True, slots=True)
class Tagged:
    """A sentence to learn from, or to be scored on.

    Attributes:
        words: its words and marks.
        labels: of the words: B-bias, I-bias or O.
        group: what must stay in one split with it: its page or its revision, or None.
        edited: whether an editor is known to have changed it, perhaps by adding words only.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    group: str | None = None
    edited: bool = False

    @property
    def biased(self) -> bool:
        """Whether it has a span."""
        return any(label != OUTSIDE for label in self.labels)


def split_words(text: str) -> tuple[tuple[str, ...], list[Span]]:
    """Return the words and marks of a text, and where they stand in it, in characters.

    In a script without spaces each letter is a word.
    """
    places = tokens(text)
    return tuple(text[start:end] for start, end in places), places


def of_pair(source: str, target: str, group: str | None = None) -> Tagged:
    """Return the source of a pair; what the edit took out or replaced is marked.

    An edit that only added words leaves no span.
    """
    words, places = split_words(source)
    found = [
        _words_within(places, start, end)
        for edit in edited_spans(source, target)
        for start, end in _pieces(edit.source)
    ]
    return Tagged(words, tuple(labelled(len(words), found)), group, source != target)


def of_neutral(text: str, group: str | None = None) -> Tagged:
    """Return a sentence without a span."""
    words, _ = split_words(text)
    return Tagged(words, (OUTSIDE,) * len(words), group)


def key(words: Sequence[str]) -> str:
    """Return what two forms of one sentence have in common: its letters and digits."""
    return "".join(char for char in " ".join(words).casefold() if char.isalnum())


def _pieces(spans: str) -> Iterator[Span]:
    for piece in spans.split():
        start, _, end = piece.partition(":")
        yield int(start), int(end)


def _words_within(places: Sequence[Span], start: int, end: int) -> Span:
    inside = [number for number, (at, to) in enumerate(places) if start <= at and to <= end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)
