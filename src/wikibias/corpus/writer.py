"""Writers of corpora: Parquet, TSV and fastText."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from wikibias.config.choices import SPLITS
from wikibias.kits.cells import one_line
from wikibias.kits.files import atomic_file
from wikibias.kits.parquet import TableWriter
from wikibias.kits.schemas import CORPUS_TABLE, LABELLED_TABLE, PAIRS_TABLE
from wikibias.records import AlignedPair, CorpusSentence, LabelledSentence

_PAIRS_TSV = ("split", "tier", "relation", "removed", "added")


def write_corpus(folder: Path, sentences: Iterable[CorpusSentence], *, with_editors: bool) -> None:
    """Write each split as Parquet, as `label<TAB>norm` (.tsv) and as fastText (.txt).

    Raises:
        DiskError: the folder cannot be written to.
    """
    with ExitStack() as stack:
        writers: dict[str, TableWriter[CorpusSentence]] = {}
        texts: dict[str, tuple[IO[str], IO[str]]] = {}
        for split in SPLITS:
            table = stack.enter_context(atomic_file(folder / f"{split}.parquet"))
            writers[split] = TableWriter(table, CORPUS_TABLE, with_editors=with_editors)
            stack.callback(writers[split].abandon)
            texts[split] = (
                _text(stack, folder / f"{split}.tsv"),
                _text(stack, folder / f"{split}.txt"),
            )
        for sentence in sentences:
            writers[sentence.split].write(sentence)
            tsv, fasttext = texts[sentence.split]
            tsv.write(f"{sentence.label}\t{sentence.norm}\n")
            fasttext.write(f"__label__{sentence.label} {sentence.norm}\n")
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
