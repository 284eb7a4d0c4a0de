"""Counts of a rewriter as Parquet files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wikibias.kits.parquet import read_records, writing
from wikibias.kits.schemas import Table
from wikibias.research.neutralising.evidence import Evidence
from wikibias.research.neutralising.ngram_model import NgramModel


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """How much of what has a key in a view was changed; the row without a view counts all."""

    view: str
    key: str
    changed: float
    seen: float


@dataclass(frozen=True, slots=True)
class NgramRow:
    """How often words were seen in a row."""

    words: str
    seen: int


_NGRAMS = Table("n-grams", NgramRow)
_TABLE = Table("evidence", EvidenceRow)


def write_evidence(evidence: Evidence, path: Path) -> None:
    """Write counts.

    Raises:
        DiskError: the file cannot be written.
    """
    with writing(path, _TABLE, dict) as table:
        for view, key, changed, seen in evidence.rows():
            table.write(EvidenceRow(view, key, changed, seen))


def read_evidence(path: Path) -> Evidence:
    """Read counts that `write_evidence` wrote.

    Raises:
        WikibiasError: the file is missing or damaged.
    """
    rows = read_records(path, _TABLE)
    return Evidence.of((row.view, row.key, row.changed, row.seen) for row in rows)


def write_ngrams(ngrams: NgramModel, path: Path) -> None:
    """Write the counts of a language model.

    Raises:
        DiskError: the file cannot be written.
    """
    with writing(path, _NGRAMS, dict) as table:
        for words, seen in ngrams.rows():
            table.write(NgramRow(words, seen))


def read_ngrams(path: Path) -> NgramModel:
    """Read what `write_ngrams` wrote.

    Raises:
        WikibiasError: the file is missing or damaged.
    """
    return NgramModel.of((row.words, row.seen) for row in read_records(path, _NGRAMS))
