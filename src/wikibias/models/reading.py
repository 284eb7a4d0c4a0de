"""Labelled sentences, of one label or several: corpus folders, exports of them, other tables.

A table has a column of sentences, and `label` or `labels`; the other columns are optional. A cell
of `labels` is a list, or text with commas between the labels; an empty one says that the sentence
has none. A column `judged` says likewise which labels are known of a sentence; without one, all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus.composition import of_earlier_corpora
from wikibias.errors import UsageError, WikibiasError, counted, nearest, quoted
from wikibias.kits.files import read_json
from wikibias.kits.schemas import LABELLED_TABLE
from wikibias.kits.tables import Columns, leave_out, map_labels, read_frame, read_labelled_lines
from wikibias.models.examples import LABELS, LONGEST, SPLIT_NAMES, Examples, Splits, Warn

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "labelled"
_SPLITS = ("train", "dev", "test")
_TABLES = (".parquet", ".jsonl", ".ndjson", ".json", ".csv")
_ENDINGS = (*_TABLES, ".tsv", ".txt")
_OPTIONAL = {
    name: name
    for name in (
        *("split", "role", "page_id", "after_rev_id", "sentence_id", "diff_url", "judged"),
        "confidence",
    )
}
_OF_CORPUS = Columns(
    text="norm",
    label="label",
    before_rev_id="before_rev_id",
    needed=("text", "label", "role", "page_id", "before_rev_id", "after_rev_id"),
    **_OPTIONAL,
)
_ONE_LABEL = Columns(
    text=("norm", "text", "sentence"), label="label", needed=("text", "label"), **_OPTIONAL
)
_SEVERAL_LABELS = Columns(
    text=("text", "sentence", "norm"), labels="labels", needed=("text", "labels"), **_OPTIONAL
)
_MOST_LABELS = 200


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
            raise UsageError(f"--label-names: {part!r} is not NAME=biased or NAME=neutral")
        if meaning.strip() not in LABELS:
            raise UsageError(
                f"--label-names: unknown meaning {meaning!r}{nearest(meaning.strip(), LABELS)}"
            )
        table[name.strip()] = LABELS[meaning.strip()]
    if set(table.values()) != {True, False}:
        raise UsageError("--label-names: name both classes, for example rem=biased,add=neutral")
    return table


def read_files(files: Mapping[str, Path], labels: Mapping[str, bool], warn: Warn) -> Splits:
    """Read a file for each split: a table, or `label<TAB>sentence` or `__label__x sentence` lines.

    One file alone may hold several splits, by its column `split`.

    Raises:
        WikibiasError: a file cannot be read, holds no sentence, or an unknown label.
    """
    frames = _frames(files, _ONE_LABEL, warn)
    return Splits({name: _examples(frame, labels) for name, frame in frames.items()})


def read_label_files(files: Mapping[str, Path], warn: Warn, names: Sequence[str] = ()) -> Splits:
    """Read a file for each split, of sentences with several labels.

    One file alone may hold all splits, by its column `split`.

    Args:
        files: by split.
        warn: takes what was left out.
        names: the labels to learn; those of train by default.

    Raises:
        WikibiasError: a file cannot be read, or there is nothing to learn.
    """
    frames = _frames(files, _SEVERAL_LABELS, warn)
    cells = {name: _lists(frame, "labels") for name, frame in frames.items()}
    names = names or sorted({label for labels in cells["train"] for label in labels or ()})
    path = next(iter(files.values()))
    if not names:
        raise WikibiasError(f"{path}: no sentence of train has a label")
    if len(names) > _MOST_LABELS:
        raise WikibiasError(
            f"{path}: {counted(len(names), 'label')}; {_MOST_LABELS} at most are learnt"
        )
    return Splits({name: _labelled(frame, cells[name], names) for name, frame in frames.items()})


def read_result(folder: Path, warn: Warn) -> Splits:
    """Read what `wikibias build --labels` wrote: `FOLDER/labelled/{train,dev,test}.parquet`.

    Raises:
        UsageError: there is none.
        WikibiasError: it cannot be read.
    """
    where = folder / FOLDER if (folder / FOLDER).is_dir() else folder
    files = {name: where / f"{name}.parquet" for name in _SPLITS}
    there = {name: path for name, path in files.items() if path.is_file()}
    if "train" not in there:
        raise UsageError(
            f"{folder}: no sentences with several labels ({FOLDER}/train.parquet); make them with "
            "`wikibias build --labels intents`, or give --train FILE"
        )
    return read_label_files(there, warn)


def holds_labelled(folder: Path) -> bool:
    """Return whether a folder is one of sentences with several labels, or has nothing but such."""
    if folder.name == FOLDER:
        return (folder / "train.parquet").is_file()
    return (folder / FOLDER).is_dir() and not (folder / "corpus").exists()


def read_corpus(directory: Path, warn: Warn, labels: Mapping[str, bool] = LABELS) -> Splits:
    """Read what `wikibias extract` made: `DIR/corpus/{train,dev,test}.parquet`, else the `.tsv`.

    Reads what `wikibias export` made of it, too. Leaves out an empty dev or test with one warning,
    which says what to do.

    Raises:
        WikibiasError: there is no training split, or a table lacks a column.
    """
    several = WikibiasError(
        f"{directory}: holds sentences with several labels alone; learn those with "
        "`wikibias classify --task labels`"
    )
    if directory.resolve().name == LABELLED_TABLE.name:
        raise several
    folder = directory / "corpus" if (directory / "corpus").is_dir() else directory
    found: dict[str, Examples] = {}
    empty = []
    for name in _SPLITS:
        table, lines = folder / f"{name}.parquet", folder / f"{name}.tsv"
        if not table.exists() and not lines.exists():
            continue
        frame = _read(table, _OF_CORPUS, warn) if table.exists() else _read_lines(lines, warn)
        if frame.empty:
            empty.append(name)
        else:
            found[name] = replace(_examples(frame, LABELS, strict=True), normalised=True)
    if not found and not empty:
        for name, path in files_of_splits(folder).items():
            found[name] = read_files({"train": path}, labels, warn).train
    result = result_folder(directory)
    if "train" in empty and not found:
        raise WikibiasError(
            f"{directory}: the corpus is empty; `wikibias status {quoted(str(result))}` says "
            "what to try"
        )
    if "train" not in found and (directory / LABELLED_TABLE.name).is_dir():
        raise several
    if "train" not in found:
        raise WikibiasError(
            f"{directory}: no sentences to train on (looked for {folder}/train.parquet and "
            "train.tsv); make a corpus with `wikibias extract`, or give --train FILE"
        )
    if empty:
        own = [each.pages for each in found.values() if each.pages is not None]
        pages = len(np.unique(np.concatenate(own))) if own else 0
        # Of one page the sentences alone can be split, though what is much alike then stands on
        # both sides.
        otherwise = (
            f"cross-validate: --cv page --folds {min(5, pages)}"
            if pages > 1
            else "with its other options split by sentence: wikibias build --restart --split "
            "sentence "
            f"{quoted(str(result))}"
        )
        warn(
            f"{folder}: {' and '.join(empty)} empty, so there is nothing to evaluate on; give "
            f"`wikibias extract` more dump parts, or {otherwise}"
        )
    inner, manifest = directory.resolve(), manifest_of(result)
    card = f"{inner.name}/README.md"
    if any(of_earlier_corpora(inner.parent, manifest_of(inner.parent), [card])):
        warn(f"{directory} is of an earlier corpus; give `wikibias build --labels` again")
    lang = manifest.get("lang")
    ordered = {name: found[name] for name in _SPLITS if name in found}
    return Splits(ordered, lang if isinstance(lang, str) else None, _facts(manifest))


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


def _frames(files: Mapping[str, Path], columns: Columns, warn: Warn) -> dict[str, pd.DataFrame]:
    """Return the sentences of each split in their order; train has some."""
    found: dict[str, pd.DataFrame] = {}
    for name, path in files.items():
        is_table = path.suffix.lower() in _TABLES or columns is _SEVERAL_LABELS
        frame = _read(path, columns, warn) if is_table else _read_lines(path, warn)
        parts = _by_split(frame)
        if len(parts) > 1 and len(files) > 1:
            raise WikibiasError(
                f"{path}: holds {', '.join(parts)}; give it alone, or files of a split each"
            )
        found |= parts if len(parts) > 1 else {name: frame}
        if frame.empty and name == "train":
            raise WikibiasError(f"{path}: no sentence in it")
        if frame.empty:
            warn(f"{path}: no sentence in it")
    if "train" not in found:
        raise WikibiasError(f"{next(iter(files.values()))}: no sentence to train on")
    return {name: found[name] for name in _SPLITS if name in found and len(found[name])}


def _read(path: Path, columns: Columns, warn: Warn) -> pd.DataFrame:
    """Return the sentences of a table; those of a corpus are cut where they are too long."""
    frame = read_frame(path, columns, quoted=None if path.suffix.lower() != ".tsv" else True)
    most = LONGEST if columns is _OF_CORPUS else None
    frame["text"] = [("" if text is None else str(text))[:most] for text in frame["text"]]
    return _without_odd(frame, warn, "row")


def _read_lines(path: Path, warn: Warn) -> pd.DataFrame:
    return _without_odd(read_labelled_lines(path), warn, "line")


def _without_odd(frame: pd.DataFrame, warn: Warn, unit: str) -> pd.DataFrame:
    texts = frame["text"].astype(object)
    reasons = {
        "without a sentence": texts.map(lambda text: not text.strip()).astype(bool),
        f"longer than {LONGEST:,} characters": texts.map(len).astype(int) > LONGEST,
    }
    return leave_out(frame, reasons, warn, unit)


def _by_split(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of each split that a column names; all as "" where it tells none apart."""
    if "split" not in frame:
        return {"": frame}
    names = [str(cell or "") for cell in frame["split"]]
    for number, name in zip(frame.index, names, strict=True):
        if name and name not in SPLIT_NAMES:
            raise WikibiasError(
                f"{frame.attrs['path']}:{number}: unknown split {name[:40]!r}; known: "
                f"{', '.join(SPLIT_NAMES)}"
            )
    splits = np.array([SPLIT_NAMES.get(name, "") for name in names], dtype=object)
    known = list(dict.fromkeys(splits.tolist()))
    if len(known) < 2:
        return {"": frame}
    parts = {split: frame[splits == split] for split in known}
    for split, part in parts.items():
        part.attrs = {**frame.attrs, "path": f"{frame.attrs['path']} ({split})"}
    return parts


