"""Answers of annotators from wide or long tables, what their labels mean, and gold beside them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.kits.evaluation import Codes
from wikibias.kits.files import from_json, to_json
from wikibias.models.reading import parse_labels
from wikibias.research.annotation.answer_store import GOLD
from wikibias.research.annotation.tasks import chosen, chosen_columns, column, read_table

if TYPE_CHECKING:
    import pandas as pd

    from wikibias.research.annotation.tasks import Task

UNPARSED = "?"
"""Stands where an answer was given that no label could be read from."""
NOT_READ, NOT_GIVEN = -1, -2
"""Codes of "?", and of what was not answered."""
ITEM_NAMES = ("item", "item_id", "sentence_id", "sentence", "unit", "id", "task_id")
ANNOTATOR_NAMES = ("annotator", "rater", "coder", "worker", "user", "performer")
LABEL_NAMES = ("vote", "label", "bias", "value", "answer", "choice")
_WHOLE = re.compile(r"-?\d+\.0+")


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to sentences, as one table.

    Attributes:
        items: the sentences' ids.
        annotators: who answered; at least one.
        labels: those that were given, numbers in their order, others by name. Labels that differ
            in letter case are one, as it was first written.
        codes: the place among the labels of what each annotator (second) said of each item
            (first); or `NOT_READ`, or `NOT_GIVEN`.
    """

    items: Sequence[str]
    annotators: Sequence[str]
    labels: Sequence[str]
    codes: Codes

    @property
    def unparsed(self) -> dict[str, int]:
        """How many answers of each annotator say nothing that can be read."""
        return dict(zip(self.annotators, (self.codes == NOT_READ).sum(0).tolist(), strict=True))

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """What the labels are, where all are numbers."""
        return _numbers(self.labels)

    @property
    def counts(self) -> NDArray[np.float64]:
        """How many annotators gave each item each label, of shape (items, labels)."""
        found = np.zeros((len(self.codes), len(self.labels)))
        for of_one in self.codes.T:
            rows = np.flatnonzero(of_one >= 0)
            found[rows, of_one[rows]] += 1
        return found

    def pairs(self) -> dict[str, tuple[int, int]]:
        """Return the places of each two annotators, by the name that JSON gives the pair."""
        names = self.annotators
        return {
            f"{names[one]}|{names[other]}": (one, other)
            for one, other in combinations(range(len(names)), 2)
        }

    def rows(self, places: Sequence[int]) -> Answers:
        """Return the answers to some items, by their places."""
        kept = np.asarray(places, dtype=int)
        return replace(self, items=[self.items[place] for place in kept], codes=self.codes[kept])

    def raters(self) -> Answers:
        """Return the answers without what was decided between them, unless there is no more."""
        return self.of([name for name in self.annotators if name != GOLD] or self.annotators)

    def of(self, names: Sequence[str]) -> Answers:
        """Return the answers of some annotators."""
        places = [list(self.annotators).index(name) for name in names]
        return replace(self, annotators=list(names), codes=self.codes[:, places])


def _numbers(labels: Sequence[str]) -> tuple[float, ...] | None:
    try:
        found = tuple(map(float, labels))
    except ValueError:
        return None
    return found if found and all(map(math.isfinite, found)) else None


def answers_of(
    items: Sequence[str], annotators: Sequence[str], cells: Iterable[Sequence[str | None]]
) -> Answers:
    """Return answers, given as the labels of each item by annotator, or None, or "?"."""
    form: dict[str, str] = {}  # "Biased" of one and "biased" of another are one label
    rows = [
        [None if cell is None else form.setdefault(cell.casefold(), cell) for cell in row]
        for row in cells
    ]
    labels = sorted(set(form.values()) - {UNPARSED})
    if _numbers(labels):
        labels.sort(key=float)
    places_of: dict[str | None, int] = {UNPARSED: NOT_READ, None: NOT_GIVEN}
    places_of |= {label: place for place, label in enumerate(labels)}
    codes = np.array([[places_of[cell] for cell in row] for row in rows], dtype=np.int64)
    return Answers(items, annotators, labels, codes.reshape(len(items), len(annotators)))


def cell_label(cell: Any) -> str | None:
    """Return what a cell says: `1.0` and True are `1`; None where it is blank.

    A list of choices, which in a CSV file is JSON, is JSON with the choices in order, each once.
    """
    if isinstance(cell, list | tuple):
        return to_json(sorted(set(map(str, cell))))
    if cell is None or cell != cell:  # noqa: PLR0124 (what pandas writes for a gap)
        return None
    if isinstance(cell, bool):
        return str(int(cell))
    said = str(cell).strip()
    choices = label_choices(said)
    if choices is not None:
        return cell_label(choices)
    if said.endswith("0") and _WHOLE.fullmatch(said):
        said = said.partition(".")[0]
    return said or None


def label_choices(label: str) -> list[str] | None:
    """Return the choices of an answer that is a list of them, as JSON; None where it is none."""
    if not label.startswith("["):
        return None
    try:
        found = from_json(label)
    except (ValueError, RecursionError):
        return None
    return [str(choice) for choice in found] if isinstance(found, list) else None


