"""Text to sentences, each with its normal form; segmenters by name."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from wikibias.config.languages import Language
from wikibias.kits.plugins import Registry
from wikibias.records import Paragraph, Sentence
from wikibias.text.normalisation import normalise

# Gives the sentences of one paragraph, in order, however short or long.
Splitter = Callable[[str], Iterable[str]]
SEGMENTERS: Registry[Callable[[Language], Splitter]] = Registry(
    "segmenter",
    "wikibias.segmenters",
    {
        "rules": "wikibias.text.rule_splitter:RuleSplitter",
        "spacy": "wikibias.text.spacy_splitter:SpacySplitter",
    },
)


# A gap behind one of them is in no sentence.
STOPS = tuple(".!?…。！？؟۔।")
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

    def split(self, paragraphs: Iterable[Paragraph]) -> list[Sentence]:
        """Return the sentences of paragraphs, in document order.

        However short or long, but for what has no word at all, such as a row of dots.
        """
        return [s for paragraph in paragraphs for s in self._paragraph(paragraph)]

    def sentences(self, text: str) -> list[str]:
        """Return the texts of all sentences of a text whose paragraphs are lines."""
        return [s for line in text.split("\n") if line for s in self._splitter(line)]

    def normalise(self, text: str) -> str:
        """Return the normal form of a sentence of this language; see `normalise`."""
        return normalise(text, keep_apostrophes=self._keep_apostrophes)

    def _paragraph(self, paragraph: Paragraph) -> tuple[Sentence, ...]:
        short = len(paragraph.text) <= _LONGEST_REMEMBERED
        return self._remembered(paragraph) if short else self._split_paragraph(paragraph)

    def _split_paragraph(self, paragraph: Paragraph) -> tuple[Sentence, ...]:
        texts = list(self._splitter(paragraph.text))
        damaged = _with_gaps(paragraph, texts) if paragraph.gaps else frozenset()
        return tuple(
            Sentence(text, norm, paragraph.block, number in damaged)
            for number, text in enumerate(texts)
            if (norm := self.normalise(text))
        )


def paragraphs_of(text: str) -> list[Paragraph]:
    """Return the paragraphs of a plain text whose paragraphs are lines."""
    return [Paragraph(line) for line in text.split("\n") if line]


def _with_gaps(paragraph: Paragraph, sentences: list[str]) -> frozenset[int]:
    """Return the numbers of the sentences of a paragraph that a gap falls into.

    One at the begin counts, since it may have been the subject; one behind a final stop does not.
    """
    found = set()
    end = 0
    for number, sentence in enumerate(sentences):
        start = max(paragraph.text.find(sentence, end), end)
        end = start + len(sentence)
        stops = sentence.endswith(STOPS)
        if any(start <= gap < end or (gap == end and not stops) for gap in paragraph.gaps):
            found.add(number)
    return frozenset(found)
