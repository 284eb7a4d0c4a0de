"""Writes a corpus with several labels: a Parquet file for each split."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from wikibias.config.choices import SPLITS
from wikibias.kits.files import atomic_file
from wikibias.kits.parquet import TableWriter
from wikibias.kits.schemas import LABELLED_TABLE
from wikibias.records import LabelledSentence


def write_labelled(folder: Path, rows: Iterable[LabelledSentence], *, with_editors: bool) -> None:
    """Write each split as Parquet.

    Raises:
        DiskError: the folder cannot be written to.
    """
    with ExitStack() as stack:
        writers: dict[str, TableWriter[LabelledSentence]] = {}
        for split in SPLITS:
            table = stack.enter_context(atomic_file(folder / f"{split}.parquet"))
            writers[split] = TableWriter(table, LABELLED_TABLE, with_editors=with_editors)
            stack.callback(writers[split].abandon)
        for row in rows:
            writers[row.split].write(row)
        for writer in writers.values():
            writer.close({})
