"""Some edits of a result folder that have an intent: what `wikibias explain` can be asked of."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from heapq import nsmallest
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from wikibias.reports.corpus_statistics import rows, text

MOST = 20
_COLUMNS = ["signal", "after_rev_id", "page_title", "comment"]


class IntentEdit(NamedTuple):
    """An edit with its intents, in the order of their rows."""

    revision: int
    page: str
    intents: tuple[str, ...]
    summary: str


def some_edits(folder: Path, names: Collection[str]) -> tuple[list[IntentEdit], int]:
    """Return some of the edits with intents, spread over all, and how many there are.

    Those are taken whose revisions have the least hash, so that they are the same each time.

    Args:
        folder: the result.
        names: of the intents.

    Raises:
        WikibiasError: a table is damaged.
    """
    number, chosen = 0, list[IntentEdit]()
    for edit in _edits(folder, names):
        number += 1
        chosen = nsmallest(MOST, [*chosen, edit], key=_place)
    return sorted(chosen), number


def _place(edit: IntentEdit) -> tuple[int, int]:
    return crc32(f"{edit.revision}".encode()), edit.revision


def _edits(folder: Path, names: Collection[str]) -> Iterator[IntentEdit]:
    found = (row for _, row in rows(folder, "transitions", _COLUMNS) if row.get("signal") in names)
    for revision, of_edit in groupby(found, lambda row: row.get("after_rev_id")):
        own = list(of_edit)
        if isinstance(revision, int):
            signals = tuple(dict.fromkeys(text(row.get("signal")) for row in own))
            first = own[0]
            yield IntentEdit(
                revision, text(first.get("page_title")), signals, text(first.get("comment"))
            )
