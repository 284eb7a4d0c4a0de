"""The kept edits of a result: rows of `diffs` that stand in `edits` too."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from wikibias.errors import WikibiasError
from wikibias.kits.schemas import DIFFS_TABLE, EDITS_TABLE, Table
from wikibias.pipeline.jobs import CorpusJob

R = TypeVar("R")
# What a corpus of two classes is made of; intents and featured articles have one of their own.
TWO_CLASSES = ("tag", "summary")


@dataclass(frozen=True, slots=True)
class _Pair:
    """What names an edit in `edits` and in `diffs`: its two revisions, and why they are paired."""

    signal: str
    pairing: str
    page_id: int
    before_rev_id: int
    after_rev_id: int


_EDITS_PAIRS, _DIFFS_PAIRS = Table(EDITS_TABLE.name, _Pair), Table(DIFFS_TABLE.name, _Pair)


def kept_edits(
    job: CorpusJob, table: Table[R], signals: Collection[str] = TWO_CLASSES
) -> Iterator[R]:
    """Yield the kept edits of all parts, in order: rows of `diffs`, as records of `table`.

    Those that were found by one of the `signals`.

    Raises:
        WikibiasError: a part's file is gone, or `edits` and `diffs` do not belong together.
    """
    for part in job.parts:
        # Both tables hold the edits in one order.
        compared = enumerate(job.read(_DIFFS_PAIRS, part))
        rows = array("q")
        last: _Pair | None = None
        for kept in job.read(_EDITS_PAIRS, part):
            if kept.signal not in signals:
                continue
            last, before = kept, last
            if _is_again(kept, before):
                continue
            row = next((number for number, pair in compared if pair == kept), None)
            if row is None:
                raise WikibiasError(
                    f"{part.name}: `edits` holds an edit that `diffs` lacks; redo it with "
                    f"`wikibias filter --restart {job.folder}`"
                )
            rows.append(row)
        if rows:
            yield from job.read(table, part, rows)


def _is_again(kept: _Pair, before: _Pair | None) -> bool:
    """Return whether an edit found by its summary took tags out as well: then it is there twice.

    The row of the tags comes first, and is the one that counts: it says more of the edit.
    """
    return kept.signal == "summary" and before == replace(
        kept, signal="tag", pairing="removal-edit"
    )


def kept_by_signal(job: CorpusJob) -> Counter[str]:
    """Return how many edits are kept, by what they were found by."""
    edits = (edit for part in job.parts for edit in job.read(_EDITS_PAIRS, part))
    return Counter(edit.signal for edit in edits)
