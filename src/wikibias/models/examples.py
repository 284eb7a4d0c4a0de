"""Reads labelled sentences from `label<TAB>sentence` files or a corpus directory."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import counted, nearest
from wikibias.storage.atomic import read_json
from wikibias.text.lines import decoded_lines

LABELS: Mapping[str, bool] = {"biased": True, "neutral": False}
"""Label -> whether it means biased."""
LONGEST = 20_000
"""Characters. A longer "sentence" is a file without line breaks; its n-grams would take minutes."""
Warn = Callable[[str], None]
"""Shows the user one line: what was skipped is counted, not silently dropped."""
_COLUMNS = ("text", "norm", "label", "role", "page_id", "before_rev_id", "after_rev_id")


@dataclass(frozen=True, slots=True)
class Examples:
    """Labelled sentences. All sequences have one entry for each sentence.

    `name` is the file they came from, `rows` the line (or row) there, counted from 1. Of a corpus,
    `pages` and `edits` hold the ids of each sentence's page and edit, and `roles` its role
    (removed, added or unchanged); else None.
    """

    name: str
    texts: list[str]
    biased: NDArray[np.bool_]
    rows: NDArray[np.int64]
    pages: NDArray[np.int64] | None = None
    edits: NDArray[np.int64] | None = None
    roles: list[str] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def need_both_labels(self) -> None:
        """Raise WikibiasError if a label is missing, so that a classifier could not learn."""
        for label, wanted in LABELS.items():
            if not np.any(self.biased == wanted):
                raise WikibiasError(
                    f"{self.name}: none of its {counted(len(self), 'sentence')} is labelled "
                    f"{label}; training needs both classes"
                )


@dataclass(frozen=True, slots=True)
class Splits:
    """The existing splits by name, in the order train, dev, test; and the language."""

    by_name: Mapping[str, Examples] = field(default_factory=dict)
    lang: str | None = None

    @property
    def train(self) -> Examples:
        """The sentences to learn from."""
        return self.by_name["train"]

    def held_out(self) -> Iterator[tuple[str, Examples]]:
        """Yield the splits to evaluate on: dev and test, if they exist."""
        yield from ((name, part) for name, part in self.by_name.items() if name != "train")


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


def read_tsv(path: Path, labels: Mapping[str, bool] = LABELS, warn: Warn = print) -> Examples:
    """Read a file of `label<TAB>sentence` lines (UTF-8).

    Raises:
        WikibiasError: the file is empty, not UTF-8, or has a line without a tab, with a NUL byte or
            with an unknown label; the message names file and line.
    """
    rows: list[int] = []
    truth, texts = [], []
    left_out = _Tally(path, warn)
    for number, line in _lines(path):
        if not line.strip():
            left_out.add("blank", number)
            continue
        label, tab, text = line.partition("\t")
        if not tab:
            raise WikibiasError(f"{path}:{number}: no tab; every line is label<TAB>sentence")
        if label not in labels:
            raise WikibiasError(
                f"{path}:{number}: unknown label {label[:40]!r}; "
                + _what_to_do(labels, given=label, first=not rows)
            )
        if not text.strip():
            left_out.add("without a sentence", number)
        elif len(text) > LONGEST:
            left_out.add(f"longer than {LONGEST:,} characters", number)
        else:
            rows.append(number)
            truth.append(labels[label])
            texts.append(text)
    left_out.report()
    if not texts:
        raise WikibiasError(f"{path}: no sentence in it")
    return Examples(str(path), texts, np.array(truth, dtype=bool), np.array(rows))


def read_corpus(directory: Path, warn: Warn) -> Splits:
    """Read what `wikibias extract` made: `DIR/corpus/{train,dev,test}.parquet`, else the `.tsv`.

    Leaves out an empty dev or test with one warning, which says what to do.

    Raises:
        WikibiasError: there is no training split, or a table lacks a column.
    """
    folder = directory / "corpus" if (directory / "corpus").is_dir() else directory
    found: dict[str, Examples] = {}
    empty = []
    for name in ("train", "dev", "test"):
        table, lines = folder / f"{name}.parquet", folder / f"{name}.tsv"
        if not table.exists() and not lines.exists():
            continue
        if not table.exists() and lines.stat().st_size:
            found[name] = read_tsv(lines, warn=warn)
        elif table.exists() and len(part := _read_table(table)):
            found[name] = part
        else:
            empty.append(name)
    if "train" not in found:
        raise WikibiasError(
            f"{directory}: no sentences to train on (looked for {folder}/train.parquet and "
            "train.tsv); make a corpus with `wikibias extract`, or give --train FILE"
        )
    if empty:
        warn(
            f"{folder}: {' and '.join(empty)} empty, so there is nothing to evaluate on; give "
            "`wikibias extract` more dump parts, or split by sentence: wikibias build --restart "
            f"--split sentence {shlex.quote(str(directory))}"
        )
    return Splits(found, _language(directory))


def warn_of_one_class(splits: Splits, warn: Warn) -> None:
    """Warn of a held-out split with one label only, on which most metrics mean nothing."""
    for _, part in splits.held_out():
        if part.biased.all() or not part.biased.any():
            label = "biased" if part.biased.all() else "neutral"
            every = f"every one of its {counted(len(part), 'sentence')}"
            warn(f"{part.name}: {every} is {label}; MCC and ROC-AUC mean nothing there")


def warn_of_overlap(splits: Splits, warn: Warn) -> None:
    """Warn of sentences that are in two splits; give their number and the first one's place."""
    seen: dict[str, tuple[str, int]] = {}
    for part in splits.by_name.values():
        shared: dict[str, list[str]] = {}
        for text, row in zip(part.texts, part.rows, strict=True):
            name, first = seen.get(text, (part.name, 0))
            if name != part.name:
                shared.setdefault(name, []).append(f"{part.name}:{row} = {name}:{first}")
        for name, places in shared.items():
            warn(
                f"{part.name} shares {counted(len(places), 'sentence')} with {name} "
                f"(first: {places[0]}); "
                "`wikibias audit-split` measures the leakage"
            )
        for text, row in zip(part.texts, part.rows, strict=True):
            seen.setdefault(text, (part.name, int(row)))


