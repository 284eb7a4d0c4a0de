"""Tasks of annotators, guidelines that say what is asked of them, and tables of their answers.

Guidelines stand in `configs/guidelines/NAME.toml`: what is asked, and how to answer. The labelling
page and the tables of answers follow from them: each question is a column. A task file is a table
(`kits.tables.write_rows`) with a row a task; lists stand in it as JSON. Answers and labels are
tables as well, and the file of answers of the labelling page is read as one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from wikibias.config import resources
from wikibias.corpus.sentence_pairs.reading import TASK_COLUMNS
from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.kits.checked import ConflictError, Meta, NonEmpty, Place, read_toml
from wikibias.kits.files import from_json
from wikibias.kits.tables import read_frame
from wikibias.research.annotation.answer_store import ENDING, read_answer_rows

if TYPE_CHECKING:
    import pandas as pd

View = Literal["sentence", "pair"]
"""What is shown: a sentence with what stood around it, or a sentence before and after its edit."""
COLUMNS = ("item", "annotator", "spans", "comment")
"""What a table of answers has beside its questions."""
NONE_KEY = "0"
"""Says of a question with several choices that none holds."""
PAGE_KEYS = "cgmu"
"""What the labelling page needs itself: comment, guidelines, marking, undo."""
MOST_SPAN_LABELS = 9
_FOLDER = "guidelines"
_COLUMN = re.compile(r"[a-z][a-z0-9_]*")
_KEY = re.compile(r"[1-9a-z]")


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that may be chosen: its `value` in tables, what it means, and its key."""

    value: NonEmpty
    text: NonEmpty
    key: NonEmpty

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key) or self.key in PAGE_KEYS:
            raise ConflictError(
                ("key",),
                f"the key {self.key!r} must be one of 1 to 9 or a small letter, and none of "
                f"{', '.join(PAGE_KEYS)}, which the page needs",
            )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each sentence; with `several`, any number of choices may hold, or none."""

    name: NonEmpty
    text: NonEmpty
    choices: tuple[Choice, ...]
    several: bool = False

    def __post_init__(self) -> None:
        if not _COLUMN.fullmatch(self.name) or self.name in COLUMNS:
            raise ConflictError(
                ("name",),
                f"the name {self.name!r} is to head a column: write small letters, digits and _, "
                f"and none of {', '.join(COLUMNS)}",
            )
        if len(self.choices) < (1 if self.several else 2):
            raise ConflictError(
                ("choices",), f"the question {self.name!r} leaves no choice; add [[choices]] to it"
            )
        if len({choice.value for choice in self.choices}) < len(self.choices):
            raise ConflictError(
                ("choices",), f"two choices of the question {self.name!r} have one value"
            )

    @property
    def values(self) -> tuple[str, ...]:
        """The values that may be chosen, in order."""
        return tuple(choice.value for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Practice:
    """A sentence to learn with: `answers` by question, and `why` they are right."""

    text: NonEmpty
    why: NonEmpty
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    counterpart: NonEmpty | None = None


@dataclass(frozen=True, slots=True)
class Guidelines:
    """What annotators are told and asked.

    Attributes:
        name: of the file.
        title: what the page is headed with.
        about: what is to be done; a blank line parts paragraphs.
        questions: what is asked of each sentence.
        rules: what to go by, one sentence each.
        view: what is shown.
        spans: labels that words may be marked with; none where nothing is marked.
        practice: what comes first, to learn with.
        language: of these texts, as `lang` of HTML takes it.
        page: the texts of the labelling page in this language, by the English ones.
    """

    name: NonEmpty
    title: NonEmpty
    about: NonEmpty
    questions: tuple[Question, ...]
    rules: tuple[NonEmpty, ...] = ()
    view: View = "sentence"
    spans: tuple[NonEmpty, ...] = ()
    practice: tuple[Practice, ...] = ()
    language: Annotated[str, Meta(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{2,8})*$")] = "en"
    page: Mapping[str, NonEmpty] = field(default_factory=dict, hash=False)


def load_guidelines(name: str) -> Guidelines:
    """Read guidelines by name, the user's own or those shipped, or by the path of a .toml file.

    Raises:
        UsageError: there are none, or they are broken; the message names file, line and key.
    """
    remedy = "; or give a file that ends in .toml"
    path = resources.named_file(_FOLDER, name, "unknown guidelines", remedy)
    found, file = read_toml(path, Guidelines)
    for place, fault in (*_faults(found, path.stem), *_faults_of_practice(found)):
        raise UsageError(f"{file.at(place)}: {fault}")
    return found


def _faults(found: Guidelines, stem: str) -> Iterator[tuple[Place, str]]:
    """Yield what does not fit together, and where it stands."""
    if found.name != stem:
        yield ("name",), f"name must be {stem!r}, as the file is named"
    if not found.questions:
        yield ("title",), "nothing is asked; add [[questions]] with [[questions.choices]]"
    if len(set(found.spans)) < len(found.spans) or len(found.spans) > MOST_SPAN_LABELS:
        yield ("spans",), f"spans must be up to {MOST_SPAN_LABELS} labels, each another"
    seen_names, seen_keys = set[str](), set[str]()
    for number, question in enumerate(found.questions):
        if question.name in seen_names:
            yield ("questions", number, "name"), f"two questions are called {question.name!r}"
        seen_names.add(question.name)
        for place, choice in enumerate(question.choices):
            if choice.key in seen_keys:
                yield (
                    ("questions", number, "choices", place, "key"),
                    f"the key {choice.key!r} stands for two choices; give each its own",
                )
            seen_keys.add(choice.key)


def _faults_of_practice(found: Guidelines) -> Iterator[tuple[Place, str]]:
    asked = {question.name for question in found.questions}
    for number, practice in enumerate(found.practice):
        if found.view == "pair" and practice.counterpart is None:
            yield ("practice", number, "text"), "pairs are shown: give the practice a counterpart"
        for question in found.questions:
            given = practice.answers.get(question.name)
            wrong = [value for value in given or () if value not in question.values]
            if given is None or wrong or not (question.several or len(given) == 1):
                many = "a list of" if question.several else "a list with one of"
                yield (
                    ("practice", number, "answers"),
                    f"the practice must answer {question.name!r} by {many} "
                    f"{', '.join(question.values)}",
                )
        for name in practice.answers:
            if name not in asked:
                yield ("practice", number, "answers"), f"nothing asks {name!r}"


_HELD = {
    TASK_COLUMNS: "; it holds tasks, which `wikibias annotate serve` takes",
    frozenset({"source", "target"}): "; it holds sentence pairs, which `wikibias spans train` "
    "takes; to have them judged, rename source to text and target to counterpart",
}
_IN_JSON = (str, int, float, list, dict, type(None))


def read_table(path: Path) -> pd.DataFrame:
    """Return a table, whatever its form: see `kits.tables`, and the file of `annotate serve`.

    Its index is the line of each row; `attrs["path"]` is the file, `attrs["held"]` what is said
    where it was taken for another.

    Raises:
        WikibiasError: it cannot be read, its ending says nothing, or it holds no row.
    """
    if path.suffix == ENDING:
        import pandas as pd

        rows = read_answer_rows(path)
        names = dict.fromkeys(name for row in rows for name in row)
        cells = {name: [row.get(name) for row in rows] for name in names}
        table = pd.DataFrame(cells, range(1, len(rows) + 1), dtype=object)
        table.attrs = {"path": str(path)}
    else:
        table = read_frame(path, quoted=True)
    if table.empty:
        raise WikibiasError(f"{path}: no row in it")
    held = (said for names, said in _HELD.items() if names <= {*table.columns})
    table.attrs["held"] = next(held, "")
    return table


def column(table: pd.DataFrame, name: str) -> list[Any]:
    """Return the cells of a column.

    Raises:
        WikibiasError: there is none of that name; the message names the nearest.
    """
    if name not in table.columns:
        known = nearest(name, list(table.columns)) + table.attrs.get("held", "")
        raise WikibiasError(f"{table.attrs['path']}: no column {name!r}{known}")
    return list(table[name])


def plain_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows, with nothing in them that JSON cannot hold: a date becomes its text."""
    return [
        {str(name): _plain(cell) for name, cell in zip(table.columns, row, strict=True)}
        for row in table.itertuples(index=False, name=None)
    ]