def _examples(
    frame: pd.DataFrame, labels: Mapping[str, bool] | None, *, strict: bool = False
) -> Examples:
    """Return the sentences of a frame; without `labels`, none of them is biased."""
    first = str(frame["label"].iloc[0]) if labels and len(frame) else ""
    if labels and first in LABELS.keys() - labels.keys():
        raise WikibiasError(
            f"{frame.attrs['path']}:{frame.index[0]}: unknown label {first!r}; leave out "
            f"--label-names: the file already uses {' and '.join(LABELS)}"
        )
    truth = [False] * len(frame) if labels is None else map_labels(frame, labels)
    return Examples(
        name=frame.attrs["path"],
        texts=frame["text"].tolist(),
        biased=np.array(truth, dtype=bool),
        rows=frame.index.to_numpy(),
        pages=_numbers(frame, "page_id", strict=strict),
        # A revision belongs to one page, and one revision ends one edit: its id names the edit.
        edits=_numbers(frame, "after_rev_id", strict=strict),
        roles=_texts(frame, "role"),
        ids=_texts(frame, "sentence_id"),
        urls=_texts(frame, "diff_url"),
        confidence=_shares(frame, "confidence"),
        normalised=frame.attrs["names"]["text"] == "norm",
    )


def _texts(frame: pd.DataFrame, column: str) -> list[str] | None:
    # Many sentences have the same role, and those of an edit its address: each is kept once.
    known: dict[str, str] = {}
    if column not in frame:
        return None
    cells = ("" if cell is None else str(cell) for cell in frame[column])
    return [known.setdefault(cell, cell) for cell in cells]


