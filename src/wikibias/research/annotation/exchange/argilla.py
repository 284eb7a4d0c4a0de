"""Tasks and settings for Argilla, as its `Dataset.from_disk` reads them; tried with argilla 2.8.

`.argilla/settings.json` holds fields, questions and guidelines, `.argilla/dataset.json` the name,
`records.json` the tasks. The id of a record is the item, and its metadata hold nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wikibias.config.guidelines import Guidelines, Question
from wikibias.kits import markdown
from wikibias.kits.files import write_json, write_text
from wikibias.research.annotation.exchange.choices import NONE, NONE_TEXT, offers_none
from wikibias.research.annotation.exchange.shown import HEADINGS, Field, marked_field, shown_tasks
from wikibias.research.annotation.tasks import Task

_LEAST_VISIBLE = 3  # Argilla takes no smaller number of choices to show at once


def write_argilla(folder: Path, tasks: Sequence[Task], guidelines: Guidelines) -> None:
    """Write settings and records into a folder.

    Raises:
        UsageError: words are to be marked in pairs of both kinds; see `marked_field`.
        DiskError: it cannot be written.
    """
    shown = shown_tasks(tasks, guidelines)
    fields: list[Field] = list(shown[0].texts) if shown else ["text"]
    made = settings(guidelines, fields, marked_field(tasks, guidelines))
    records = [
        {
            "id": task.item,
            # A field of no text must be left out.
            "fields": {name: text for name, text in task.texts.items() if text},
            "metadata": {},
            "suggestions": {},
            "responses": {},
            "vectors": {},
        }
        for task in shown
    ]
    dataset = {"name": f"wikibias-{guidelines.name}", "guidelines": made["guidelines"]}
    (folder / ".argilla").mkdir()
    write_json(folder / ".argilla" / "settings.json", made)
    write_json(folder / ".argilla" / "dataset.json", dataset)
    write_text(folder / "records.json", json.dumps(records, ensure_ascii=False, indent=1) + "\n")


def settings(guidelines: Guidelines, fields: Sequence[Field], marked: Field) -> dict[str, Any]:
    """Return the settings of a dataset: what is shown, and what is asked.

    Args:
        guidelines: what is asked.
        fields: what is shown of a task, in this order.
        marked: the field in which words are marked.
    """
    questions = [_question(question) for question in guidelines.questions]
    if guidelines.spans:
        options = _options([(label, label) for label in guidelines.spans])
        how = {"type": "span", "field": marked, "allow_overlapping": True, **options}
        questions.append(_named("spans", "Mark the words", how, required=False))
    text = {"type": "text", "use_markdown": False}
    questions.append(_named("comment", "Comment", text, required=False))
    return {
        "guidelines": instructions(guidelines),
        "fields": [  # the other side of a pair may be empty
            _named(name, HEADINGS[name], text, required=name == marked) for name in fields
        ],
        "questions": questions,
        "vectors": [],
        "metadata": [],
        "allow_extra_metadata": False,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "mapping": None,
    }


def _named(name: str, title: str, how: dict[str, Any], *, required: bool) -> dict[str, Any]:
    return {"name": name, "title": title, "required": required, "settings": how}


def _question(question: Question) -> dict[str, Any]:
    offered = [(choice.value, choice.text) for choice in question.choices]
    if offers_none(question):
        offered.append((NONE, NONE_TEXT))
    kind = "multi_label_selection" if question.several else "label_selection"
    how = {"type": kind, **_options(offered)}
    if question.several:
        how["options_order"] = "natural"
    return _named(question.name, question.text, how, required=True)


def _options(offered: Sequence[tuple[str, str]]) -> dict[str, Any]:
    visible = len(offered) if len(offered) >= _LEAST_VISIBLE else None
    options = [{"value": value, "text": text, "description": None} for value, text in offered]
    return {"options": options, "visible_options": visible}


def instructions(guidelines: Guidelines) -> str:
    """Return what annotators are told, as Markdown."""
    rules = "\n".join(f"- {markdown.text(rule)}" for rule in guidelines.rules)
    about = [markdown.text(part) for part in guidelines.about.strip().split("\n\n")]
    return "\n\n".join([*about, *([rules] if rules else [])]) + "\n"
