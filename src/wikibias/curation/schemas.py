"""The columns of the tables with template counts."""

from __future__ import annotations

from wikibias.storage.parquet import FLOAT64, INT32, INT64, TEXT, TIME, Columns

_COUNTS: Columns = [("pages", INT64), ("revisions", INT64)]
COUNTS: Columns = [
    ("name", TEXT),
    ("target", TEXT),
    *_COUNTS,
    ("first_year", INT32),
    ("last_year", INT32),
    ("ratio", FLOAT64),
]
YEARS: Columns = [("name", TEXT), ("year", INT32), ("revisions", INT64)]
ALIASES: Columns = [
    ("alias", TEXT),
    ("target", TEXT),
    ("since", TIME),
    ("until", TIME),
    ("resolved", TEXT),
    *_COUNTS,
]
