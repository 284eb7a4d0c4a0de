"""Tasks and labelling configuration for Label Studio, tried with its version 1.23.

`labels.xml` is what a project takes under Settings > Labeling Interface, `tasks.json` what it
imports, and `instructions.html` what it shows annotators first. A choice shows its text, and its
value comes back, which is its `alias`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from xml.etree import ElementTree as ET

from wikibias.config.guidelines import NONE_KEY, Guidelines, Question
from wikibias.kits.files import write_text
from wikibias.messages import printable
from wikibias.research.annotation.exchange.choices import NONE, NONE_TEXT, offers_none
from wikibias.research.annotation.exchange.shown import (
    HEADINGS,
    JUDGED,
    Field,
    marked_field,
    shown_tasks,
)
from wikibias.research.annotation.tasks import Task

_COLUMNS = "display: flex; gap: 2em"
_SIDE = "flex: 1 1 50%"


def write_label_studio(folder: Path, tasks: Sequence[Task], guidelines: Guidelines) -> None:
    """Write tasks, labelling configuration and instructions into a folder.

    Raises:
        UsageError: words are to be marked in pairs of both kinds; see `marked_field`.
        DiskError: it cannot be written.
    """
    shown = shown_tasks(tasks, guidelines)
    fields: list[Field] = list(shown[0].texts) if shown else ["text"]
    rows = [{"data": {"item": task.item, **task.texts}} for task in shown]
    marked = marked_field(tasks, guidelines)
    write_text(folder / "tasks.json", json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    write_text(folder / "labels.xml", label_config(guidelines, fields, marked) + "\n")
    write_text(folder / "instructions.html", instructions(guidelines))


def label_config(guidelines: Guidelines, fields: Sequence[Field], marked: Field) -> str:
    """Return the labelling configuration as XML.

    Args:
        guidelines: what is asked.
        fields: what is shown of a task, in this order.
        marked: the field in which words are marked.
    """
    view = ET.Element("View")
    ET.SubElement(view, "Header", value=_plain(guidelines.title), size="3")
    if guidelines.spans:
        labels = ET.SubElement(view, "Labels", name="spans", toName=marked)
        for label in guidelines.spans:
            ET.SubElement(labels, "Label", value=_plain(label), alias=label)
    sides = [name for name in fields if name in JUDGED]
    row = ET.Element("View", style=_COLUMNS)
    for name in fields:
        if len(sides) == 1 or name not in sides:
            _text(view, name)
            continue
        if name == sides[0]:
            view.append(row)
        _text(ET.SubElement(row, "View", style=_SIDE), name)
    for question in guidelines.questions:
        _question(view, question, marked)
    ET.SubElement(view, "Header", value="Comment", size="5")
    box = {"name": "comment", "toName": marked, "rows": "2", "maxSubmissions": "1"}
    ET.SubElement(view, "TextArea", {**box, "editable": "true", "required": "false"})
    ET.indent(view)
    return ET.tostring(view, encoding="unicode")


def _text(view: ET.Element, name: Field) -> None:
    ET.SubElement(view, "Header", value=HEADINGS[name], size="5")
    ET.SubElement(view, "Text", name=name, value=f"${name}", granularity="word")


def _question(view: ET.Element, question: Question, marked: Field) -> None:
    ET.SubElement(view, "Header", value=_plain(question.text), size="4")
    how = {"name": question.name, "toName": marked, "required": "true"}
    how["choice"] = "multiple" if question.several else "single"
    choices = ET.SubElement(view, "Choices", how)
    offered = [(choice.text, choice.value, choice.key) for choice in question.choices]
    if offers_none(question):
        offered.append((NONE_TEXT, NONE, NONE_KEY))
    for text, value, key in offered:
        ET.SubElement(choices, "Choice", value=_plain(text), alias=value, hotkey=key)


def _plain(text: str) -> str:
    """Return a text that XML can hold, and is not taken for a field, as one that begins with $."""
    shown = printable(text)
    return f" {shown}" if shown.startswith("$") else shown


def instructions(guidelines: Guidelines) -> str:
    """Return what annotators are told, as HTML."""
    about = "".join(f"<p>{escape(part)}</p>\n" for part in guidelines.about.strip().split("\n\n"))
    rules = "".join(f"<li>{escape(rule)}</li>\n" for rule in guidelines.rules)
    return about + (f"<ul>\n{rules}</ul>\n" if rules else "")
