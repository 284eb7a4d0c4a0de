"""Gold labels beside what annotators said of the same sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.research.annotation.answers import (
    Answers,
    annotator_column,
    long_answers,
    wide_answers,
)
from wikibias.research.annotation.meanings import BIASED, NEUTRAL, NOT_GIVEN, Codes, coded
from wikibias.research.annotation.scores import Truth
from wikibias.research.annotation.tables import Table, chosen, read_table


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
        answers, names = _of_wide(tables[0], gold, columns)
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


def _of_wide(table: Table, gold: str, columns: str | None) -> tuple[Answers, list[str]]:
    """Return all answers, those of gold among them, and whose were chosen."""
    table.column(gold)
    if columns is None:
        raise UsageError(
            "--columns: name the annotators' columns, such as a,b or '*@*'; "
            f"{table.path} has {', '.join(table.columns)}"[:500]
        )
    names = table.chosen(columns)
    return wide_answers(table, [*dict.fromkeys([gold, *names])], keep_unparsed=True), names
