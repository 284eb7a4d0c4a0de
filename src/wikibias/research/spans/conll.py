"""Reads sentences with labels: a word a line, and an empty line behind each sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import text_lines
from wikibias.messages import counted, nearest
from wikibias.models.examples import Warn
from wikibias.research.spans.labels import first_orphan, is_label

COLUMNS = ("word", "gold", "prediction")
"""What a column may hold; `-` is one that is not read."""
LONGEST = 1000
"""Words. A longer "sentence" is one whose end is missing; it is scored, but not learnt from."""
_GAP = re.compile(r"[ \t]+")
_SKIPPED = "-"


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence of a file, and the number of its first line.

    `words`, `gold` and `predicted` have an entry a word each; one that the file lacks is None.
    """

    line: int
    words: Sequence[str] | None
    gold: Sequence[str] | None
    predicted: Sequence[str] | None

    def __len__(self) -> int:
        return len(self.gold or self.predicted or self.words or ())


def parse_columns(given: str | None) -> tuple[str, ...] | None:
    """Parse names of columns in their order, as "prediction,gold"; None stays None.

    Raises:
        UsageError: a name is unknown, or there twice.
    """
    if given is None:
        return None
    names = tuple(name.strip() for name in given.split(","))
    for name in names:
        if name not in (*COLUMNS, _SKIPPED):
            raise UsageError(f"--columns: unknown column {name!r}{nearest(name, COLUMNS)}")
        if name != _SKIPPED and names.count(name) > 1:
            raise UsageError(f"--columns: {name} stands there twice")
    return names


def read(path: Path, columns: Sequence[str] | None, warn: Warn) -> Iterator[LabelledSentence]:
    """Yield the sentences of a file of words and labels, separated by spaces or tabs.

    Args:
        path: the file, UTF-8.
        columns: what its columns hold. By default word, gold and prediction where it has three of
            them, and word and gold where it has two and the first is no label.
        warn: takes a line on what is odd and yet can be read: a span that begins with I, empty
            lines side by side, a sentence whose end seems to be missing.

    Raises:
        UsageError: the file cannot be read, or does not tell what its columns hold.
        WikibiasError: a line has more or fewer columns than the first one, or an unknown label;
            there is no sentence. The message names file and line.
    """
    odd, names, rows = _Odd(path, warn), columns, list[list[str]]()
    start = 0
    for number, line in text_lines(path):
        if not line.strip():
            if not rows:
                odd.note("empty line", "behind no sentence", number)
            else:
                yield _sentence(rows, start, names or (), odd)
                rows = []
            continue
        cells = _GAP.split(line.strip(" \t"))
        names = names or _guessed(cells, f"{path}:{number}")
        _check(cells, names, f"{path}:{number}")
        if not rows:
            start = number
        rows.append(cells)
    if rows:
        yield _sentence(rows, start, names or (), odd)
    if not start:
        raise WikibiasError(f"{path}: no sentence in it; give a word and its labels a line")
    odd.report()


def _guessed(cells: Sequence[str], place: str) -> tuple[str, ...]:
    if len(cells) == len(COLUMNS):
        return COLUMNS
    if len(cells) == 2 and not is_label(cells[0]):
        return COLUMNS[:2]
    raise UsageError(
        f"{place}: {counted(len(cells), 'column')}; say what they hold, such as "
        "--columns word,gold,prediction or --columns prediction,gold"
    )


def _check(cells: Sequence[str], names: Sequence[str], place: str) -> None:
    if len(cells) != len(names):
        raise WikibiasError(
            f"{place}: {counted(len(cells), 'column')} where {len(names)} are expected "
            f"({','.join(names)}); mend the line, or name the columns with --columns"
        )
    for name, cell in zip(names, cells, strict=True):
        if name in ("gold", "prediction") and not is_label(cell):
            raise WikibiasError(
                f"{place}: unknown label {cell[:40]!r} in column {name}; labels are O, B and I, "
                "such as B-bias"
            )


def _sentence(
    rows: Sequence[Sequence[str]], line: int, names: Sequence[str], odd: _Odd
) -> LabelledSentence:
    of = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    for name in ("gold", "prediction"):
        if name in of and (orphan := first_orphan(of[name])) is not None:
            odd.note("sentence", f"with a span of the {name} that begins with I", line + orphan)
    if len(rows) > LONGEST:
        odd.note("sentence", f"of over {LONGEST:,} words; is an empty line missing?", line)
    return LabelledSentence(line, of.get("word"), of.get("gold"), of.get("prediction"))


class _Odd:
    """Counts what is odd in a file, and says each kind once, with the first place."""

    def __init__(self, path: Path, warn: Warn) -> None:
        self._path, self._warn = path, warn
        self._places: dict[tuple[str, str], list[int]] = {}

    def note(self, unit: str, what: str, line: int) -> None:
        self._places.setdefault((unit, what), []).append(line)

    def report(self) -> None:
        for (unit, what), lines in self._places.items():
            more = " (this is the first)" if len(lines) > 1 else ""
            self._warn(f"{self._path}:{lines[0]}: {counted(len(lines), unit)} {what}{more}")