def chosen_columns(
    table: pd.DataFrame, patterns: str, option: str = "--annotator-columns"
) -> list[str]:
    """Return the columns that names or patterns choose; see `chosen`."""
    return chosen(patterns, list(table.columns), option, f"{table.attrs['path']} has no column")


def chosen(patterns: str, known: Collection[str], option: str, unknown: str) -> list[str]:
    """Return the known names that comma-separated names or patterns such as `*@*` choose.

    Args:
        patterns: what a user says.
        known: all names there are.
        option: of the command line, for messages.
        unknown: what a message says before a part that chooses none.

    Raises:
        UsageError: a part chooses none, or there is no part.
    """
    names: dict[str, None] = {}
    for pattern in filter(None, map(str.strip, patterns.split(","))):
        exact = [pattern] if pattern in known else []
        found = exact or [name for name in known if fnmatchcase(name, pattern)]
        if not found:
            raise UsageError(f"{option}: {unknown} {pattern!r}{nearest(pattern, known)}")
        names |= dict.fromkeys(found)
    if not names:
        raise UsageError(f"{option}: give names, comma-separated")
    return list(names)


def listed(cell: Any, place: str) -> list[Any]:
    """Return a list that stands in a cell; in CSV it is JSON.

    Raises:
        WikibiasError: it is none; `place` says where.
    """
    found = cell
    if isinstance(cell, str):
        with suppress(ValueError, RecursionError):
            found = from_json(cell)
    if not isinstance(found, list | tuple):
        raise WikibiasError(f"{place}: {cell!s:.40} is not a list")
    return list(found)


