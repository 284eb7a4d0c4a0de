"""What splits a paragraph into sentences, by name; loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wikibias.config.languages import Language
from wikibias.kits.plugins import Registry

# Gives the sentences of one paragraph, in order, however short or long.
Splitter = Callable[[str], Iterable[str]]
SEGMENTERS: Registry[Callable[[Language], Splitter]] = Registry(
    "segmenter",
    "wikibias.segmenters",
    {
        "rules": "wikibias.text.rule_splitter:RuleSplitter",
        "spacy": "wikibias.text.spacy_splitter:SpacySplitter",
        "sentencex": "wikibias.text.sentencex_splitter:SentencexSplitter",
    },
)
