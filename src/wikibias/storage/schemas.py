"""The tables of a result folder: their columns, and records to rows and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wikibias.records import Edit, Provenance, Sentence, Transition
from wikibias.storage.parquet import BOOL, FLOAT64, INT32, INT64, TEXT, TEXTS, TIME, Columns, Row

_PROVENANCE: Columns = [
    ("wiki", TEXT),
    ("lang", TEXT),
    ("part", TEXT),
    ("page_id", INT64),
    ("page_title", TEXT),
    ("namespace", INT32),
    ("kind", TEXT),
    ("tags", TEXTS),
    ("aliases", TEXTS),
    ("before_rev_id", INT64),
    ("after_rev_id", INT64),
    ("before_timestamp", TIME),
    ("after_timestamp", TIME),
    ("comment", TEXT),
    ("editor_kind", TEXT),
    ("reverted", BOOL),
    ("diff_url", TEXT),
    ("tagset_version", TEXT),
    ("pairing", TEXT),
    ("scope", TEXTS),
    ("section", TEXTS),
    ("pointed_at", TEXTS),
    ("days_tagged", FLOAT64),
    ("revisions_tagged", INT64),
    ("edited_text", BOOL),
    ("only_tags", BOOL),
    ("by_bot", BOOL),
]
TRANSITIONS: Columns = [*_PROVENANCE, ("before_text", TEXT), ("after_text", TEXT)]
DIFFS: Columns = [
    *_PROVENANCE,
    ("removed", TEXTS),
    ("added", TEXTS),
    ("unchanged", TEXTS),
    ("same_text", BOOL),
    ("after_redirect", BOOL),
    ("after_chars", INT64),
    ("readable", BOOL),
]
REJECTS: Columns = [*_PROVENANCE, ("verdict", TEXT), ("removed", TEXTS), ("added", TEXTS)]
EDITS: Columns = [*DIFFS, ("verdict", TEXT)]
CORPUS: Columns = [
    ("sentence_id", TEXT),
    ("text", TEXT),
    ("norm", TEXT),
    ("label", TEXT),
    ("role", TEXT),
    ("split", TEXT),
    *_PROVENANCE,
]


def provenance_row(provenance: Provenance) -> Row:
    """Return the columns of a provenance."""
    return {name: getattr(provenance, name) for name in Provenance.__slots__}


def provenance_of(row: Row) -> Provenance:
    """Return the provenance in a row."""
    values: dict[str, Any] = {name: row.get(name) for name in Provenance.__slots__}
    for name in ("tags", "aliases", "scope", "section", "pointed_at"):
        values[name] = tuple(values[name] or ())
    return Provenance(**values)


def transition_row(transition: Transition) -> Row:
    """Return the row of a transition."""
    return {
        **provenance_row(transition.provenance),
        "before_text": transition.before_text,
        "after_text": transition.after_text,
    }


def transition_of(row: Row) -> Transition:
    """Return the transition in a row."""
    return Transition(provenance_of(row), row["before_text"], row["after_text"])


_EDIT_FIELDS = [name for name in Edit.__slots__ if name != "provenance"]


def edit_row(edit: Edit, verdict: str | None = None) -> Row:
    """Return the row of an edit, with its verdict when it has one."""
    fields = {name: getattr(edit, name) for name in _EDIT_FIELDS}
    return {**provenance_row(edit.provenance), **fields, "verdict": verdict}


def edit_of(row: Row) -> Edit:
    """Return the edit in a row of the table DIFFS."""
    fields = {name: row[name] for name in _EDIT_FIELDS}
    for name in ("removed", "added", "unchanged"):
        fields[name] = tuple(fields[name])
    return Edit(provenance=provenance_of(row), **fields)


def sentence_row(sentence: Sentence) -> Row:
    """Return the row of a sentence of the corpus."""
    own = {name: getattr(sentence, name) for name in Sentence.__slots__ if name != "provenance"}
    return {**own, **provenance_row(sentence.provenance)}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the result folder: a folder of its name, a Parquet file a part, a row a record."""

    name: str
    columns: tuple[tuple[str, Any], ...]
    row: Callable[[Any], Row]
    record_of: Callable[[Row], Any]


TRANSITIONS_TABLE = Table("transitions", tuple(TRANSITIONS), transition_row, transition_of)
DIFFS_TABLE = Table("diffs", tuple(DIFFS), edit_row, edit_of)
REJECTS_TABLE = Table("rejects", tuple(REJECTS), edit_row, edit_of)
EDITS_TABLE = Table("edits", tuple(EDITS), edit_row, edit_of)
CORPUS_TABLE = Table("corpus", tuple(CORPUS), sentence_row, dict)