def sharing_pages_with_train(splits: Splits) -> list[str]:
    """Return the names of the held-out splits with a page of train, where pages are known."""
    known = splits.train.pages
    return [
        name
        for name, part in splits.held_out()
        if known is not None and part.pages is not None and np.isin(part.pages, known).any()
    ]


def warn_of_shared_pages(splits: Splits, warn: Warn) -> None:
    """Warn of held-out splits with pages of train, as a split by sentence has."""
    if names := sharing_pages_with_train(splits):
        share = "shares" if len(names) == 1 else "share"
        warn(f"{' and '.join(names)} {share} pages with train; see `wikibias audit-split`")


class _Tally:
    """Counts skipped lines by reason and reports each reason once, with its first line."""

    def __init__(self, path: Path, warn: Warn) -> None:
        self.path, self.warn = path, warn
        self.lines: dict[str, list[int]] = {}

    def add(self, reason: str, line: int) -> None:
        self.lines.setdefault(reason, []).append(line)

    def report(self) -> None:
        for reason, lines in self.lines.items():
            plural = "line" if len(lines) == 1 else "lines"
            self.warn(
                f"{self.path}:{lines[0]}: left out {len(lines)} {plural} {reason}"
                + (" (this is the first)" if len(lines) > 1 else "")
            )


def _what_to_do(labels: Mapping[str, bool], *, given: str, first: bool) -> str:
    """Say how to mend an unknown label; `first` says that no label before it was known."""
    if given in LABELS and first:
        return f"leave out --labels: the file already uses {' and '.join(LABELS)}"
    return f"known: {', '.join(labels)} (other names: --labels NAME=biased,NAME=neutral)"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as stream:
            yield from decoded_lines(stream, str(path))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


def _read_table(path: Path) -> Examples:
    try:
        table = pd.read_parquet(path)
    except (OSError, ValueError, NotImplementedError, KeyError) as error:
        raise WikibiasError(f"{path}: not a Parquet file that can be read ({error})") from error
    for column in _COLUMNS:
        if column not in table.columns:
            raise WikibiasError(f"{path}: no column {column!r}; was it made by `wikibias extract`?")
    known = table["label"].isin(list(LABELS))
    if not known.all():
        row = int(np.flatnonzero(~known.to_numpy())[0])
        raise WikibiasError(f"{path}: row {row + 1}: unknown label {table['label'].iloc[row]!r}")
    return Examples(
        name=str(path),
        texts=[str(text)[:LONGEST] for text in table["norm"]],
        biased=(table["label"] == "biased").to_numpy(dtype=bool),
        rows=np.arange(1, len(table) + 1),
        pages=_numbers(path, table, ["page_id"]),
        edits=_numbers(path, table, ["page_id", "before_rev_id", "after_rev_id"]),
        roles=[str(role) for role in table["role"]],
    )


def _numbers(path: Path, table: pd.DataFrame, columns: list[str]) -> NDArray[np.int64]:
    """Return one id for each row, the same in every split: the last column's."""
    try:
        keys: Any = table[columns].astype("int64").to_numpy()
    except (TypeError, ValueError, OverflowError) as error:
        raise WikibiasError(
            f"{path}: {' or '.join(columns)} is no number; was it made by `wikibias extract`?"
        ) from error
    if len(columns) == 1:
        return np.asarray(keys[:, 0])
    # A revision belongs to one page, and one revision ends one edit: its id names the edit.
    return np.asarray(keys[:, -1])


def _language(directory: Path) -> str | None:
    path = directory / "manifest.json"
    if not path.exists():
        return None
    try:
        manifest = read_json(path)
    except (OSError, ValueError) as error:
        raise WikibiasError(f"{path}: not a manifest that can be read ({error})") from error
    lang = manifest.get("lang") if isinstance(manifest, dict) else None
    return lang if isinstance(lang, str) else None
