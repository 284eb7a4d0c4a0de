"""The sentence rules as a component of spaCy pipelines: `nlp.add_pipe("wikibias_sentences")`."""

from collections.abc import Iterator

from spacy.language import Language
from spacy.tokens import Doc

from wikibias.config.languages import load_language
from wikibias.text.rule_splitter import RuleSplitter


class SentenceComponent:
    """Sets the sentence starts of a document by the rules of a language; lines are paragraphs."""

    def __init__(self, code: str) -> None:
        self._splitter = RuleSplitter(load_language(code))

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


@Language.factory("wikibias_sentences", default_config={"lang": None})
def sentence_component(nlp: Language, name: str, lang: str | None) -> SentenceComponent:
    """Return the component for a language of wikibias; by default that of the pipeline.

    Raises:
        UsageError: wikibias does not know the language.
    """
    del name
    return SentenceComponent(lang or nlp.lang or "")
