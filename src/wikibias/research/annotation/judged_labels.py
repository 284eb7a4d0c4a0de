"""What annotators, people or models, say of sentences: biased or neutral, and by how many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wikibias.errors import WikibiasError
from wikibias.records import Label
from wikibias.research.annotation.answers import (
    ITEM_NAMES,
    LABEL_NAMES,
    Answers,
    annotator_column,
    cell_label,
    table_answers,
)
from wikibias.research.annotation.meanings import KNOWN, is_biased
from wikibias.research.annotation.tables import Table, read_table
from wikibias.research.annotation.tasks import Task

_SENTENCE = "sentence_id"
_VOTE, _VOTES = "vote", "votes"


@dataclass(frozen=True, slots=True)
class Votes:
    """How many annotators found a sentence biased, and how many neutral."""

    biased: int
    neutral: int

    @property
    def label(self) -> Label | None:
        """What most say; None of a tie, and where nobody said anything that can be read."""
        if self.biased == self.neutral:
            return None
        return "biased" if self.biased > self.neutral else "neutral"

    @property
    def share(self) -> float | None:
        """The share that found it biased; None where nobody said anything that can be read."""
        answers = self.biased + self.neutral
        return self.biased / answers if answers else None


def read_judged(
    paths: Sequence[Path], *, columns: str | None = None, by_sentence: bool = False
) -> Answers:
    """Return answers to the question whether a sentence is biased, as `biased` and `neutral`.

    Args:
        paths: tables of answers; see `answers.table_answers`.
        columns: those of a wide table that are annotators, parted by commas; None for long ones.
        by_sentence: know a sentence by its column `sentence_id`, where there is one.

    Raises:
        WikibiasError: a table cannot be read, or an answer is neither biased nor neutral.
        UsageError: there are no such columns.
    """
    tables = [read_table(path) for path in paths]
    named = by_sentence and all(_SENTENCE in table.columns for table in tables)
    if columns is None:
        for table in tables:
            _check_long(table)
    found = table_answers(tables, columns=columns, item=_SENTENCE if named else None)
    means: dict[str | None, str | None] = {None: None}
    for name, row in zip(found.items, found.values, strict=True):
        for cell in row:
            if cell not in means:
                means[cell] = _meaning(str(cell), name)
    return replace(found, values=[[means[cell] for cell in row] for row in found.values])


def voters(paths: Sequence[Path], answers: Answers) -> int:
    """Return of how many annotators at most the answers are a vote; 0 where they are none.

    `annotate vote` writes beside each label how many voted.
    """
    if len(paths) > 1 or len(answers.annotators) > 1:
        return 0
    table = read_table(paths[0])
    whole = annotator_column(table) is None and answers.annotators[0] in (_VOTE, table.path.stem)
    if not whole or not table.columns.keys() >= {_VOTE, _VOTES}:
        return 0
    numbers = [cell_label(cell) or "" for cell in table.columns[_VOTES]]
    return max((int(said) for said in numbers if said.isdecimal()), default=0)


def votes(answers: Answers) -> dict[str, Votes]:
    """Return the votes on each item."""
    return {
        item: Votes(row.count("biased"), row.count("neutral"))
        for item, row in zip(answers.items, map(list, answers.values), strict=True)
    }


def of_sentences(found: Mapping[str, Votes], tasks: Sequence[Task]) -> dict[str, Votes]:
    """Return the votes by sentence_id, which the tasks tell of each item.

    What is shown again, or to learn with, does not vote.

    Raises:
        WikibiasError: no item is among the tasks, or these tell no sentence_id.
    """
    known = {task.item: task for task in tasks}
    if not any(item in known for item in found):
        raise WikibiasError("no answer is to one of these tasks; give the task file they belong to")
    sentences = {
        task.item: task.sentence_id
        for task in tasks
        if task.kind in ("sample", "control") and task.sentence_id
    }
    if not sentences:
        raise WikibiasError(
            "the tasks have no sentence_id; take the file that `wikibias annotate sample` wrote"
        )
    return {sentences[item]: vote for item, vote in found.items() if item in sentences}


def _check_long(table: Table) -> None:
    """Check that a table names items and labels; here are no options that say which columns do.

    Raises:
        WikibiasError: it does not.
    """
    for names in (ITEM_NAMES, LABEL_NAMES):
        if not any(name in table.columns for name in names):
            raise WikibiasError(
                f"{table.path}: no column {', '.join(names[:-1])} or {names[-1]}; rename the one "
                "that is meant, or give --columns where each annotator has a column"
            )


def _meaning(said: str, item: str) -> str:
    biased = is_biased(said, KNOWN)
    if biased is None:
        raise WikibiasError(
            f"{item[:40]!r} is judged {said[:40]!r}, which is neither biased nor neutral; known: "
            f"{', '.join(KNOWN)}"
        )
    return "biased" if biased else "neutral"
