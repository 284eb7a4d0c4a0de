"""Labelled sentences, of one label or several: corpus folders, exports of them, other tables."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.cells import original
from wikibias.kits.files import read_json
from wikibias.kits.parquet import read_columns
from wikibias.kits.schemas import LABELLED_TABLE
from wikibias.kits.tables import decoded_lines, json_object
from wikibias.messages import counted, nearest
from wikibias.models.examples import (
    LABELS,
    LONGEST,
    Examples,
    LabelledExamples,
    LabelledSplits,
    Splits,
    Warn,
)

_FASTTEXT = "__label__"
_HEADER = ("label", "labels", "class")


def parse_labels(given: str | None) -> Mapping[str, bool]:
    """Parse `rem=biased,add=neutral` to a table: label in the file -> whether it means biased.

    Raises:
        UsageError: a part is not NAME=biased or NAME=neutral, or one of the two is missing.
    """
    if given is None:
        return LABELS
    table: dict[str, bool] = {}
    for part in given.split(","):
        name, equals, meaning = part.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--labels: {part!r} is not NAME=biased or NAME=neutral")
        if meaning.strip() not in LABELS:
            raise UsageError(
                f"--labels: unknown meaning {meaning!r}{nearest(meaning.strip(), LABELS)}"
            )
        table[name.strip()] = LABELS[meaning.strip()]
    if set(table.values()) != {True, False}:
        raise UsageError("--labels: name both classes, for example rem=biased,add=neutral")
    return table


def meaning(label: str, labels: Mapping[str, bool], place: str, *, first: bool = False) -> bool:
    """Return whether a label means biased; `first` says that no label before it was known.

    Raises:
        WikibiasError: it is not among `labels`; the line names its place, and what to do.
    """
    if label in labels:
        return labels[label]
    if label in LABELS and first:
        remedy = f"leave out --labels: the file already uses {' and '.join(LABELS)}"
    else:
        remedy = f"known: {', '.join(labels)} (other names: --labels NAME=biased,NAME=neutral)"
    raise WikibiasError(f"{place}: unknown label {label[:40]!r}; {remedy}")


def read_lines(path: Path, labels: Mapping[str, bool] = LABELS, warn: Warn = print) -> Examples:
    """Read a file of `label<TAB>sentence` or `__label__x sentence` lines (UTF-8).

    The first line tells which of the two the file has.

    Raises:
        WikibiasError: the file is empty, not UTF-8, or has a line without a label, with a NUL byte
            or with an unknown label; the message names file and line.
    """
    rows: list[int] = []
    truth, texts = [], []
    left_out, fasttext = Tally(path, warn), None
    for number, line in numbered_lines(path):
        if not line.strip():
            left_out.add("blank", number)
            continue
        if fasttext is None:
            fasttext = line.startswith(_FASTTEXT)
        label, found, text = line.partition(" " if fasttext else "\t")
        if fasttext and not label.startswith(_FASTTEXT):
            raise WikibiasError(f"{path}:{number}: no {_FASTTEXT} at the beginning, as above")
        if not found and not fasttext:
            raise WikibiasError(f"{path}:{number}: no tab; every line is label<TAB>sentence")
        if not rows and label.strip().lower() in _HEADER and label not in labels:
            raise WikibiasError(
                f"{path}:{number}: looks like a header, which label<TAB>sentence lines have not; "
                "take it out, or give CSV"
            )
        biased = meaning(
            label.removeprefix(_FASTTEXT) if fasttext else label,
            labels,
            f"{path}:{number}",
            first=not rows,
        )
        if left_out.takes(text, number):
            rows.append(number)
            truth.append(biased)
            texts.append(text)
    left_out.report()
    if not texts:
        raise WikibiasError(f"{path}: no sentence in it")
    return Examples(str(path), texts, np.array(truth, dtype=bool), np.array(rows))


class Tally:
    """Counts what of a file is skipped, by reason, and reports each reason once with its place.

    Args:
        path: the file.
        warn: what takes the lines of the report.
        unit: what is counted.
    """

    def __init__(self, path: Path, warn: Warn, unit: str = "line") -> None:
        self._path, self._warn, self._unit = path, warn, unit
        self._places: dict[str, list[int]] = {}

    def add(self, reason: str, place: int) -> None:
        """Count one."""
        self._places.setdefault(reason, []).append(place)

    def takes(self, text: str, place: int) -> bool:
        """Return whether a sentence is one to learn from; count it where it is not."""
        if not text.strip():
            self.add("without a sentence", place)
        elif len(text) > LONGEST:
            self.add(f"longer than {LONGEST:,} characters", place)
        else:
            return True
        return False

    def report(self) -> None:
        """Say what was skipped."""
        for reason, places in self._places.items():
            units = self._unit if len(places) == 1 else f"{self._unit}s"
            self._warn(
                f"{self._path}:{places[0]}: left out {len(places)} {units} {reason}"
                + (" (this is the first)" if len(places) > 1 else "")
            )


def numbered_lines(path: Path, unit: str = "sentence") -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers; `unit` is what stands on a line.

    Raises:
        UsageError: the file cannot be read.
        WikibiasError: a line is not UTF-8, has a NUL byte or no end.
    """
    try:
        with path.open("rb") as stream:
            yield from decoded_lines(stream, str(path), unit)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