def _shares(frame: pd.DataFrame, column: str) -> NDArray[np.float64] | None:
    """Return a column of numbers, NaN for what is none; None where there is no such column."""
    import pandas as pd

    return pd.to_numeric(frame[column], "coerce").to_numpy(float) if column in frame else None


def _numbers(frame: pd.DataFrame, column: str, *, strict: bool) -> NDArray[np.int64] | None:
    """Return a column of ids; None where there is none, or of a foreign table no whole one."""
    if column not in frame:
        return None
    try:
        return np.array([int(cell) for cell in frame[column]], dtype=np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        if not strict:
            return None
        raise WikibiasError(
            f"{frame.attrs['path']}: {column} is no number; was it made by `wikibias extract`?"
        ) from error


def _lists(frame: pd.DataFrame, column: str) -> list[tuple[str, ...] | None]:
    """Return the labels in each cell of a column; None where it is null."""
    found: list[tuple[str, ...] | None] = []
    for number, cell in zip(frame.index, frame[column], strict=True):
        labels = cell.split(",") if isinstance(cell, str) else cell
        if labels is not None and not (
            isinstance(labels, Iterable) and all(isinstance(each, str) for each in labels)
        ):
            raise WikibiasError(
                f"{frame.attrs['path']}:{number}: labels must be a list of texts, or texts with "
                "commas between"
            )
        named = None if labels is None else (each.strip() for each in labels if each.strip())
        found.append(None if named is None else tuple(dict.fromkeys(named)))
    return found


def _labelled(
    frame: pd.DataFrame, cells: Sequence[tuple[str, ...] | None], names: Sequence[str]
) -> Examples:
    place = {name: column for column, name in enumerate(names)}
    held, judged = np.zeros((2, len(frame), len(names)), dtype=bool)
    known = _lists(frame, "judged") if "judged" in frame else [None] * len(frame)
    for row, (labels, of) in enumerate(zip(cells, known, strict=True)):
        held[row, [place[label] for label in labels or () if label in place]] = True
        judged[
            row, slice(None) if of is None else [place[each] for each in of if each in place]
        ] = True
    return replace(
        _examples(frame, None),
        biased=np.array([bool(each) for each in cells]),
        normalised=False,
        names=tuple(names),
        labels=held,
        judged=judged | held,
    )


def files_of_splits(folder: Path) -> dict[str, Path]:
    """Return the first file named after each split, in the folder or in those below it.

    `datasets` names them `train-00000-of-00001.parquet`.
    """
    found: dict[str, Path] = {}
    for pattern in ("{}{}", "{}-00000-of-00001{}"):
        for place in ("", "sentences/", "data/"):
            for ending in _ENDINGS:
                for called, name in SPLIT_NAMES.items():
                    path = folder / (place + pattern.format(called, ending))
                    if path.is_file():
                        found.setdefault(name, path)
    return {name: found[name] for name in _SPLITS if name in found}


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