def _plain(cell: Any) -> Any:
    if isinstance(cell, float) and not isfinite(cell):
        return None
    return cell if isinstance(cell, _IN_JSON) else str(cell)


TaskKind = Literal["sample", "control", "repeat", "practice"]
"""Drawn; unchanged, to see who ticks everything; shown again; to learn with, never counted."""


@dataclass(frozen=True, slots=True)
class Task:
    """One sentence to annotate, with what may be shown of it and where it is from.

    Annotators see `text`, and where the design has it `counterpart`, `previous`, `next`, `before`,
    `after` and `section`; nothing else, for it would tip them off.
    """

    item: str
    """Names it in its file, and in the answers."""
    text: str
    kind: TaskKind = "sample"
    repeat_of: str | None = None
    """The item that is shown again."""
    counterpart: str | None = None
    """The sentence that the edit made of it, or made it of, where the two are aligned."""
    previous: str | None = None
    next: str | None = None
    before: tuple[str, ...] = ()
    """All sentences that its edit removed."""
    after: tuple[str, ...] = ()
    """All sentences that its edit added."""
    section: str | None = None
    stratum: str | None = None
    """Which part of the sample it stands for, such as `bin=3-6 tag=POV`."""
    probability: float | None = None
    """How likely the sample was to hold it (0, 1]; its weight is one by this."""
    corpus: str | None = None
    sentence_id: str | None = None
    role: str | None = None
    """removed, added or unchanged."""
    removed: int | None = None
    """How many sentences its edit removed."""
    tag: str | None = None
    confidence: float | None = None
    tier: str | None = None
    wiki: str | None = None
    language: str | None = None
    page_id: int | None = None
    title: str | None = None
    before_rev_id: int | None = None
    after_rev_id: int | None = None
    diff_url: str | None = None
    annotators: tuple[str, ...] = ()
    """Who is to judge it; everybody where it is empty."""

    @property
    def sides(self) -> tuple[str, str]:
        """The sentence before its edit and after it; "" on a side where none matches it."""
        if self.role == "added":
            return self.counterpart or "", self.text
        return self.text, self.counterpart or (self.text if self.role == "unchanged" else "")

    @property
    def parts(self) -> dict[str, str]:
        """What its stratum says, by name, such as `bin` and `tag`."""
        return dict(_PART.findall(self.stratum or ""))


_PART = re.compile(r"(\w+)=(.*?)(?=\s+\w+=|$)")
_LISTS = ("before", "after", "annotators")
_MOST_NAMED = 8
_NUMBERS: dict[str, type[float]] = {
    "probability": float,
    "confidence": float,
    **dict.fromkeys(("removed", "page_id", "before_rev_id", "after_rev_id"), int),
}