CORPUS_COLUMNS = ("norm", "label", "role", "page_id", "before_rev_id", "after_rev_id")
"""What every table of a corpus has."""
SPLIT_NAMES: Mapping[str, str] = {
    "train": "train",
    "dev": "dev",
    "validation": "dev",
    "valid": "dev",
    "test": "test",
}
"""What a split may be called -> what we call it."""
_TEXTS = ("norm", "text", "sentence")
_WANTED = ("label", "split", "role", "page_id", "after_rev_id", "sentence_id", "diff_url")
_Columns = Mapping[str, Sequence[Any]]


def read_table(
    path: Path, labels: Mapping[str, bool], warn: Warn, *, needed: Sequence[str] = ()
) -> dict[str, Examples]:
    """Return the sentences of a table by split; under "" where it does not tell splits apart.

    Args:
        path: the file, whose name ends in `.parquet`, `.jsonl` or `.csv`.
        labels: label in the file -> whether it means biased.
        warn: takes what was skipped.
        needed: columns that must be there.

    Raises:
        WikibiasError: it cannot be read, lacks a column, or holds an unknown label.
    """
    columns = READERS[path.suffix.lower()](path, needed)
    texts = next((name for name in _TEXTS if name in columns), None)
    for name in (*needed, "label"):
        if name not in columns:
            raise WikibiasError(f"{path}: no column {name!r}; was it made by `wikibias extract`?")
    if texts is None:
        raise WikibiasError(f"{path}: no column of sentences; it must be called norm or text")
    places = _places(path, columns, texts, warn, cut=bool(needed))
    biased = _truth(path, columns["label"], labels)
    splits = [_split(path, columns, place) for place in places]
    apart = len(set(splits)) > 1
    found = {}
    for split in dict.fromkeys(splits) if apart else [""]:
        chosen = [p for p, s in zip(places, splits, strict=True) if s == split or not apart]
        name = f"{path} ({split})" if split else str(path)
        found[split] = _examples(name, columns, texts, biased, chosen, strict=bool(needed))
    return found


def _places(path: Path, columns: _Columns, texts: str, warn: Warn, *, cut: bool) -> list[int]:
    """Return the rows to learn from; where the long ones are not to be cut, they are left out."""
    left_out = Tally(path, warn, "row")
    found = []
    for place, text in enumerate(columns[texts]):
        shown = "" if text is None else str(text)
        if left_out.takes(shown[:LONGEST] if cut else shown, place + 1):
            found.append(place)
    left_out.report()
    return found


def _truth(path: Path, given: Sequence[Any], labels: Mapping[str, bool]) -> NDArray[np.bool_]:
    """Return whether each row is biased; asks for the meaning of each label once."""
    meanings: dict[str, bool] = {}
    for row, label in enumerate(map(str, given), 1):
        if label not in meanings:
            meanings[label] = meaning(label, labels, f"{path}: row {row}", first=not meanings)
    return np.array([meanings[str(label)] for label in given], dtype=bool)


def _split(path: Path, columns: _Columns, place: int) -> str:
    name = str((columns["split"][place] if "split" in columns else None) or "")
    if not name:
        return ""
    if name not in SPLIT_NAMES:
        raise WikibiasError(
            f"{path}: row {place + 1}: unknown split {name[:40]!r}; known: {', '.join(SPLIT_NAMES)}"
        )
    return SPLIT_NAMES[name]


