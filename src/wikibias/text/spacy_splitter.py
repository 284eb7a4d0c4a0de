"""Sentences of spaCy; the only module that imports it.

The sentence rules as a component of spaCy pipelines: `nlp.add_pipe("wikibias_sentences")`.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any, cast

from spacy.language import Language as Pipeline
from spacy.tokens import Doc

from wikibias.config.languages import Language, load_language
from wikibias.errors import UsageError
from wikibias.text import rule_splitter, segmentation

# The tokenizer keeps full stops in a row together, and the sentencizer knows only single ones.
_ELLIPSES = ("..", "...", "....", "\u2026")
# The tokenizer takes time in the square of a run without spaces; no word is as long as these.
_ENDLESS = re.compile(r"[^\w\s]{200}|\S{2000}")
# No sign at the end of a run is longer, but for a row of full stops.
_LONGEST_SUFFIX = 40
# spaCy keeps any letter with a full stop together, as an initial; these are mostly units.
_UNITS = ("m.", "g.")
# spaCy remembers every word it has ever seen: these take some 60 MB.
_MOST_WORDS = 150_000


@cache
def _ends() -> tuple[str, ...]:
    """Return what ends a sentence, but for full-width stops.

    Those are dealt with before, as no tokenizer but that of Chinese sees them in a run.
    """
    from spacy.pipeline import Sentencizer  # noqa: PLC0415 (see SpacySplitter)

    return (*sorted({*Sentencizer.default_punct_chars} - {*segmentation.WIDE_STOPS}), *_ELLIPSES)


@cache
def _some_end() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, _ends())))


class SpacySplitter:
    """Splits paragraphs of one language by the rules of spaCy, with our abbreviations."""

    def __init__(self, language: Language) -> None:
        self._language = language

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
                f"the language {language.code!r}: spaCy cannot split {language.spacy!r} ({error})"
            ) from error
        if not hasattr(nlp.tokenizer, "add_special_case"):
            raise UsageError(
                f"the language {language.code!r}: the tokenizer of spaCy's {language.spacy!r} "
                "takes no abbreviations; use spacy = 'xx'"
            )
        _look_at_the_ends(nlp.tokenizer)
        # How long a text may be is a setting of the cleaning.
        nlp.max_length = sys.maxsize
        nlp.add_pipe("sentencizer", config={"punct_chars": list(_ends())})
        # spaCy's rules know one kind of abbreviation, after which a sentence goes on.
        abbreviations = {*language.abbreviations, *language.abbreviations_before_starter}
        for unit in set(_UNITS) - abbreviations:
            nlp.tokenizer.add_special_case(unit, [{ORTH: unit[:-1]}, {ORTH: "."}])
        for short in sorted(abbreviations):
            for form in {short: None, short[:1].upper() + short[1:]: None}:
                nlp.tokenizer.add_special_case(form, [{ORTH: form}])
        return nlp

    def __call__(self, paragraph: str) -> Iterator[str]:
        """Yield the sentences of a paragraph."""
        for piece in segmentation.pieces(paragraph):
            # spaCy remembers every run between spaces, which without spaces is all of the text.
            if _ends_at_most_at_its_end(piece):
                if text := piece.strip():
                    yield text
            else:
                paragraph = _ENDLESS.sub(r"\g<0> ", piece)
                doc, start = self._nlp(paragraph), 0
                for sentence in doc.sents:
                    behind = doc[sentence.end : sentence.end + 1].text
                    # What goes on in lower case had an abbreviation before it.
                    if not behind[:1].islower() and (
                        text := doc[start : sentence.end].text.strip()
                    ):
                        yield text
                        start = sentence.end
                self._forget()

    def _forget(self) -> None:
        """Load spaCy again once it remembers too many words.

        Its own way of forgetting them keeps the tokenizer from remembering how it split one, which
        makes it six times slower.
        """
        if len(self._nlp.vocab.strings) > _MOST_WORDS:
            del self._nlp


def _look_at_the_ends(tokenizer: Any) -> None:
    """Let a tokenizer look for signs only where they can begin, at both ends of a run.

    For each sign that it takes off it would look at every letter of the run.
    """
    prefix, suffix = tokenizer.prefix_search.__self__, tokenizer.suffix_search.__self__

    def at_the_end(run: str) -> Any:
        near = max(0, len(run) - _LONGEST_SUFFIX)
        found = suffix.search(run, near)
        return suffix.search(run) if found and found.start() == near else found

    # With each new search it would take up its thousand special cases again.
    rules, tokenizer.rules = tokenizer.rules, {}
    # All patterns of prefixes begin with "^".
    tokenizer.prefix_search, tokenizer.suffix_search = prefix.match, at_the_end
    tokenizer.rules = rules


def _ends_at_most_at_its_end(piece: str) -> bool:
    """Return whether a piece is certainly one sentence: nothing but punctuation follows an end."""
    end = _some_end().search(piece)
    if end is None:
        return True
    return _ENDLESS.search(piece) is None and all(
        unicodedata.category(letter)[0] == "P" for letter in piece[end.end() :]
    )


class SentenceComponent:
    """Sets the sentence starts of a document by the rules of a language; lines are paragraphs."""

    def __init__(self, code: str) -> None:
        self._splitter = rule_splitter.RuleSplitter(load_language(code))

    def __call__(self, doc: Doc) -> Doc:
        """Return the document with its sentences."""
        starts = self._starts(doc.text)
        start = next(starts, None)
        for token in doc:
            token.is_sent_start = start is not None and token.idx >= start
            while start is not None and token.idx >= start:
                start = next(starts, None)
        return doc

    def _starts(self, text: str) -> Iterator[int]:
        at = 0
        for line in text.split("\n"):
            for sentence in self._splitter(line):
                at = text.index(sentence, at)
                yield at
                at += len(sentence)


@Pipeline.factory("wikibias_sentences", default_config={"lang": None})
def sentence_component(nlp: Pipeline, name: str, lang: str | None) -> SentenceComponent:
    """Return the component for a language of wikibias; by default that of the pipeline.

    Raises:
        UsageError: wikibias does not know the language.
    """
    return SentenceComponent(lang or nlp.lang or "")
