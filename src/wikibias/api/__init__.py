"""What `import wikibias` gives, and all of it that is stable.

[Use wikibias from Python](../python.md) shows how it goes together. The fields of a `Provenance`
are columns of the [output files](../output.md).
"""

import logging

from wikibias.api.commands import Trained, classify, export, extract, pairs, report
from wikibias.api.corpora import Classifier, load_classifier, load_corpus, load_table
from wikibias.api.texts import (
    SentenceDiff,
    align,
    clean,
    compare,
    confidence,
    list_languages,
    list_tagsets,
    load_tagset,
    read_tagset,
    split_sentences,
)
from wikibias.api.transitions import find_transitions, read_pages, read_site, to_pandas
from wikibias.errors import DiskError, DumpError, FetchError, UsageError, WikibiasError
from wikibias.records import Link, Page, Provenance, Revision, Sentence, Site, Transition
from wikibias.tags.tagset import Tag, TagSet

# Whoever imports wikibias decides what is shown; here, since no command needs it.
logging.getLogger("wikibias").addHandler(logging.NullHandler())

__all__ = (  # noqa: RUF022 (in the order of the guide)
    # Dumps and transitions
    "read_site",
    "read_pages",
    "find_transitions",
    "to_pandas",
    # Texts
    "clean",
    "split_sentences",
    "compare",
    "align",
    "confidence",
    # Languages and tag sets
    "list_languages",
    "list_tagsets",
    "load_tagset",
    "read_tagset",
    # Corpora and classifiers
    "extract",
    "load_corpus",
    "load_table",
    "classify",
    "load_classifier",
    "report",
    "export",
    "pairs",
    # Records
    "Classifier",
    "Link",
    "Page",
    "Provenance",
    "Revision",
    "Sentence",
    "SentenceDiff",
    "Site",
    "Tag",
    "TagSet",
    "Trained",
    "Transition",
    # Errors
    "WikibiasError",
    "UsageError",
    "DumpError",
    "DiskError",
    "FetchError",
)