def _examples(
    name: str,
    columns: _Columns,
    texts: str,
    biased: NDArray[np.bool_],
    places: Sequence[int],
    *,
    strict: bool,
) -> Examples:
    def of(column: str) -> list[str] | None:
        # Many sentences have the same role, and those of an edit its address: each is kept once.
        known: dict[str, str] = {}
        if (cells := columns.get(column)) is None:
            return None
        shown = ("" if cells[place] is None else str(cells[place]) for place in places)
        return [known.setdefault(cell, cell) for cell in shown]

    at = np.array(places, dtype=np.int64)
    return Examples(
        name=name,
        texts=[str(columns[texts][place])[:LONGEST] for place in places],
        biased=biased[at],
        rows=at + 1,
        pages=_numbers(name, columns, "page_id", places, strict=strict),
        # A revision belongs to one page, and one revision ends one edit: its id names the edit.
        edits=_numbers(name, columns, "after_rev_id", places, strict=strict),
        roles=of("role"),
        ids=of("sentence_id"),
        urls=of("diff_url"),
        normalised=texts == "norm",
    )


def _numbers(
    name: str, columns: _Columns, column: str, places: Sequence[int], *, strict: bool
) -> NDArray[np.int64] | None:
    """Return a column of ids; None where there is none, or of a foreign table no whole one."""
    if column not in columns:
        return None
    try:
        found = np.array([columns[column][place] for place in places], dtype=np.int64)
        if found.ndim != 1:
            raise TypeError
        return found
    except (TypeError, ValueError, OverflowError) as error:
        if not strict:
            return None
        raise WikibiasError(
            f"{name}: {column} is no number; was it made by `wikibias extract`?"
        ) from error


def _parquet(path: Path, needed: Sequence[str]) -> _Columns:
    return read_columns(path, (*_WANTED, *needed), _TEXTS)


def _csv(path: Path, _: Sequence[str]) -> _Columns:
    lines = numbered_lines(path, "row")
    header: list[str] = []
    try:
        # A cell of ours may bear an apostrophe that keeps spreadsheets from calculating.
        rows = csv.reader((f"{line}\n" for _, line in lines), strict=True)
        header = next(rows, [])
        if "label" not in header:
            raise WikibiasError(
                f"{path}: no column 'label'; its first line names {', '.join(header)[:100]!r}, and "
                "commas part the columns"
            )
        cells = (dict(zip(header, map(original, row), strict=False)) for row in rows)
        return _columns(header, cells)
    except csv.Error as error:
        raise WikibiasError(f"{path}: not a CSV file that can be read ({error})") from error


def _jsonl(path: Path, _: Sequence[str]) -> _Columns:
    def rows() -> Iterator[Mapping[str, Any]]:
        for number, line in numbered_lines(path, "object"):
            if not line.strip():
                continue
            yield json_object(line, f"{path}:{number}")

    return _columns(None, rows())


def _columns(header: Sequence[str] | None, rows: Iterable[Mapping[str, Any]]) -> _Columns:
    """Gather rows by column: those that the header names, else all that a row has."""
    wanted = (*_TEXTS, *_WANTED)
    found: dict[str, list[Any]] = {name: [] for name in wanted if header and name in header}
    for number, row in enumerate(rows, 1):
        for name in wanted:
            if name in row and name not in found:
                found[name] = [None] * (number - 1)
        for name, cells in found.items():
            cells.append(row.get(name))
    return found


READERS: Mapping[str, Callable[[Path, Sequence[str]], _Columns]] = {
    ".parquet": _parquet,
    ".jsonl": _jsonl,
    ".csv": _csv,
}
"""How the name of a table ends -> what reads it."""


_NAMES = ("train", "dev", "test")
_ENDINGS = (*READERS, ".tsv", ".txt")


def read_files(files: Mapping[str, Path], labels: Mapping[str, bool], warn: Warn) -> Splits:
    """Read a file for each split, in any of the formats that wikibias writes.

    One file alone may hold several splits, by its column `split`.

    Raises:
        WikibiasError: a file cannot be read, holds no sentence, or an unknown label.
    """
    found: dict[str, Examples] = {}
    for name, path in files.items():
        parts = _parts(path, labels, warn)
        if len(files) == 1 and len(parts) > 1:
            found.update(parts)
        elif len(parts) > 1:
            raise WikibiasError(
                f"{path}: holds {', '.join(parts)}; give it alone, or files of a split each"
            )
        else:
            (found[name],) = parts.values()
    return Splits(_in_order(found))


