"""The aligned pairs of a corpus that was built without them: from its rows and the kept edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from wikibias.config.choices import SPLITS
from wikibias.corpus.pairs import aligned_pairs
from wikibias.corpus.rows import edit_id
from wikibias.errors import WikibiasError
from wikibias.kits.parquet import read_records, read_table
from wikibias.kits.schemas import CORPUS_TABLE, EDITS_TABLE, PAIRS_TABLE
from wikibias.records import AlignedPair, Tier

_COLUMNS = ["sentence_id", "role", "split", "tier"]


def pairs_of(folder: Path, parts: Sequence[str], *, written: bool) -> Iterator[AlignedPair]:
    """Yield the pairs of a result: those that its build wrote, or else the same made anew.

    Args:
        folder: the result folder.
        parts: the names of its parts, in the order of the manifest.
        written: whether its build wrote them; a file of an earlier build may be left.

    Raises:
        WikibiasError: the tables `edits` and the corpus do not belong together, or are damaged.
    """
    path = folder / CORPUS_TABLE.name / "pairs.parquet"
    if written and path.is_file():
        return read_records(path, PAIRS_TABLE)
    return _made(folder, parts)


def _made(folder: Path, parts: Sequence[str]) -> Iterator[AlignedPair]:
    """Make the pairs anew; rows and edits stand in one order, so neither is held in memory."""
    rows = [_Removed(folder / CORPUS_TABLE.name / f"{split}.parquet") for split in SPLITS]
    paths = (folder / EDITS_TABLE.name / f"{part}.parquet" for part in parts)
    edits = chain.from_iterable(read_records(path, EDITS_TABLE) for path in paths if path.is_file())
    for edit in edits:
        identity = edit_id(edit.provenance)
        chosen = dict(chain.from_iterable(each.of(identity) for each in rows))
        if chosen and edit.links:
            yield from aligned_pairs(edit, identity, dict(sorted(chosen.items())))
    if any(each.left for each in rows):
        raise WikibiasError(
            f"{folder}: the corpus holds sentences of edits that `edits` lacks; run "
            f"`wikibias build --restart {folder}` with the options of before"
        )


class _Removed:
    """The removed sentences of a split, which are taken edit by edit."""

    def __init__(self, path: Path) -> None:
        self._rows = (row for row in read_table(path, _COLUMNS) if row["role"] == "removed")
        self._next = next(self._rows, None)

    @property
    def left(self) -> bool:
        """Whether there are sentences that nobody has taken."""
        return self._next is not None

    def of(self, named: str) -> Iterator[tuple[int, tuple[str, str, Tier]]]:
        """Take those of an edit, if it is the next: the place of each, and id, split and tier."""
        while self._next is not None:
            identity = str(self._next["sentence_id"])
            edit, _, place = identity.rpartition("-removed-")
            if edit != named:
                return
            yield int(place), (identity, self._next["split"], self._next["tier"])
            self._next = next(self._rows, None)
