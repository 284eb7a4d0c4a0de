"""Answers of annotators from wide or long tables, what their labels mean, and gold beside them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.models.reading import parse_labels
from wikibias.research.annotation.tables import Table, chosen, read_table

UNPARSED = "?"
"""Stands where an answer was given that no label could be read from."""
ITEM_NAMES = ("item", "item_id", "sentence_id", "sentence", "unit", "id", "task_id")
ANNOTATOR_NAMES = ("annotator", "rater", "coder", "worker", "user", "performer")
LABEL_NAMES = ("vote", "label", "bias", "value", "answer", "choice")
_WHOLE = re.compile(r"-?\d+\.0+")


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to sentences.

    Attributes:
        items: the sentences' ids.
        annotators: who answered; at least one.
        values: an answer of each item (first) by each annotator (second), or None; "?" only where
            it was asked for. Labels that differ in letter case are one, as it was first written.
        unparsed: how many answers of each annotator said nothing that can be read ("?").
    """

    items: Sequence[str]
    annotators: Sequence[str]
    values: Sequence[Sequence[str | None]]
    unparsed: Mapping[str, int]

    def of(self, annotator: str) -> list[str | None]:
        """Return what an annotator said of each item."""
        place = list(self.annotators).index(annotator)
        return [row[place] for row in self.values]


def cell_label(cell: Any) -> str | None:
    """Return what a cell says: `1.0` and True are `1`; None where it is blank.

    A list of choices, which in a CSV file is JSON, is JSON with the choices in order, each once.
    """
    if isinstance(cell, list | tuple):
        return json.dumps(sorted(set(map(str, cell))), ensure_ascii=False)
    if cell is None or cell != cell:  # noqa: PLR0124 (what pandas writes for a gap)
        return None
    if isinstance(cell, bool):
        return str(int(cell))
    said = str(cell).strip()
    choices = label_choices(said)
    if choices is not None:
        return cell_label(choices)
    if _WHOLE.fullmatch(said):
        said = said.partition(".")[0]
    return said or None


def label_choices(label: str) -> list[str] | None:
    """Return the choices of an answer that is a list of them, as JSON; None where it is none."""
    if not label.startswith("["):
        return None
    try:
        found = json.loads(label)
    except (ValueError, RecursionError):
        return None
    return [str(choice) for choice in found] if isinstance(found, list) else None


def table_answers(
    tables: Sequence[Table],
    *,
    columns: str | None = None,
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    keep_unparsed: bool = False,
) -> Answers:
    """Return the answers of one wide table, or of one or several long ones.

    Args:
        tables: the tables.
        columns: names or patterns of the columns of a wide table, parted by commas; None for long.
        item: column of a long table that names the sentence; None for the first known name.
        annotator: likewise of who answered; a table without one is one annotator, its file's name.
        label: likewise of the answer.
        keep_unparsed: leave "?" as it is, not None, to tell it from what was not answered.

    Raises:
        UsageError: a pattern chooses no column.
        WikibiasError: a table lacks a column, a row of a long one its item or annotator, or one
            annotator answered twice.
    """
    if columns is not None:
        return _wide(tables, columns, item, keep_unparsed)
    return long_answers(tables, item, annotator, label, keep_unparsed=keep_unparsed)


def answerers(
    table: Table, item: str | None = None, annotator: str | None = None
) -> list[tuple[str, str]]:
    """Return the item and the annotator of each row of a long table.

    Raises:
        WikibiasError: a row does not say which, or who.
    """
    items = _named(table, item_column(table, item))
    who = annotator or annotator_column(table)
    names = [table.path.stem] * len(table) if who is None else _named(table, who)
    return list(zip(items, names, strict=True))


def _named(table: Table, column: str) -> list[str]:
    """Return the names in a column, each row of which must have one."""
    cells = table.column(column)
    for number, cell in enumerate(cells):
        if cell_label(cell) is None:
            raise WikibiasError(
                f"{table.place(number)}: no {column}; fill it in, or leave the row out"
            )
    return [str(cell) for cell in cells]