def read_corpus(directory: Path, warn: Warn, labels: Mapping[str, bool] = LABELS) -> Splits:
    """Read what `wikibias extract` made: `DIR/corpus/{train,dev,test}.parquet`, else the `.tsv`.

    Reads what `wikibias export` made of it, too. Leaves out an empty dev or test with one warning,
    which says what to do.

    Raises:
        WikibiasError: there is no training split, or a table lacks a column.
    """
    if directory.resolve().name == LABELLED_TABLE.name:
        raise _several_labels(directory)
    folder = directory / "corpus" if (directory / "corpus").is_dir() else directory
    found: dict[str, Examples] = {}
    empty = []
    for name in _NAMES:
        table, lines = folder / f"{name}.parquet", folder / f"{name}.tsv"
        if not table.exists() and not lines.exists():
            continue
        if not table.exists() and lines.stat().st_size:
            found[name] = replace(read_lines(lines, warn=warn), normalised=True)
        elif table.exists() and (part := _of_corpus(table, warn)):
            found[name] = part
        else:
            empty.append(name)
    if not found and not empty:
        found = _exported(folder, labels, warn)
    if "train" in empty and not found:
        raise WikibiasError(
            f"{directory}: the corpus is empty; `wikibias status "
            f"{shlex.quote(str(result_folder(directory)))}` says what to try"
        )
    if "train" not in found and (directory / LABELLED_TABLE.name).is_dir():
        raise _several_labels(directory)
    if "train" not in found:
        raise WikibiasError(
            f"{directory}: no sentences to train on (looked for {folder}/train.parquet and "
            "train.tsv); make a corpus with `wikibias extract`, or give --train FILE"
        )
    if empty:
        warn(
            f"{folder}: {' and '.join(empty)} empty, so there is nothing to evaluate on; give "
            "`wikibias extract` more dump parts, or split by sentence: wikibias build --restart "
            f"--split sentence {shlex.quote(str(result_folder(directory)))}"
        )
    manifest = manifest_of(result_folder(directory))
    lang = manifest.get("lang")
    return Splits(_in_order(found), lang if isinstance(lang, str) else None, _facts(manifest))


def _several_labels(directory: Path) -> WikibiasError:
    return WikibiasError(
        f"{directory}: holds sentences with several labels alone; learn those with "
        "`wikibias classify --task labels`"
    )


def result_folder(directory: Path) -> Path:
    """Return the folder of a run: the one given, or the one above where its `corpus` was given."""
    inner = directory.resolve()
    above = directory / ".." if directory.name in ("", "..") else directory.parent
    is_inner = inner.name == "corpus" and not (directory / "manifest.json").exists()
    return above if is_inner and (inner.parent / "manifest.json").is_file() else directory


def manifest_of(folder: Path) -> Mapping[str, Any]:
    """Return the manifest of a folder; an empty one where there is none.

    Raises:
        WikibiasError: it cannot be read.
    """
    path = folder / "manifest.json"
    if not path.exists():
        return {}
    try:
        manifest = read_json(path)
    except (OSError, ValueError) as error:
        raise WikibiasError(f"{path}: not a manifest that can be read ({error})") from error
    return manifest if isinstance(manifest, dict) else {}


def _of_corpus(table: Path, warn: Warn) -> Examples | None:
    """Return the sentences of a table of a corpus; None where it has none."""
    found = read_table(table, LABELS, warn, needed=CORPUS_COLUMNS)
    return found[""] if found and len(found[""]) else None


def _parts(path: Path, labels: Mapping[str, bool], warn: Warn) -> dict[str, Examples]:
    if path.suffix.lower() not in READERS:
        return {"": read_lines(path, labels, warn)}
    found = {name: part for name, part in read_table(path, labels, warn).items() if len(part)}
    if not found:
        raise WikibiasError(f"{path}: no sentence in it")
    return found


def _exported(folder: Path, labels: Mapping[str, bool], warn: Warn) -> dict[str, Examples]:
    """Return the splits of a folder with a file for each, or one for all."""
    found: dict[str, Examples] = {}
    for name, path in _files_of_splits(folder):
        found.setdefault(name, next(iter(_parts(path, labels, warn).values())))
    return found


