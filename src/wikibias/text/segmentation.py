"""Text to sentences. The only module that knows spaCy. Only rules are used, no trained model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, cast

from wikibias.config.languages import Language
from wikibias.config.thresholds import Text
from wikibias.errors import UsageError
from wikibias.text import unsegmented
from wikibias.text.normalisation import normalise

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

_OPENING = frozenset("\u00ab\u201c\u2018\u201e\u2039([{\u00bf\u00a1")
_EITHER = frozenset("\"'")
# The tokenizer keeps full stops in a row together, and the sentencizer knows only single ones.
_ELLIPSES = ("..", "...", "....", "\u2026")
# The tokenizer takes time in the square of a run without spaces; no word is as long as these.
_ENDLESS = re.compile(r"[^\w\s]{200}|\S{2000}")
_NUMERO = re.compile(r"\b[Nn](?:os?|rs?|um)?\.$")
# spaCy keeps any letter with a full stop together, as an initial; these are mostly units.
_UNITS = ("m.", "g.")
# How many paragraphs to remember: two neighbouring revisions share nearly all of theirs.
_REMEMBERED = 4096
_LONGEST_REMEMBERED = 10_000  # characters
# spaCy remembers every word it has ever seen: these take some 60 MB.
_MOST_WORDS = 150_000


@dataclass(frozen=True, slots=True)
class Split:
    """One sentence: as a reader sees it, and as it is compared and classified."""

    text: str
    norm: str


@cache
def _ends() -> tuple[str, ...]:
    """Return what ends a sentence, but for full-width stops.

    Those are dealt with before, as no tokenizer but that of Chinese sees them in a run.
    """
    from spacy.pipeline import Sentencizer  # noqa: PLC0415 (see Segmenter)

    return (*sorted({*Sentencizer.default_punct_chars} - {*unsegmented.STOPS}), *_ELLIPSES)


@cache
def _some_end() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, _ends())))


class Segmenter:
    """Splits the text of one language into sentences of an allowed length.

    Remembers paragraphs, because two neighbouring revisions share nearly all of theirs.
    """

    def __init__(self, language: Language, limits: Text) -> None:
        self._keep_apostrophes = language.keep_apostrophes
        self._limits = limits
        self._language = language
        self._remembered = lru_cache(_REMEMBERED)(self._split_paragraph)

    @cached_property
    def _nlp(self) -> Any:
        """The tokenizer and sentencizer of the language.

        To load them takes most of a second and 60 MB, and to read a dump needs neither.
        """
        import spacy  # noqa: PLC0415
        from spacy.symbols import ORTH  # noqa: PLC0415

        language = self._language
        try:
            nlp = cast(Any, spacy.blank(language.spacy))
        except (ImportError, AttributeError) as error:  # a module that is no language
            raise UsageError(
                f"configs/{language.code}.toml: spaCy cannot split {language.spacy!r} ({error})"
            ) from error
        if not hasattr(nlp.tokenizer, "add_special_case"):
            raise UsageError(
                f"configs/{language.code}.toml: the tokenizer of spaCy's {language.spacy!r} takes "
                "no abbreviations; use spacy = 'xx'"
            )
        nlp.max_length = self._limits.max_wikitext + 1
        nlp.add_pipe("sentencizer", config={"punct_chars": list(_ends())})
        for unit in set(_UNITS) - set(language.abbreviations):
            nlp.tokenizer.add_special_case(unit, [{ORTH: unit[:-1]}, {ORTH: "."}])
        for short in language.abbreviations:
            for form in {short: None, short[:1].upper() + short[1:]: None}:
                nlp.tokenizer.add_special_case(form, [{ORTH: form}])
        return nlp

    def split(self, text: str) -> list[Split]:
        """Return the sentences of a text whose paragraphs are lines, in document order.

        Only sentences of `min_tokens` to `max_tokens` words, as `unspaced.words` counts them; what
        is shorter is mostly a caption or a list entry.
        """
        return [s for line in text.split("\n") if line for s in self._paragraph(line)]

    def sentences(self, text: str) -> list[str]:
        """Return all sentences of a text whose paragraphs are lines, however short or long."""
        return [s for line in text.split("\n") for s in self._sentences(line)]

    def normalise(self, text: str) -> str:
        """Return the form in which sentences of this language are compared; see `normalise`."""
        return normalise(text, keep_apostrophes=self._keep_apostrophes)

    def _paragraph(self, paragraph: str) -> tuple[Split, ...]:
        short = len(paragraph) <= _LONGEST_REMEMBERED
        return self._remembered(paragraph) if short else self._split_paragraph(paragraph)

    def _split_paragraph(self, paragraph: str) -> tuple[Split, ...]:
        found = []
        for text in self._sentences(paragraph):
            norm = self.normalise(text)
            if self._limits.min_tokens <= unsegmented.words(norm) <= self._limits.max_tokens:
                found.append(Split(text, norm))
        return tuple(found)

    def _forget(self) -> None:
        """Begin anew with spaCy once it remembers too many words.

        Its own way of forgetting them keeps the tokenizer from remembering how it split one, which
        makes it six times slower.
        """
        if len(self._nlp.vocab.strings) > _MOST_WORDS:
            del self._nlp

    def _sentences(self, paragraph: str) -> Iterator[str]:
        for piece in unsegmented.pieces(paragraph):
            # spaCy remembers every run between spaces, which without spaces is all of the text.
            if _some_end().search(piece):
                yield from list(_joined(self._nlp(_ENDLESS.sub(r"\g<0> ", piece))))
                self._forget()
            elif text := piece.strip():
                yield text


def _joined(doc: Doc) -> Iterator[str]:
    """Yield the sentences of a paragraph, with two faults of the sentencizer mended.

    What follows a full stop in lower case goes on the same sentence (an abbreviation); an
    opening quotation mark or bracket belongs to the sentence it opens.
    """
    start = 0
    for sentence in doc.sents:
        end = _without_opening(sentence)
        text = doc[start:end].text.strip()
        if text.endswith((".", "\u2026")) and _goes_on(text, doc, end):
            continue
        start = end
        if text:
            yield text
    if text := doc[start:].text.strip():
        yield text


def _without_opening(sentence: Span) -> int:
    """Return the sentence's end, less the opening marks that stand there."""
    doc, end = sentence.doc, sentence.end
    if end == len(doc):
        return end
    while end - 1 > sentence.start and doc[end - 2].whitespace_:
        mark = doc[end - 1]
        # French puts a space inside its quotation marks; a straight one opens only without.
        if mark.text not in _OPENING and (mark.text not in _EITHER or mark.whitespace_):
            break
        end -= 1
    return end


def _goes_on(text: str, doc: Doc, position: int) -> bool:
    """Tell whether a sentence goes on after a full stop: in lower case, or as in "No. 7".

    In a script without spaces and cases it goes on after an ellipsis and after a foreign word.
    """
    for token in doc[position : position + 4]:
        if not token.is_punct:
            first = token.text[0]
            if unsegmented.is_unspaced(first) and unsegmented.is_unspaced(text):
                return not text.endswith(".") or not unsegmented.ends_unspaced(text)
            return first.islower() or (first.isdigit() and _NUMERO.search(text) is not None)
    return False