def of_kind(found: Answers, tasks: Collection[Task], kind: str = "sample") -> Answers:
    """Return the answers to the tasks of a kind; all where no tasks are known.

    Raises:
        WikibiasError: none is to one of the tasks.
    """
    if not tasks:
        return found
    refuse_other_tasks(found.items, tasks)
    kinds = {task.item: task.kind for task in tasks}
    return found.rows([n for n, item in enumerate(found.items) if kinds.get(item) == kind])


def refuse_other_tasks(items: Collection[str], tasks: Iterable[Task]) -> None:
    """Make sure that answers are to some of the tasks.

    Raises:
        WikibiasError: none is.
    """
    if not any(task.item in items for task in tasks):
        raise WikibiasError("no answer is to one of these tasks; give the task file they belong to")


def table_answers(
    tables: Sequence[pd.DataFrame],
    columns: str | None = None,
    label: str | None = None,
    item: str | None = None,
) -> Answers:
    """Return the answers of one wide table, or of one or several long ones.

    Args:
        tables: the tables. A long one where no column names annotators is one, its file's name.
        columns: names or patterns of the columns of a wide table, parted by commas; None for long.
        label: the column of the answers of a long table; None for the first known name.
        item: likewise of what names the sentence.

    Raises:
        UsageError: a pattern chooses no column.
        WikibiasError: a table lacks a column, a row of a long one its item or annotator, or one
            annotator answered twice.
    """
    if columns is None:
        return long_answers(tables, label, item)
    if len(tables) > 1:
        raise UsageError(
            "--annotator-columns is for one wide table; several files are read as long ones"
        )
    return wide_answers(tables[0], chosen_columns(tables[0], columns), item)


def wide_answers(table: pd.DataFrame, names: Sequence[str], item: str | None = None) -> Answers:
    """Return the answers of some columns of a table, each of which is an annotator."""
    named = item or next((name for name in ITEM_NAMES if name in table.columns), None)
    items = [str(number) for number in range(1, len(table) + 1)]
    if named is not None and named not in names:
        given = [str(cell) for cell in table[named]]
        items = given if len(set(given)) == len(given) else items
    cells = [[cell_label(cell) for cell in column(table, name)] for name in names]
    return answers_of(items, list(names), zip(*cells, strict=True))


def long_answers(
    tables: Sequence[pd.DataFrame], label: str | None = None, item: str | None = None
) -> Answers:
    """Return the answers of long tables; see `table_answers`."""
    rows: dict[str, dict[str, str | None]] = {}
    annotators: dict[str, None] = {}
    for table in tables:
        who = answerers(table, item)
        said = column(table, label or _first(table, LABEL_NAMES))
        for line, (one, name), cell in zip(table.index, who, said, strict=True):
            by_name = rows.setdefault(one, {})
            if name in by_name:
                raise WikibiasError(
                    f"{table.attrs['path']}:{line}: {name[:40]!r} answered {one[:40]!r} twice"
                )
            by_name[name] = cell_label(cell)
            annotators[name] = None
    names = list(annotators)
    return answers_of(
        list(rows), names, ([row.get(name) for name in names] for row in rows.values())
    )


def answerers(table: pd.DataFrame, item: str | None = None) -> list[tuple[str, str]]:
    """Return the item and the annotator of each row of a long table.

    Raises:
        WikibiasError: a row does not say which, or who.
    """
    items, who = _names(table, item or _first(table, ITEM_NAMES)), annotator_column(table)
    file = Path(table.attrs["path"]).stem
    names = [file] * len(table) if who is None else _names(table, who)
    return list(zip(items, names, strict=True))


def item_texts(
    tables: Iterable[pd.DataFrame], items: Sequence[str] | None = None
) -> dict[str, str]:
    """Return the text of each item that has one, as the first row says it.

    Args:
        tables: of answers.
        items: those of the rows of a wide table; None where tables are long and name them.
    """
    found: dict[str, str] = {}
    for table in tables:
        cells = table.get("text", ())
        named = items or [item for item, _ in (answerers(table) if len(cells) else ())]
        for item, cell in zip(named, cells, strict=False):
            if cell_label(cell) is not None:
                found.setdefault(item, str(cell))
    return found


def _names(table: pd.DataFrame, name: str) -> list[str]:
    """Return the names in a column, each row of which must have one."""
    names = [str(cell) for cell in table[name]]
    for line, cell, said in zip(table.index, table[name], names, strict=True):
        if cell is None or cell != cell or not said or said.isspace():  # noqa: PLR0124 (a gap)
            raise WikibiasError(
                f"{table.attrs['path']}:{line}: no {name}; fill it in, or leave the row out"
            )
    return names


def annotator_column(table: pd.DataFrame) -> str | None:
    """Return which column of a long table says who answered; None where none does."""
    columns = (name for name in ANNOTATOR_NAMES if name in table.columns)
    return next((name for name in columns if (table[name].fillna("") != "").any()), None)


