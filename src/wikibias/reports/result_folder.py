"""Finds rows in the tables of a result folder by a cell: a revision, a page, a sentence.

Nothing is read but what may hold them, so that a large folder answers at once.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from wikibias.config.choices import SPLITS
from wikibias.kits.parquet import check_columns, read_records, rows_with
from wikibias.kits.schemas import CORPUS_TABLE, EDITS_TABLE, LABELLED_TABLE, REJECTS_TABLE, Table
from wikibias.pipeline import manifest, stages
from wikibias.pipeline.manifest import Manifest
from wikibias.pipeline.outputs import output
from wikibias.pipeline.settings import Settings
from wikibias.records import (
    KEPT,
    NO_HISTORY,
    History,
    NegativeKind,
    Pairing,
    Provenance,
    Signal,
    TagContext,
    Tier,
)

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class TagChange:
    """A row of `transitions` without the wikitext."""

    provenance: Provenance
    context: TagContext
    history: History = NO_HISTORY


@dataclass(frozen=True, slots=True)
class Judged:
    """The columns of `edits` and `rejects` that tell which edit got which verdict."""

    wiki: str
    pairing: Pairing
    signal: Signal
    page_id: int
    tags: tuple[str, ...]
    before_rev_id: int | None
    after_rev_id: int
    verdict: str


@dataclass(frozen=True, slots=True)
class InCorpus:
    """The columns of a corpus that tell where a sentence has gone."""

    sentence_id: str
    norm: str
    split: str
    tier: Tier
    tier_reasons: tuple[str, ...]
    near_duplicates: str | None


@dataclass(frozen=True, slots=True)
class InLabelled:
    """The columns of a corpus of labels that tell where a sentence has gone."""

    sentence_id: str
    norm: str
    labels: tuple[str, ...]
    judged: tuple[str, ...]
    negative: NegativeKind | None
    split: str
    near_duplicates: str | None
    wiki: str
    page_id: int


Key = tuple[object, ...]
CHANGES: Table[TagChange] = Table("transitions", TagChange)
_JUDGED = (Table(EDITS_TABLE.name, Judged), Table(REJECTS_TABLE.name, Judged))
SENTENCES = Table(CORPUS_TABLE.name, InCorpus)
LABELLED = Table(LABELLED_TABLE.name, InLabelled)


def key_of(row: Provenance | Judged) -> Key:
    """Return what an edit has in common with its verdict: page, revisions, signal and tags."""
    pages = (row.wiki, row.page_id, row.pairing, row.signal)
    return (*pages, row.before_rev_id, row.after_rev_id, row.tags)


class ResultTables:
    """The tables of a result folder, as its manifest describes them.

    Raises:
        UsageError: the folder holds no result, or one of another version of wikibias.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: Manifest = manifest.load_recorded(folder)
        self.settings: Settings = manifest.settings_of(folder, self.manifest)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.folder.resolve().name

    @cached_property
    def composition(self) -> dict[str, Any] | None:
        """What the manifest says of the corpus; None where none is built."""
        return manifest.corpus_of(self.folder, self.manifest)

    @property
    def has_corpus(self) -> bool:
        """Whether a corpus of two classes is built; of intents alone there is none."""
        files = (self.composition or {}).get("files", ())
        return any(name.startswith(f"{CORPUS_TABLE.name}/") for name in files)

    @property
    def labels_by(self) -> str | None:
        """What the labels of `labelled` are: "intents" or "tags"; None where it is not built."""
        made = (self.composition or {}).get(LABELLED_TABLE.name)
        return made["by"] if made else None

    def paths(self, table: Table[Any]) -> Iterator[Path]:
        """Yield the files of a table that are there, by part or split; of a corpus once built."""
        names: Iterable[str] = (part.name for part in manifest.parts_of(self.manifest))
        if table is SENTENCES:
            names = SPLITS if self.has_corpus else ()
        elif table is LABELLED:
            names = SPLITS if self.labels_by else ()
        for name in names:
            path = output(self.folder, table.name, name)
            if path.is_file():
                yield path

    def has(self, stage: str) -> bool:
        """Return whether a stage has written a table."""
        return any(True for table in stages.named(stage).writes for _ in self.paths(table))

    def find(
        self, table: Table[R], column: str, values: Collection[int] | Collection[str]
    ) -> Iterator[R]:
        """Yield the rows of a table of any part that have one of the values in a column.

        Raises:
            WikibiasError: a file is damaged.
        """
        for path in self.paths(table):
            if rows := rows_with(path, column, values):
                check_columns(path, table)
                yield from read_records(path, table, rows)

    def verdicts(self, column: str, values: Collection[int]) -> dict[Key, str]:
        """Return the verdicts on the edits with one of the values in a column."""
        return {
            key_of(row): row.verdict or KEPT
            for table in _JUDGED
            for row in self.find(table, column, values)
        }
