"""Cleaning rules and segmenters for tests."""

from __future__ import annotations

from functools import cache

from wikibias.config.languages import load_language
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.pipeline.enrichment import cleaning_rules
from wikibias.tags.tagset import load_tagset
from wikibias.text.cleaning import Rules
from wikibias.text.segmentation import Segmenter


@cache
def rules(lang: str) -> Rules:
    language = load_language(lang)
    namespaces = Namespaces.of({}, language.namespaces)
    return cleaning_rules(language, namespaces, load_tagset("npov", lang), 2_500_000)


@cache
def segmenter(lang: str) -> Segmenter:
    return Segmenter(load_language(lang))
