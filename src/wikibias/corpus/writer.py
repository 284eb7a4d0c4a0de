"""Writers of corpora: Parquet, TSV and fastText."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TypeVar

from wikibias.config.choices import SPLITS
from wikibias.kits.cells import one_line
from wikibias.kits.files import atomic_file
from wikibias.kits.parquet import TableWriter
from wikibias.kits.schemas import CORPUS_TABLE, PAIRS_TABLE, Table
from wikibias.records import AlignedPair, CorpusSentence, LabelledSentence

R = TypeVar("R", CorpusSentence, LabelledSentence)

_PAIRS_TSV = ("split", "tier", "relation", "removed", "added")


def write_corpus(folder: Path, sentences: Iterable[CorpusSentence], *, with_editors: bool) -> None:
    """Write each split as Parquet, as `label<TAB>norm` (.tsv) and as fastText (.txt).

    Raises:
        DiskError: the folder cannot be written to.
    """
    with ExitStack() as stack:
        tsv, text = (
            {split: _text(stack, folder / f"{split}.{end}") for split in SPLITS}
            for end in ("tsv", "txt")
        )

        def noted() -> Iterator[CorpusSentence]:
            for row in sentences:
                tsv[row.split].write(f"{row.label}\t{row.norm}\n")
                text[row.split].write(f"__label__{row.label} {row.norm}\n")
                yield row

        write_splits(folder, CORPUS_TABLE, noted(), with_editors=with_editors)


def write_splits(folder: Path, table: Table[R], rows: Iterable[R], *, with_editors: bool) -> None:
    """Write rows as a Parquet file for each split.

    Raises:
        DiskError: the folder cannot be written to.
    """
    with ExitStack() as stack:
        writers: dict[str, TableWriter[R]] = {}
        for split in SPLITS:
            path = stack.enter_context(atomic_file(folder / f"{split}.parquet"))
            writers[split] = TableWriter(path, table, with_editors=with_editors)
            stack.callback(writers[split].abandon)
        for row in rows:
            writers[row.split].write(row)
        for writer in writers.values():
            writer.close({})


def write_pairs(folder: Path, pairs: Iterable[AlignedPair], *, with_editors: bool) -> int:
    """Write aligned pairs as Parquet, and the columns of `_PAIRS_TSV` as `pairs.tsv`; count them.

    Raises:
        DiskError: the folder cannot be written to.
    """
    with ExitStack() as stack:
        table = stack.enter_context(atomic_file(folder / "pairs.parquet"))
        writer = TableWriter(table, PAIRS_TABLE, with_editors=with_editors)
        stack.callback(writer.abandon)
        tsv = _text(stack, folder / "pairs.tsv")
        tsv.write("\t".join(_PAIRS_TSV) + "\n")
        count = 0
        for pair in pairs:
            count += 1
            writer.write(pair)
            tsv.write("\t".join(one_line(getattr(pair, name)) for name in _PAIRS_TSV) + "\n")
        writer.close({})
    return count


def _text(stack: ExitStack, path: Path) -> IO[str]:
    temporary = stack.enter_context(atomic_file(path))
    return stack.enter_context(temporary.open("w", encoding="utf-8", newline="\n"))