def _first(table: pd.DataFrame, names: Sequence[str]) -> str:
    for name in names:
        if name in table.columns:
            return name
    option = "--label where the command takes that, or " if names is LABEL_NAMES else ""
    rename = f"; rename it, or name it with {option}--annotator-columns of a wide table"
    raise WikibiasError(
        f"{table.attrs['path']}: no column {', '.join(names[:-1])} or {names[-1]}"
        f"{table.attrs.get('held') or rename}"
    )


KNOWN: Mapping[str, bool] = {
    **dict.fromkeys(("1", "biased", "yes", "true"), True),
    **dict.fromkeys(("0", "neutral", "no", "false"), False),
}
NEUTRAL, BIASED = 0, 1
"""Codes of the two labels in answers that say whether a sentence is biased."""
Truth = NDArray[np.bool_]


def meanings(given: str | None) -> Mapping[str, bool]:
    """Return what labels mean: label in small letters -> whether biased.

    What `given` names, the text of --label-names, comes on top of the known ones, and may turn them
    round.

    Raises:
        UsageError: a part of it is not NAME=biased or NAME=neutral, or names one class only.
    """
    named = {} if given is None else parse_labels(given)
    return {**KNOWN, **{label.casefold(): biased for label, biased in named.items()}}


def is_biased(label: str, labels: Mapping[str, bool]) -> bool | None:
    """Return whether a label, letter case aside, means biased; None where it is unknown."""
    return labels.get(label.casefold())


def judgements(answers: Answers, labels: Mapping[str, bool] = KNOWN, hint: str = "") -> Answers:
    """Return answers as `neutral` and `biased`, in this order.

    Args:
        answers: of which each label has a meaning.
        labels: what they mean.
        hint: what a message adds.

    Raises:
        WikibiasError: an answer is no known label.
    """
    codes = []
    for code, label in enumerate(answers.labels):
        meaning = is_biased(label, labels)
        if meaning is None and (rows := np.argwhere(answers.codes == code)).size:
            row, place = rows[0]
            raise WikibiasError(
                f"{answers.items[row][:40]!r} is judged {label[:40]!r} by "
                f"{answers.annotators[place][:40]!r}, which is neither biased nor neutral; known: "
                f"{', '.join(labels)}{hint}"
            )
        codes.append(BIASED if meaning else NEUTRAL)
    # Places below 0 count from the end.
    known = np.array([*codes, NOT_GIVEN, NOT_READ], np.int64)[answers.codes]
    return replace(answers, labels=("neutral", "biased"), codes=known)


@dataclass(frozen=True, slots=True)
class WithGold:
    """Sentences with a gold label.

    Attributes:
        gold: whether each is biased.
        said: the codes of what each annotator said of them; see `judgements`.
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
    label: str | None = None,
    tasks: Collection[Task] = (),
) -> WithGold:
    """Return gold labels and answers of a wide table, or of long ones.

    Args:
        paths: one table that has a column `gold`, or long tables, one of whose annotators is
            called `gold`; a long table without annotators is one, called as its file.
        gold: names the gold labels.
        columns: names or patterns of the annotators, parted by commas; None for all of long tables.
        labels: what labels mean.
        label: column of a long table that has the answers.
        tasks: those of the items, where they are known; only the sample counts.

    Raises:
        UsageError: gold or a pattern names nothing.
        WikibiasError: a table cannot be read, a label is unknown, or no sentence has gold.
    """
    tables = [read_table(path) for path in paths]
    table = tables[0]
    if len(tables) == 1 and (
        gold in table.columns or (columns is not None and annotator_column(table) is None)
    ):
        column(table, gold)
        if columns is None:
            raise UsageError(
                "--annotator-columns: name the annotators' columns, such as a,b or '*@*'; "
                f"{table.attrs['path']} has {', '.join(table.columns)}"[:500]
            )
        names = chosen_columns(table, columns)
        answers = wide_answers(table, [*dict.fromkeys([gold, *names])])
    else:
        answers = long_answers(tables, label)
        if gold not in answers.annotators:
            raise UsageError(
                f"--gold: nobody is called {gold!r}{nearest(gold, answers.annotators)}"
            )
        names = chosen(
            columns or "*", answers.annotators, "--annotator-columns", "nobody is called"
        )
    names = [name for name in names if name != gold]
    if not names:
        raise UsageError(
            "--annotator-columns: chooses none but the gold labels; name the annotators"
        )
    hint = "; name others with --label-names NAME=biased,NAME=neutral"
    answers = of_kind(answers, tasks).of([gold, *names])
    codes = judgements(answers, labels, hint).codes
    where = str(paths[0]) if len(paths) == 1 else "answers"
    known = codes[codes[:, 0] >= 0]
    if not len(known):
        raise WikibiasError(f"{where}: no sentence has a gold label in {gold!r}")
    if (known[:, 1:] == NOT_GIVEN).all():
        raise WikibiasError(
            f"{where}: nobody answered a sentence with a gold label; do both name the same items?"
        )
    said = dict(zip(names, known[:, 1:].T, strict=True))
    return WithGold(known[:, 0] == BIASED, said, len(codes) - len(known))
