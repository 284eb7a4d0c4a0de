"""Cleaning rules and segmenters for tests."""

from functools import cache

from wikibias.config.languages import load_language
from wikibias.edits.sentence_context import ReferenceFinder, Tools
from wikibias.pipeline.enrichment import rules_of
from wikibias.text.cleaning import Rules, plain_visible_paragraphs, visible_paragraphs
from wikibias.text.segmentation import Segmenter


@cache
def rules(lang: str) -> Rules:
    return rules_of(lang)


@cache
def segmenter(lang: str) -> Segmenter:
    return Segmenter(load_language(lang))


@cache
def tools(lang: str) -> Tools:
    finder = ReferenceFinder(load_language(lang).intents.citation)
    return Tools(rules(lang), segmenter(lang), finder)


def visible_text(wikitext: str, of: Rules) -> str:
    """The paragraphs that a reader sees of a wikitext, one a line."""
    return "\n".join(paragraph.text for paragraph in visible_paragraphs(wikitext, of))


def plain_visible_text(wikitext: str, of: Rules) -> str:
    """The same by patterns alone."""
    return "\n".join(paragraph.text for paragraph in plain_visible_paragraphs(wikitext, of))