def read_tasks(path: Path, most: int | None = None) -> list[Task]:
    """Return the tasks of a task file, or of any table with a column `text`.

    Where there is no column `item`, the rows are numbered: `s1`, `s2`, ...

    Raises:
        WikibiasError: it cannot be read, has no `text`, a row without one, two tasks of one name,
            or more than `most` tasks.
    """
    table = read_table(path)
    if most and len(table) > most:
        raise WikibiasError(f"{path}: {len(table):,} sentences, {most:,} at most; split it")
    if "text" not in table.columns:
        names = [name[:40] for name in table.columns[:_MOST_NAMED]]
        more = ", ..." if len(table.columns) > _MOST_NAMED else ""
        remedy = table.attrs["held"] or (
            "; it holds answers, which `wikibias annotate agree` takes; give the tasks answered"
            if "annotator" in table.columns
            else f"; rename that of the sentences to text (there are {', '.join(names)}{more}), or "
            "draw tasks from a corpus: wikibias annotate sample"
        )
        raise WikibiasError(f"{path}: no column 'text'{remedy}")
    known = [field.name for field in fields(Task) if field.name in table.columns]
    if "kind" in known and not set(get_args(TaskKind)) & set(map(str, table["kind"])):
        known.remove("kind")  # that of a corpus, which says how its edit was found
    tasks: dict[str, Task] = {}
    rows = table[known].itertuples(index=False, name=None)
    for number, (line, cells) in enumerate(zip(table.index, rows, strict=True), 1):
        place = f"{path}:{line}"
        read = {name: _cell(place, name, cell) for name, cell in zip(known, cells, strict=True)}
        row = {"item": f"s{number}"} | {n: cell for n, cell in read.items() if cell is not None}
        if not any(char.isprintable() and not char.isspace() for char in row.get("text", "")):
            raise WikibiasError(f"{place}: text is blank; fill it in, or drop the row")
        if row["item"] in tasks:
            raise WikibiasError(f"{path}: two rows are called {row['item'][:40]!r}; rename one")
        if row.get("kind", "sample") not in get_args(TaskKind):
            known_kinds = ", ".join(get_args(TaskKind))
            raise WikibiasError(f"{place}: unknown kind {row['kind']!s:.40}; known: {known_kinds}")
        tasks[row["item"]] = Task(**row)
    return list(tasks.values())


def _cell(place: str, name: str, cell: Any) -> Any:
    if cell is None or cell == "":
        return None
    if name in _LISTS:
        return tuple(map(str, listed(cell, f"{place}: {name}")))
    if (kind := _NUMBERS.get(name)) is None:
        return str(cell)
    try:
        return kind(cell)
    except (TypeError, ValueError, OverflowError) as error:
        raise WikibiasError(f"{place}: {name}: {cell!s:.40} is no number") from error


def dealt_to(tasks: Sequence[Task]) -> list[str]:
    """Return the annotators to whom tasks are dealt; none where everybody is to judge all."""
    return list(dict.fromkeys(name for task in tasks for name in task.annotators))


def own_tasks(tasks: Sequence[Task], annotator: str) -> list[Task]:
    """Return the tasks that an annotator is to judge, in order.

    Raises:
        UsageError: there is none; the message names those to whom the tasks are dealt.
    """
    own = [task for task in tasks if not task.annotators or annotator in task.annotators]
    if all(task.kind == "practice" for task in own):
        known = nearest(annotator, dealt_to(tasks)) if dealt_to(tasks) else ""
        raise UsageError(f"no task is for {annotator!r}{known}")
    return own


def random_number(*words: str) -> int:
    """Return a number of 64 bits that follows from some words, and from nothing else."""
    text = "\0".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest())


# A repeat comes this share of a round after what it repeats, at the least and at the most, so that
# either way round about a third of all items lies between the two.
_NEAREST, _FARTHEST = 1 / 3, 2 / 3


def ordered(tasks: Sequence[Task], whose: str) -> list[Task]:
    """Return practice tasks as they stand, then the others in a random order of an annotator's own.

    The place of a task depends on nothing but its name, so that tasks which are added later change
    the order of no others. A repeat never stands near what it repeats.

    Args:
        tasks: those that the annotator is to judge.
        whose: the name of the annotator, or of another order.
    """
    known = {task.item for task in tasks}

    def share(item: str) -> float:
        return random_number(whose, item) / 2**64

    def place(task: Task) -> tuple[float, str]:
        if task.repeat_of not in known:
            return share(task.item), task.item
        gap = _NEAREST + (_FARTHEST - _NEAREST) * share(task.item)
        return (share(task.repeat_of or "") + gap) % 1, task.item

    practice = [task for task in tasks if task.kind == "practice"]
    return [*practice, *sorted((task for task in tasks if task.kind != "practice"), key=place)]
