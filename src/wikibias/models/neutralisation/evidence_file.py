"""Evidence as a Parquet file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wikibias.models.neutralisation.evidence import Evidence
from wikibias.storage.parquet import read_records, writing
from wikibias.storage.schemas import Table


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """How much of what has a key in a view was changed; the row without a view counts all."""

    view: str
    key: str
    changed: float
    seen: float


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
