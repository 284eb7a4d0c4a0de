"""Reads labelled sentences from lines of `label<TAB>sentence`, or those of fastText."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import decoded_lines
from wikibias.messages import nearest
from wikibias.models.examples import LABELS, LONGEST, Examples, Warn

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