def wide_answers(
    table: Table, names: Sequence[str], item: str | None = None, *, keep_unparsed: bool = False
) -> Answers:
    """Return the answers of some columns of a table, each of which is an annotator."""
    named = item or next((name for name in ITEM_NAMES if name in table.columns), None)
    cells = None if named is None or named in names else table.column(named)
    items = [
        str(number + 1) if cells is None else str(cells[number]) for number in range(len(table))
    ]
    if len(set(items)) < len(items):
        items = [str(number + 1) for number in range(len(items))]
    said = [[cell_label(cell) for cell in table.column(name)] for name in names]
    values = [list(row) for row in zip(*said, strict=True)]
    return _answers(items, list(names), values, keep_unparsed)


def _wide(tables: Sequence[Table], columns: str, item: str | None, keep_unparsed: bool) -> Answers:
    if len(tables) > 1:
        raise WikibiasError("--columns is for one wide table; several files are read as long ones")
    chosen = tables[0].chosen(columns)
    return wide_answers(tables[0], chosen, item, keep_unparsed=keep_unparsed)


def long_answers(
    tables: Sequence[Table],
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    *,
    keep_unparsed: bool = False,
) -> Answers:
    """Return the answers of long tables; see `table_answers`."""
    rows: dict[str, dict[str, str | None]] = {}
    annotators: dict[str, None] = {}
    for table in tables:
        who = answerers(table, item, annotator)
        said = table.column(label or _first(table, LABEL_NAMES, "--label"))
        for number, ((one, name), cell) in enumerate(zip(who, said, strict=True)):
            by_name = rows.setdefault(one, {})
            if name in by_name:
                raise WikibiasError(
                    f"{table.place(number)}: {name[:40]!r} answered {one[:40]!r} twice"
                )
            by_name[name] = cell_label(cell)
            annotators[name] = None
    who_all = list(annotators)
    values = [[row.get(name) for name in who_all] for row in rows.values()]
    return _answers(list(rows), who_all, values, keep_unparsed)


def item_column(table: Table, named: str | None = None) -> str:
    """Return which column of a long table names the sentence.

    Raises:
        WikibiasError: there is none of a known name, and none was named.
    """
    return named or _first(table, ITEM_NAMES, "--item")


def annotator_column(table: Table) -> str | None:
    """Return which column of a long table says who answered; None where there is none."""
    return next((name for name in ANNOTATOR_NAMES if name in table.columns), None)


def _first(table: Table, names: Sequence[str], option: str) -> str:
    for name in names:
        if name in table.columns:
            return name
    raise WikibiasError(
        f"{table.path}: no column {', '.join(names[:-1])} or {names[-1]}; rename it, or name it "
        f"with {option} where the command takes that, or --columns of a wide table"
    )


def _answers(
    items: Sequence[str],
    annotators: Sequence[str],
    values: Sequence[Sequence[str | None]],
    keep_unparsed: bool,
) -> Answers:
    form: dict[str, str] = {}  # "Biased" of one and "biased" of another are one label
    values = [
        [None if cell is None else form.setdefault(cell.casefold(), cell) for cell in row]
        for row in values
    ]
    unparsed = {
        name: sum(row[place] == UNPARSED for row in values) for place, name in enumerate(annotators)
    }
    if keep_unparsed:
        return Answers(items, annotators, values, unparsed)
    read = [[None if cell == UNPARSED else cell for cell in row] for row in values]
    return Answers(items, annotators, read, unparsed)


KNOWN: Mapping[str, bool] = {
    "1": True,
    "biased": True,
    "yes": True,
    "true": True,
    "0": False,
    "neutral": False,
    "no": False,
    "false": False,
}
BIASED, NEUTRAL, NOT_READ, NOT_GIVEN = 1, 0, -1, -2
"""Codes of answers: of the two labels, of "?", and of what was not answered."""
Codes = NDArray[np.int8]
Truth = NDArray[np.bool_]


def meanings(given: str | None) -> Mapping[str, bool]:
    """Return what labels mean: label in small letters -> whether biased.

    What `given` names, the text of --labels, comes on top of the known ones, and may turn them
    round.

    Raises:
        UsageError: a part of it is not NAME=biased or NAME=neutral, or names one class only.
    """
    named = {} if given is None else parse_labels(given)
    return {**KNOWN, **{label.casefold(): biased for label, biased in named.items()}}


