"""What stood around sampled sentences: both sides of their edits, and what the page says nearby."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wikibias.edits.sentence_context import ReferenceFinder, page_in_context
from wikibias.kits.parquet import read_table, rows_with
from wikibias.kits.schemas import DIFFS_TABLE, TRANSITIONS_TABLE
from wikibias.mediawiki.titles import Namespaces
from wikibias.pipeline.enrichment import cleaning_rules
from wikibias.pipeline.loaded_settings import language_of, tagset_of
from wikibias.records import SentenceContext
from wikibias.research.annotation.sampling.population import Corpus, EditKey, key_of
from wikibias.text.cleaning import UnreadableError
from wikibias.text.segmentation import Segmenter

_KEY = ["wiki", "pairing", "before_rev_id", "after_rev_id"]
_SIDES = [*_KEY, "removed", "added", "unchanged", "unchanged_norm", "unchanged_block"]
_NONE = SentenceContext("", "", "", has_reference=False, follows_reference=False)


@dataclass(frozen=True, slots=True)
class Sides:
    """The sentences of an edit.

    Attributes:
        removed: only in the older revision.
        added: only in the newer one.
        unchanged: in both, as (place among the unchanged, text, normal form), of running text.
        contexts: what stood around a sentence of the older revision, by its text.
    """

    removed: tuple[str, ...]
    added: tuple[str, ...]
    unchanged: tuple[tuple[int, str, str], ...]
    contexts: Mapping[str, SentenceContext] = field(default_factory=dict)

    def context(self, text: str) -> SentenceContext:
        """Return what stood around a sentence; nothing where that is not known."""
        return self.contexts.get(text, _NONE)


def sides_of(
    corpus: Corpus, keys: Collection[EditKey], *, with_context: bool
) -> dict[EditKey, Sides]:
    """Return both sides of some edits of a corpus.

    Args:
        corpus: the corpus.
        keys: the edits.
        with_context: read and clean the older revision of each for what stood around.

    Raises:
        WikibiasError: a table is damaged.
        UsageError: the language or the tag set of the corpus is not there any more.
    """
    contexts = dict(_contexts(corpus, keys)) if with_context else {}
    blocks = corpus.settings.build.blocks
    found: dict[EditKey, Sides] = {}
    for row in _rows(corpus, DIFFS_TABLE.name, keys, _SIDES):
        unchanged = zip(
            row["unchanged"], row["unchanged_norm"], row["unchanged_block"], strict=True
        )
        found.setdefault(
            key_of(row),
            Sides(
                tuple(row["removed"]),
                tuple(row["added"]),
                tuple(
                    (place, text, norm)
                    for place, (text, norm, block) in enumerate(unchanged)
                    if block in blocks
                ),
                contexts.get(key_of(row), {}),
            ),
        )
    return found


def _rows(
    corpus: Corpus, table: str, keys: Collection[EditKey], columns: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table that belong to some edits."""
    revisions = sorted({key[3] for key in keys})
    wanted = set(keys)
    for path in corpus.paths(table) if keys else ():
        if rows := rows_with(path, "after_rev_id", revisions):
            yield from (row for row in read_table(path, columns, rows) if key_of(row) in wanted)


def _contexts(
    corpus: Corpus, keys: Collection[EditKey]
) -> Iterator[tuple[EditKey, dict[str, SentenceContext]]]:
    language = language_of(corpus.settings)
    namespaces = Namespaces.of({}, language.namespaces)
    most = corpus.settings.diff.max_wikitext
    rules = cleaning_rules(language, namespaces, tagset_of(corpus.settings), most)
    segmenter, finder = Segmenter(language), ReferenceFinder(language.intents.citation)
    for row in _rows(corpus, TRANSITIONS_TABLE.name, keys, [*_KEY, "before_text"]):
        try:
            sentences, contexts = page_in_context(row["before_text"], rules, segmenter, finder)
        except UnreadableError:
            continue
        yield (
            key_of(row),
            {one.text: around for one, around in zip(sentences, contexts, strict=True)},
        )
