"""Reads sentences with several labels: `RESULT/labelled/`, or files with a column `labels`.

A cell of `labels` is a list, or text with commas between the labels; an empty one says that the
sentence has none. A column `judged` says likewise which labels are known of a sentence; without
one, all are.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.cells import original
from wikibias.kits.parquet import read_columns
from wikibias.kits.tables import json_object
from wikibias.messages import counted
from wikibias.models.examples import LONGEST, Examples, Warn
from wikibias.models.labels.examples import LabelledExamples, LabelledSplits
from wikibias.models.sentence_lines import Tally, numbered_lines
from wikibias.models.sentence_tables import SPLIT_NAMES

FOLDER = "labelled"
_NAMES = ("train", "dev", "test")
_TEXTS = ("text", "sentence", "norm")
_COLUMNS = ("labels", "judged", "split", "page_id", "after_rev_id", "sentence_id", "diff_url")
_MOST = 200  # labels
_Columns = Mapping[str, Sequence[Any]]
_Rows = tuple[Examples, list[tuple[str, ...]], list[tuple[str, ...] | None]]


def read_result(folder: Path, warn: Warn) -> LabelledSplits:
    """Read what `wikibias build --labels` wrote: `FOLDER/labelled/{train,dev,test}.parquet`.

    Raises:
        UsageError: there is none.
        WikibiasError: it cannot be read.
    """
    where = folder / FOLDER if (folder / FOLDER).is_dir() else folder
    files = {name: where / f"{name}.parquet" for name in _NAMES}
    there = {name: path for name, path in files.items() if path.is_file()}
    if "train" not in there:
        raise UsageError(
            f"{folder}: no sentences with several labels ({FOLDER}/train.parquet); make them with "
            "`wikibias build --labels intents`, or give --train FILE"
        )
    return read_label_files(there, warn)


def holds_labelled(folder: Path) -> bool:
    """Return whether a folder is one of sentences with several labels, or has nothing but such."""
    table = folder / "train.parquet"
    if folder.name == FOLDER:
        return table.is_file()
    return (folder / FOLDER).is_dir() and not (folder / "corpus").exists()


def read_label_files(
    files: Mapping[str, Path], warn: Warn, names: Sequence[str] = ()
) -> LabelledSplits:
    """Read a file for each split: Parquet, JSON Lines, CSV or TSV with a header.

    One file alone may hold all splits, by its column `split`.

    Args:
        files: by split.
        warn: takes what was left out.
        names: the labels to learn; those of train by default.

    Raises:
        WikibiasError: a file cannot be read, or there is nothing to learn.
    """
    found: dict[str, _Rows] = {}
    for name, path in files.items():
        columns = _columns(path)
        alone = len(files) == 1 and "split" in columns
        places = _places(path, columns, warn)
        splits = [_split(path, columns, place) if alone else name for place in places]
        for split in dict.fromkeys(splits):
            chosen = [p for p, s in zip(places, splits, strict=True) if s == split]
            found[split] = _rows(path, columns, chosen)
    if "train" not in found:
        raise WikibiasError(f"{next(iter(files.values()))}: no sentence to train on")
    names = names or _label_names(found, next(iter(files.values())))
    for name in [name for name, rows in found.items() if not len(rows[0])]:
        warn(f"{files.get(name, name)}: no sentence in it")
        del found[name]
    return LabelledSplits(
        list(names), {name: _labelled(found[name], names) for name in _NAMES if name in found}
    )


def _label_names(found: Mapping[str, _Rows], path: Path) -> list[str]:
    """Return the labels of train, sorted; those of which it has a sentence."""
    names = sorted({label for labels in found["train"][1] for label in labels})
    if not names:
        raise WikibiasError(f"{path}: no sentence of train has a label")
    if len(names) > _MOST:
        raise WikibiasError(f"{path}: {counted(len(names), 'label')}; {_MOST} at most are learnt")
    return names


def _labelled(rows: _Rows, names: Sequence[str]) -> LabelledExamples:
    examples, labels, judged = rows
    place = {name: column for column, name in enumerate(names)}

    def table(cells: Sequence[tuple[str, ...] | None]) -> NDArray[np.bool_]:
        made = np.zeros((len(cells), len(names)), dtype=bool)
        for row, cell in enumerate(cells):
            if cell is None:
                made[row] = True
            else:
                made[row, [place[label] for label in cell if label in place]] = True
        return made

    held = table(labels)
    return LabelledExamples(examples, held, table(judged) | held)


def _places(path: Path, columns: _Columns, warn: Warn) -> list[int]:
    left_out, found = Tally(path, warn, "row"), []
    texts = columns[_texts(path, columns)]
    for place, text in enumerate(texts):
        if left_out.takes("" if text is None else str(text), place + 1):
            found.append(place)
    left_out.report()
    return found


def _texts(path: Path, columns: _Columns) -> str:
    for name in _TEXTS:
        if name in columns:
            return name
    raise WikibiasError(f"{path}: no column of sentences; it must be called text")


def _rows(path: Path, columns: _Columns, places: Sequence[int]) -> _Rows:
    texts = columns[_texts(path, columns)]
    labels = [_cell(path, columns["labels"][place], place) or () for place in places]
    judged: list[tuple[str, ...] | None] = [None] * len(places)
    if "judged" in columns:
        judged = [_cell(path, columns["judged"][place], place) for place in places]

    def of(name: str) -> list[str] | None:
        cells = columns.get(name)
        return None if cells is None else [str(cells[p] or "") for p in places]

    examples = Examples(
        name=str(path),
        texts=[str(texts[place])[:LONGEST] for place in places],
        biased=np.array([bool(each) for each in labels], dtype=bool),
        rows=np.array(places, dtype=np.int64) + 1,
        pages=_numbers(columns.get("page_id"), places),
        edits=_numbers(columns.get("after_rev_id"), places),
        ids=of("sentence_id"),
        urls=of("diff_url"),
    )
    return examples, labels, judged


def _cell(path: Path, cell: Any, place: int) -> tuple[str, ...] | None:
    """Return the labels of a cell; None where it is null."""
    if cell is None:
        return None
    if isinstance(cell, str):
        cell = cell.split(",")
    if not isinstance(cell, Iterable) or not all(isinstance(each, str) for each in cell):
        raise WikibiasError(
            f"{path}: row {place + 1}: labels must be a list of texts, or texts with commas between"
        )
    return tuple(dict.fromkeys(each.strip() for each in cell if each.strip()))


def _numbers(cells: Sequence[Any] | None, places: Sequence[int]) -> NDArray[np.int64] | None:
    try:
        return None if cells is None else np.array([int(cells[p]) for p in places], dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        return None


def _split(path: Path, columns: _Columns, place: int) -> str:
    name = str(columns["split"][place] or "")
    if name not in SPLIT_NAMES:
        known = ", ".join(SPLIT_NAMES)
        raise WikibiasError(f"{path}: row {place + 1}: unknown split {name[:40]!r}; known: {known}")
    return SPLIT_NAMES[name]


def _columns(path: Path) -> _Columns:
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise WikibiasError(f"{path}: must be named .parquet, .jsonl, .csv or .tsv, for its form")
    columns = read(path)
    if "labels" not in columns:
        raise WikibiasError(f"{path}: no column 'labels'; one sentence a row with its labels")
    return columns


def _parquet(path: Path) -> _Columns:
    return read_columns(path, _COLUMNS, _TEXTS)


def _jsonl(path: Path) -> _Columns:
    lines = ((n, line) for n, line in numbered_lines(path, "object") if line.strip())
    return _gathered([json_object(line, f"{path}:{n}") for n, line in lines])


def _separated(delimiter: str) -> Callable[[Path], _Columns]:
    def read(path: Path) -> _Columns:
        lines = numbered_lines(path, "row")
        remedy = "its first line must name the columns, 'text' and 'labels'"
        try:
            rows = csv.reader((f"{line}\n" for _, line in lines), delimiter=delimiter, strict=True)
            header = next(rows, [])
            if "labels" not in header:
                raise WikibiasError(f"{path}: no column 'labels'; {remedy}")
            return _gathered(
                [dict(zip(header, map(original, row), strict=False)) for row in rows if row]
            )
        except csv.Error as error:
            raise WikibiasError(f"{path}: cannot be read as a table ({error}); {remedy}") from error

    return read


def _gathered(rows: Sequence[Mapping[str, Any]]) -> _Columns:
    wanted = (*_TEXTS, *_COLUMNS)
    known = [name for name in wanted if any(name in row for row in rows)]
    return {name: [row.get(name) for row in rows] for name in known}


_READERS: Mapping[str, Callable[[Path], _Columns]] = {
    ".parquet": _parquet,
    ".jsonl": _jsonl,
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
}
