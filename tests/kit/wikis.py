"""Cleaning rules and segmenters for tests."""

from functools import cache

from wikibias.config.languages import load_language
from wikibias.edits.sentence_context import ReferenceFinder
from wikibias.pipeline.enrichment import rules_of
from wikibias.text.cleaning import Rules
from wikibias.text.segmentation import Segmenter


@cache
def rules(lang: str) -> Rules:
    return rules_of(lang)


@cache
def segmenter(lang: str) -> Segmenter:
    return Segmenter(load_language(lang))


@cache
def finder(lang: str) -> ReferenceFinder:
    return ReferenceFinder(load_language(lang).intents.citation)