def is_biased(label: str, labels: Mapping[str, bool]) -> bool | None:
    """Return whether a label, letter case aside, means biased; None where it is unknown."""
    return labels.get(label.casefold())


def coded(said: Sequence[str | None], labels: Mapping[str, bool], place: str) -> Codes:
    """Return answers as codes.

    Args:
        said: the answers; "?" where none could be read, None where there is none.
        labels: what they mean.
        place: names the column in messages.

    Raises:
        WikibiasError: an answer is no known label.
    """
    table: dict[str | None, int] = {None: NOT_GIVEN, UNPARSED: NOT_READ}
    codes = np.empty(len(said), np.int8)
    for row, label in enumerate(said):
        code = table.get(label)
        if code is None:
            meaning = is_biased(str(label), labels)
            if meaning is None:
                raise WikibiasError(
                    f"{place}: row {row + 1}: unknown label {str(label)[:40]!r}; known: "
                    f"{', '.join(labels)}; name others with --labels NAME=biased,NAME=neutral"
                )
            code = table[label] = int(meaning)
        codes[row] = code
    return codes


@dataclass(frozen=True, slots=True)
class WithGold:
    """Sentences with a gold label.

    Attributes:
        gold: whether each is biased.
        said: what each annotator said of them; see `meanings.coded`.
        without_gold: how many sentences had no gold label, and are left out.
    """

    gold: Truth
    said: Mapping[str, Codes]
    without_gold: int


def read_with_gold(
    paths: Sequence[Path],
    gold: str,
    columns: str | None,
    labels: Mapping[str, bool],
    *,
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
) -> WithGold:
    """Return gold labels and answers of a wide table, or of long ones.

    Args:
        paths: one table that has a column `gold`, or long tables, one of whose annotators is
            called `gold`; a long table without annotators is one, called as its file.
        gold: names the gold labels.
        columns: names or patterns of the annotators, parted by commas; None for all of long tables.
        labels: what labels mean.
        item: column of a long table that names the sentence; see `answers.read_answers`.
        annotator: likewise of who answered.
        label: likewise of the answer.

    Raises:
        UsageError: gold or a pattern names nothing.
        WikibiasError: a table cannot be read, a label is unknown, or no sentence has gold.
    """
    tables = [read_table(path) for path in paths]
    if len(tables) == 1 and (
        gold in tables[0].columns
        or (columns is not None and not annotator and annotator_column(tables[0]) is None)
    ):
        answers, names = _wide_with_gold(tables[0], gold, columns)
    else:
        answers = long_answers(tables, item, annotator, label, keep_unparsed=True)
        who = answers.annotators
        if gold not in who:
            raise UsageError(f"--gold: nobody is called {gold!r}{nearest(gold, who)}")
        names = chosen(columns or "*", who, "--columns", "nobody is called")
    names = [name for name in names if name != gold]
    if not names:
        raise UsageError("--columns: chooses none but the gold labels; name the annotators")
    where = str(paths[0]) if len(paths) == 1 else "answers"
    codes = {name: coded(answers.of(name), labels, f"{where}: {name}") for name in [gold, *names]}
    truth = codes.pop(gold)
    known = truth >= NEUTRAL
    if not known.any():
        raise WikibiasError(f"{where}: no sentence has a gold label in {gold!r}")
    if all((said[known] == NOT_GIVEN).all() for said in codes.values()):
        raise WikibiasError(
            f"{where}: nobody answered a sentence with a gold label; do both name the same items?"
        )
    return WithGold(
        truth[known] == BIASED,
        {name: said[known] for name, said in codes.items()},
        int(np.count_nonzero(~known)),
    )


def _wide_with_gold(table: Table, gold: str, columns: str | None) -> tuple[Answers, list[str]]:
    """Return all answers, those of gold among them, and whose were chosen."""
    table.column(gold)
    if columns is None:
        raise UsageError(
            "--columns: name the annotators' columns, such as a,b or '*@*'; "
            f"{table.path} has {', '.join(table.columns)}"[:500]
        )
    names = table.chosen(columns)
    return wide_answers(table, [*dict.fromkeys([gold, *names])], keep_unparsed=True), names
