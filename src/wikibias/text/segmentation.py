"""Text to sentences, each with its normal form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from wikibias.config.languages import Language
from wikibias.config.registry import Registry
from wikibias.records import Sentence
from wikibias.text.normalisation import normalise

# Gives the sentences of one paragraph, in order, however short or long.
Splitter = Callable[[str], Iterable[str]]
SEGMENTERS: Registry[Callable[[Language], Splitter]] = Registry(
    "segmenter",
    "wikibias.segmenters",
    {"spacy": "wikibias.text.spacy_splitter:SpacySplitter"},
)
# How many paragraphs to remember: two neighbouring revisions share nearly all of theirs.
_REMEMBERED = 4096
_LONGEST_REMEMBERED = 10_000  # characters


class Segmenter:
    """Splits the text of one language into sentences.

    The language names what splits a paragraph, one of `SEGMENTERS`. Remembers paragraphs, because
    two neighbouring revisions share nearly all of theirs.

    Raises:
        UsageError: nobody has registered the segmenter that the language names.
    """

    def __init__(self, language: Language) -> None:
        self._keep_apostrophes = language.keep_apostrophes
        self._splitter = SEGMENTERS[language.segmenter](language)
        self._remembered = lru_cache(_REMEMBERED)(self._split_paragraph)

    def split(self, text: str) -> list[Sentence]:
        """Return the sentences of a text whose paragraphs are lines, in document order.

        However short or long, but for what has no word at all, such as a row of dots.
        """
        return [s for line in text.split("\n") if line for s in self._paragraph(line)]

    def sentences(self, text: str) -> list[str]:
        """Return the texts of all sentences of a text whose paragraphs are lines."""
        return [s for line in text.split("\n") if line for s in self._splitter(line)]

    def normalise(self, text: str) -> str:
        """Return the normal form of a sentence of this language; see `normalise`."""
        return normalise(text, keep_apostrophes=self._keep_apostrophes)

    def _paragraph(self, paragraph: str) -> tuple[Sentence, ...]:
        short = len(paragraph) <= _LONGEST_REMEMBERED
        return self._remembered(paragraph) if short else self._split_paragraph(paragraph)

    def _split_paragraph(self, paragraph: str) -> tuple[Sentence, ...]:
        split = ((text, self.normalise(text)) for text in self._splitter(paragraph))
        return tuple(Sentence(text, norm) for text, norm in split if norm)
