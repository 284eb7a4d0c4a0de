"""Exchange with Label Studio and plain tables: tasks go out, answers come back.

Label Studio was tried in its version 1.23. A project takes `labels.xml` under Settings > Labeling
Interface, imports `tasks.json`, and shows annotators `instructions.html` first. Its export as JSON
is read back. A plain table is UTF-8 CSV, TSV or JSON Lines with the columns `item`, `annotator`,
`comment`, `spans` and one for each question.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree as ET

from wikibias.corpus.export.folder import export_folder
from wikibias.errors import UsageError, WikibiasError, counted, nearest, printable
from wikibias.kits.files import from_json, to_json, write_text
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answers import UNPARSED, cell_label
from wikibias.research.annotation.tasks import NONE_KEY, Guidelines, Question, Task, read_table

if TYPE_CHECKING:
    import pandas as pd

Form = Literal["label-studio", "csv", "jsonl"]
Row = dict[str, Any]
Field = Literal["previous", "text", "next", "before_edit", "after_edit", "section"]
JUDGED: tuple[Field, ...] = ("text", "before_edit", "after_edit")
"""The sentences that are judged; the others tell where they stand."""
HEADINGS: Mapping[Field, str] = {
    "section": "Section",
    "previous": "The sentence before it",
    "text": "The sentence to judge",
    "before_edit": "Before the edit",
    "after_edit": "After the edit",
    "next": "The sentence behind it",
}
NONE, NONE_TEXT = "none", "None of these"
"""Says of a question with several choices that none holds."""
_PAGE = {"text": "Sentence", "before_edit": "before", "after_edit": "after", "comment": "Comment"}
_ENDINGS = {"csv": (".csv", ".tsv"), "jsonl": (".jsonl", ".ndjson")}
_LONGEST = 60  # characters of a value in a message
_MARKS = str.maketrans(
    dict.fromkeys("“”„‟«»″❝❞", '"') | dict.fromkeys("‘’‚‛‹›′`´", "'") | dict.fromkeys("–—―−‐‑", "-")
)


def task_rows(tasks: Sequence[Task], guidelines: Guidelines) -> list[dict[str, Any]]:
    """Return tasks as annotators see them: `item`, and the texts, the same fields for all.

    Those to practise with are left out. Who made the edit, when, why, and which sentences are
    controls or repeats would tip them off.
    """
    every = [(task.item, task_texts(task, guidelines)) for task in tasks if task.kind != "practice"]
    used = [name for name in HEADINGS if name in JUDGED or any(texts[name] for _, texts in every)]
    return [
        {"item": item, **{name: texts[name] for name in used if name in texts}}
        for item, texts in every
    ]


def task_texts(task: Task, guidelines: Guidelines) -> dict[Field, str]:
    """Return all that may be shown of a task, by field; "" for what it lacks."""
    judged: dict[Field, str] = {"text": task.text}
    if guidelines.view == "pair":
        before, after = task.sides
        judged = {"before_edit": before, "after_edit": after}
    around: dict[Field, str] = {
        "section": task.section or "",
        "previous": task.previous or "",
        "next": task.next or "",
    }
    return judged | around


def offered(question: Question) -> list[tuple[str, str, str]]:
    """Return value, text and key of each choice; other programs need one for none of several."""
    choices = [(choice.value, choice.text, choice.key) for choice in question.choices]
    return [*choices, *([(NONE, NONE_TEXT, NONE_KEY)] if offers_none(question) else [])]


def offers_none(question: Question) -> bool:
    """Return whether a choice of its own says that none holds."""
    return question.several and NONE not in question.values


def export_tasks(
    tasks: Sequence[Task],
    guidelines: Guidelines,
    form: Form,
    out: Path,
    *,
    overwrite: bool,
    annotator: str | None = None,
) -> None:
    """Write tasks as another program reads them: a folder for Label Studio, else one file.

    Args:
        tasks: those to write.
        guidelines: what is asked.
        form: of what is written.
        out: where it is written.
        overwrite: replace what is there.
        annotator: for whom it is, where it is for one; tables name him in each row.

    Raises:
        UsageError: the name does not fit the form, or something of this name is there that may
            hold answers.
        DiskError: it cannot be written.
    """
    if form == "label-studio":
        with export_folder(out, {"format": form}, overwrite=overwrite) as folder:
            _write_label_studio(folder, tasks, guidelines)
        return
    if out.suffix.lower() not in _ENDINGS[form]:
        raise UsageError(f"{out}: the name must end in {' or '.join(_ENDINGS[form])}")
    if out.exists() and not overwrite:
        raise UsageError(
            f"{out} is there already, and may hold answers; give --out another name, or "
            "--overwrite to replace it"
        )
    blank: dict[str, Any] = dict.fromkeys(question.name for question in guidelines.questions)
    if guidelines.spans and form == "jsonl":
        blank["spans"] = None
    rows = [
        {**row, "annotator": annotator, **blank, "comment": None}
        for row in task_rows(tasks, guidelines)
    ]
    heads = headings(guidelines) if form == "csv" else {}
    rows = [{heads.get(name, name): cell for name, cell in row.items()} for row in rows]
    write_rows(out, rows, mark=form == "csv")


def headings(guidelines: Guidelines) -> dict[str, str]:
    """Return what heads the columns of a sheet that is not English, by their names elsewhere."""
    page = {} if guidelines.language == "en" else guidelines.page
    found = {name: page[said] for name, said in _PAGE.items() if said in page}
    found |= {each.name: each.text for each in guidelines.questions if page}
    return found if len({*found.values()}) == len(found) else {}


def marked_field(tasks: Sequence[Task], guidelines: Guidelines) -> Field:
    """Return the field in which words are marked: it is the text of every task.

    Raises:
        UsageError: words are to be marked in pairs of which some begin and some end with the text.
    """
    if guidelines.view == "sentence":
        return "text"
    added = {task.role == "added" for task in tasks if task.kind != "practice"}
    if len(added) > 1 and guidelines.spans:
        raise UsageError(
            "words are marked in the sentence before the edit of some tasks, and after it of "
            "others; give removed and added sentences in two files"
        )
    return "after_edit" if added == {True} else "before_edit"


def _write_label_studio(folder: Path, tasks: Sequence[Task], guidelines: Guidelines) -> None:
    rows = [{"data": row} for row in task_rows(tasks, guidelines)]
    fields: list[Field] = [name for name in HEADINGS if not rows or name in rows[0]["data"]]
    config = label_config(guidelines, fields, marked_field(tasks, guidelines))
    about = "".join(f"<p>{escape(part)}</p>\n" for part in guidelines.about.strip().split("\n\n"))
    rules = "".join(f"<li>{escape(rule)}</li>\n" for rule in guidelines.rules)
    write_text(folder / "tasks.json", to_json(rows, indent=1) + "\n")
    write_text(folder / "labels.xml", config + "\n")
    write_text(folder / "instructions.html", about + (f"<ul>\n{rules}</ul>\n" if rules else ""))


def label_config(guidelines: Guidelines, fields: Sequence[Field], marked: Field) -> str:
    """Return the labelling configuration of Label Studio as XML.

    A choice shows its text, and its value comes back, which is its `alias`.

    Args:
        guidelines: what is asked.
        fields: what is shown of a task, in this order.
        marked: the field in which words are marked.
    """
    view = ET.Element("View")
    ET.SubElement(view, "Header", value=_xml_text(guidelines.title), size="3")
    if guidelines.spans:
        labels = ET.SubElement(view, "Labels", name="spans", toName=marked)
        for label in guidelines.spans:
            ET.SubElement(labels, "Label", value=_xml_text(label), alias=label)
    judged = [name for name in fields if name in JUDGED]
    row = ET.Element("View", style="display: flex; gap: 2em")
    for name in fields:
        place = view
        if len(judged) > 1 and name in judged:
            if name == judged[0]:
                view.append(row)
            place = ET.SubElement(row, "View", style="flex: 1 1 50%")
        ET.SubElement(place, "Header", value=HEADINGS[name], size="5")
        ET.SubElement(place, "Text", name=name, value=f"${name}", granularity="word")
    for question in guidelines.questions:
        ET.SubElement(view, "Header", value=_xml_text(question.text), size="4")
        how = {"name": question.name, "toName": marked, "required": "true"}
        how["choice"] = "multiple" if question.several else "single"
        choices = ET.SubElement(view, "Choices", how)
        for value, text, key in offered(question):
            ET.SubElement(choices, "Choice", value=_xml_text(text), alias=value, hotkey=key)
    ET.SubElement(view, "Header", value="Comment", size="5")
    box = {"name": "comment", "toName": marked, "rows": "2", "maxSubmissions": "1"}
    ET.SubElement(view, "TextArea", {**box, "editable": "true", "required": "false"})
    ET.indent(view)
    return ET.tostring(view, encoding="unicode")


def _xml_text(text: str) -> str:
    """Return a text that XML can hold, and is not taken for a field, as one that begins with $."""
    plain = printable(text)
    return f" {plain}" if plain.startswith("$") else plain


@dataclass(slots=True)
class AnswerReader:
    """Makes rows of a table of answers, as the labelling page has them, of what files say.

    Attributes:
        tasks: all of them.
        guidelines: what was asked.
        renames: what a column of a plain table, by its name, stands for.
        columns: the names of all columns of plain tables that were read.
    """

    tasks: Sequence[Task]
    guidelines: Guidelines
    renames: Mapping[str, str] = field(default_factory=dict)
    columns: dict[str, None] = field(default_factory=dict)
    _rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    _taken: int = 0
    _warnings: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    _known: dict[str, tuple[Task, dict[str, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for task in self.tasks:
            known = task, _comparable(task_texts(task, self.guidelines))
            # `1.0` is called `1` by some programs, unless another task is.
            self._known.setdefault(cell_label(task.item) or "", known)
            self._known[task.item] = known

    @property
    def warnings(self) -> list[str]:
        """A line for each kind of oddity, with the place where it is first seen."""
        return [
            f"{counted(count, noun)} {what}; the first: {first}"
            for (noun, what), (count, first) in self._warnings.items()
        ]

    def note(self, noun: str, what: str, place: str, value: object = None) -> None:
        """Count something odd: its noun, what is odd about it, where it is, what stands there."""
        count, first = self._warnings.get((noun, what), (0, ""))
        if not count:
            first = place if value is None else f"{place} {_quoted(value)}"
        self._warnings[noun, what] = (count + 1, first)

    def rows(self) -> list[Row]:
        """Return the last answer of each annotator to each item, in the order of the tasks."""
        places = {task.item: place for place, task in enumerate(self.tasks)}
        return [
            self._rows[key] for key in sorted(self._rows, key=lambda of: (places[of[0]], of[1]))
        ]

    def says_something(self, row: Row) -> bool:
        """Return whether a row answers a question or marks words; a comment is no answer."""
        answered = (row[each.name] is not None for each in self.guidelines.questions)
        return bool(row.get("spans")) or any(answered)

    def read(self, path: Path) -> None:
        """Take the answers of a file that comes back: of Label Studio, or a plain table.

        Raises:
            WikibiasError: it cannot be read, or has no column for an item or a question.
        """
        table, before = read_table(path), self._taken
        if {"data", "annotations"} <= {*table.columns}:
            self._read_studio(table)
        elif "data" in table.columns:
            raise WikibiasError(
                f"{path}: tasks as Label Studio takes them, without annotations; export the "
                "project there as JSON, and give that file"
            )
        else:
            self._read_table(table, path.stem)
        if self._taken == before:
            self.note("file", "without an answer that could be taken", path.name)

    def take(
        self, item: Any, texts: Mapping[str, Any], annotator: str, cells: Mapping[str, Any], at: str
    ) -> None:
        """Take an answer; one that belongs to no task, or says nothing, is left out.

        Args:
            item: what names the task.
            texts: the texts that stand beside, by field, to check.
            annotator: who answered.
            cells: what was answered, by question; `spans` and `comment`.
            at: where it stands.
        """
        said = cell_label(item)
        known = self._known.get(str(item).strip()) or self._known.get(said or "")
        if known is None:
            self.note("row", "of an item that no task has; left out", at, said)
            return
        task, expected = known
        given = _comparable(texts)
        if any(text != expected.get(name, text) for name, text in given.items()):
            self.note("row", "with another text than its task; left out", at, said)
            return
        said_of_it = cells.get("comment")
        parts = said_of_it if isinstance(said_of_it, list) else [said_of_it]
        comment = "\n".join(str(part).strip() for part in parts if part is not None).strip()
        values = {
            each.name: self._value(each, cells.get(each.name), at)
            for each in self.guidelines.questions
        }
        row: Row = {"item": task.item, "annotator": annotator, **values}
        marks = self._marks(cells.get("spans"), task.text, at)
        row |= {"spans": marks} if self.guidelines.spans else {}
        row["comment"] = comment
        if not (self.says_something(row) or row["comment"]):
            return
        if before := self._rows.get((task.item, row["annotator"])):
            same = values.items() <= before.items()
            how = "in the same way" if same else "differently; the last answer is taken"
            self.note("item", f"answered twice by one annotator, {how}", at, task.item)
        self._rows[task.item, row["annotator"]] = row
        self._taken += 1

    def _value(self, question: Question, cell: Any, place: str) -> Any:
        """Return what a cell means: "?" where nothing can be read of it, None where it is blank."""
        if isinstance(cell, str) and cell.lstrip().startswith("["):
            with suppress(ValueError, RecursionError):
                cell = from_json(cell)
        said = cell if isinstance(cell, list) else cell_label(cell)
        if said is None:
            return None
        choices = offered(question)
        # Of "Biaisée : elle enfreint ..." people type the first word.
        heads = [_folded(text.partition(":")[0]) for _, text, _ in choices]
        known = {h: c[0] for h, c in zip(heads, choices, strict=True) if heads.count(h) == 1}
        known |= {_folded(text): value for value, text, _ in choices}
        known |= {_folded(value): value for value, _, _ in choices}
        parts = said if isinstance(said, list) else [said]
        if question.several and isinstance(said, str) and _folded(said) not in known:
            parts = [part for part in said.split(";") if part.strip()]
        found = [known.get(_folded(cell_label(part) or "")) for part in parts]
        # "None" beside a choice contradicts it.
        is_none = not found or (NONE in found and offers_none(question))
        fits = len(found) == 1 or (question.several and not (found and is_none))
        if None in found or not fits:
            values = ", ".join(value for value, _, _ in choices)
            what = f"to {question.name!r} cannot be read as {values}; written as {UNPARSED}"
            self.note("answer", what, place, cell)
            return UNPARSED
        if question.several:
            return [] if is_none else [value for value in question.values if value in found]
        return found[0]

    def _marks(self, spans: Any, text: str, place: str) -> list[dict[str, Any]]:
        """Return the spans of an answer; what does not fit the text is left out, and noted."""
        marks: list[dict[str, Any]] = []
        for span in spans if isinstance(spans, list) else ():
            ends = _span_ends(span, text) if isinstance(span, Mapping) else None
            if ends is None:
                self.note("span", "that cannot stand where it is said to; left out", place, span)
                continue
            given = span.get("labels", span.get("label"))
            for label in given if isinstance(given, list) else [given]:
                mark = {"start": ends[0], "end": ends[1], "label": label}
                if label not in self.guidelines.spans:
                    self.note("span", "with an unknown label; left out", place, label)
                elif mark not in marks:
                    marks.append(mark)
        return marks

    def _read_studio(self, table: pd.DataFrame) -> None:
        """Take the answers of Label Studio's JSON, of each task in the order they were given."""
        tasks = zip(table.index, table["data"], table["annotations"], strict=True)
        for number, data, given in tasks:
            place = f"{table.attrs['path']}: task {number}"
            if not (isinstance(data, Mapping) and isinstance(given, list)):
                self.note("part", "without annotations; left out", place)
                continue
            for annotation in sorted((a for a in given if isinstance(a, Mapping)), key=_when):
                result = annotation.get("result")
                if annotation.get("was_cancelled"):
                    self.note("annotation", "skipped by its annotator; left out", place)
                elif not result:
                    self.note("annotation", "without any answer; left out", place)
                else:
                    cells = _result_cells(result)
                    who = _account(annotation.get("completed_by"))
                    self.take(data.get("item"), data, who, cells, place)

    def _read_table(self, table: pd.DataFrame, file: str) -> None:
        """Take the answers of a plain table, row by row; a blank row says nothing."""
        table = self._renamed(table)
        questions = [question.name for question in self.guidelines.questions]
        lacking = [] if "item" in table.columns else ["item"]
        lacking += [] if {*table.columns} & {*questions} else [" or ".join(questions)]
        path = table.attrs["path"]
        if lacking:
            raise WikibiasError(
                f"{path}: no column for {' and '.join(lacking)}; it has "
                f"{', '.join(map(_quoted, list(table.columns)[:20]))}: say with --rename "
                f"OLD={lacking[0].partition(' ')[0]} which it is, or give its --guidelines"
            )
        for name in questions:
            if name not in table.columns:
                self.note("file", f"without a column for the question {name}", path)
        for line, each in zip(table.index, table.to_dict("records"), strict=True):
            row = {str(name): cell for name, cell in each.items()}
            answered = (row.get(name) for name in (*questions, "spans", "comment"))
            if all(cell_label(cell) is None for cell in answered):
                continue
            cells = row | {"spans": _plain(row.get("spans"))}
            who = cell_label(row.get("annotator")) or file
            self.take(row["item"], row, who, cells, f"{path}:{line}")

    def _renamed(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a plain table with its columns called as in the tasks."""
        questions = (question.name for question in self.guidelines.questions)
        known = ["item", *JUDGED, "annotator", *questions, "spans", "comment"]
        for old, new in self.renames.items():
            if new not in known:
                raise UsageError(f"--rename {old}={new}: {new!r} is no column{nearest(new, known)}")
        self.columns |= dict.fromkeys(map(str, table.columns))
        ours = {*table.columns, *self.renames.values()}
        heads = {head: name for name, head in headings(self.guidelines).items() if name not in ours}
        renames = {old: new for old, new in (heads | {**self.renames}).items() if old in table}
        kept = table.drop(columns=[new for new in renames.values() if new in table.columns])
        return kept.rename(columns=renames)

    def check_renames(self) -> None:
        """Check that each column to rename is in one of the tables that were read, if any were.

        Raises:
            UsageError: one is in none of them; the message names the nearest.
        """
        for old, new in self.renames.items() if self.columns else ():
            if old not in self.columns:
                raise UsageError(
                    f"--rename {old}={new}: no table has a column {old!r}"
                    f"{nearest(old, self.columns)}"
                )


def _comparable(texts: Mapping[Any, Any]) -> dict[str, str]:
    """Return the judged texts without what spreadsheets change in them: marks, dashes, spaces."""
    found = {name: str(texts[name]) for name in JUDGED if texts.get(name)}
    return {
        name: " ".join(unicodedata.normalize("NFKC", text.translate(_MARKS)).split())
        for name, text in found.items()
    }


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _quoted(value: object) -> str:
    """Return a value of others within a message: quoted, on one line, cut where it is long."""
    text = printable(" ".join(str(value).split()))
    return f"'{text[:_LONGEST]}{'...' if len(text) > _LONGEST else ''}'"


def _span_ends(span: Mapping[str, Any], text: str) -> tuple[int, int] | None:
    """Return start and end of a span, where its words, if any are given, stand there."""
    start, end, words = span.get("start"), span.get("end"), span.get("text")
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        return None
    fits = text[start:end] == words if isinstance(words, str) else end <= len(text)
    return (start, end) if fits else None


def _when(annotation: Mapping[str, Any]) -> tuple[str, int]:
    """Return when an annotation was last changed, and its number."""
    number = str(annotation.get("annotation_id", annotation.get("id", 0)))
    changed = annotation.get("updated_at") or annotation.get("created_at") or ""
    return str(changed), int(number) if number.isdecimal() else 0


def _account(said: Any) -> str:
    """Return the number of an account; never the address, which some forms have as well."""
    if isinstance(said, Mapping):
        said = said.get("id")
    return "unknown" if said in (None, "") else str(said)


def _result_cells(result: Any) -> dict[str, Any]:
    """Return what an annotation says, by the name of the control that it was said with."""
    cells: dict[str, Any] = {}
    for part in result if isinstance(result, list) else ():
        if not isinstance(part, Mapping) or not isinstance(part.get("value"), Mapping):
            continue
        name, value = str(part.get("from_name")), part["value"]
        if part.get("type") == "labels":
            cells.setdefault(name, []).append(value)
        else:
            cells[name] = _plain(value)
    return cells


def _plain(value: Any) -> Any:
    """Return a cell as a text or a list; JSON in the cells of CSV, and objects, are opened."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            value = from_json(value)
    if isinstance(value, Mapping):
        value = value.get("choices", value.get("text"))
    return value