def _files_of_splits(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files named after splits, in the folder and in those below it.

    `datasets` names them `train-00000-of-00001.parquet`.
    """
    for pattern in ("{}{}", "{}-00000-of-00001{}"):
        for place in ("", "sentences/", "data/"):
            for ending in _ENDINGS:
                for called, name in SPLIT_NAMES.items():
                    path = folder / (place + pattern.format(called, ending))
                    if path.is_file():
                        yield name, path


def _in_order(found: Mapping[str, Examples]) -> dict[str, Examples]:
    return {name: found[name] for name in _NAMES if name in found}


def _facts(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return what a manifest says of a corpus, for people; a foreign one may hold anything."""
    settings = _table(manifest, "settings")
    detect, build = _table(settings, "detect"), _table(settings, "build")
    inputs = manifest.get("inputs")
    parts = (
        [entry for entry in inputs if isinstance(entry, dict)] if isinstance(inputs, list) else []
    )
    wikis = dict.fromkeys(str(entry["wiki"]) for entry in parts if entry.get("wiki"))
    tagset = " ".join(str(detect[key]) for key in ("tagset", "tagset_version") if detect.get(key))
    pairing, signal = detect.get("pairing"), detect.get("signal")
    pairings = list(pairing) if isinstance(pairing, list) else []
    if isinstance(signal, list) and "summary" in signal:
        pairings = [*(pairings if "tag" in signal else []), "summary-edit"]
    facts = {
        "wiki": ", ".join(wikis),
        "language": str(manifest.get("lang") or ""),
        "tag set": tagset,
        "pairing": ", ".join(map(str, pairings)),
        "split by": str(build.get("split") or ""),
        "lowest tier": str(build.get("min_tier") or ""),
        "dump files": f"{len(parts):,}" if parts else "",
    }
    return {name: value for name, value in facts.items() if value}


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


FOLDER = "labelled"
_TEXTS_reading = ("text", "sentence", "norm")
_COLUMNS = ("labels", "judged", "split", "page_id", "after_rev_id", "sentence_id", "diff_url")
_MOST = 200  # labels
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
        columns = _columns_reading(path)
        alone = len(files) == 1 and "split" in columns
        places = _places_reading(path, columns, warn)
        splits = [_split_reading(path, columns, place) if alone else name for place in places]
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


def _places_reading(path: Path, columns: _Columns, warn: Warn) -> list[int]:
    left_out, found = Tally(path, warn, "row"), []
    texts = columns[_texts(path, columns)]
    for place, text in enumerate(texts):
        if left_out.takes("" if text is None else str(text), place + 1):
            found.append(place)
    left_out.report()
    return found


def _texts(path: Path, columns: _Columns) -> str:
    for name in _TEXTS_reading:
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
        pages=_numbers_reading(columns.get("page_id"), places),
        edits=_numbers_reading(columns.get("after_rev_id"), places),
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


def _numbers_reading(
    cells: Sequence[Any] | None, places: Sequence[int]
) -> NDArray[np.int64] | None:
    try:
        return None if cells is None else np.array([int(cells[p]) for p in places], dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        return None


def _split_reading(path: Path, columns: _Columns, place: int) -> str:
    name = str(columns["split"][place] or "")
    if name not in SPLIT_NAMES:
        known = ", ".join(SPLIT_NAMES)
        raise WikibiasError(f"{path}: row {place + 1}: unknown split {name[:40]!r}; known: {known}")
    return SPLIT_NAMES[name]


def _columns_reading(path: Path) -> _Columns:
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise WikibiasError(f"{path}: must be named .parquet, .jsonl, .csv or .tsv, for its form")
    columns = read(path)
    if "labels" not in columns:
        raise WikibiasError(f"{path}: no column 'labels'; one sentence a row with its labels")
    return columns


def _parquet_reading(path: Path) -> _Columns:
    return read_columns(path, _COLUMNS, _TEXTS_reading)


def _jsonl_reading(path: Path) -> _Columns:
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
    wanted = (*_TEXTS_reading, *_COLUMNS)
    known = [name for name in wanted if any(name in row for row in rows)]
    return {name: [row.get(name) for row in rows] for name in known}


_READERS: Mapping[str, Callable[[Path], _Columns]] = {
    ".parquet": _parquet_reading,
    ".jsonl": _jsonl_reading,
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
}
