"""Tasks for annotators, as they are sampled and come back, and what invented annotators say."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from made_edits import corpus
from paths import ROOT
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.exchange import AnswerReader
from wikibias.research.annotation.samples import PAPER_BINS, Design, read_bins, sample
from wikibias.research.annotation.tasks import Guidelines, Task, load_guidelines


def sampled(sentences: int = 30) -> list[Task]:
    """Return the tasks of a sample."""
    design = Design(sentences, read_bins(PAPER_BINS), controls=0.1, repeats=0.1)
    return sample([corpus()], design).tasks


def opinions(tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Return what two annotators say: the first ticks all but controls, the second every other."""
    rows = []
    for place, task in enumerate(tasks):
        first = "neutral" if task.kind == "control" else "biased"
        second = "?" if place % 10 == 9 else "biased" if place % 2 else "neutral"
        rows.append({"item": task.item, "annotator": "ann", "bias": first})
        rows.append({"item": task.item, "annotator": "bob", "bias": second})
    return rows


def written(folder: Path, tasks: Sequence[Task], rows: Sequence[Mapping[str, Any]]) -> list[Path]:
    """Write tasks and answers; return the paths of both."""
    paths = [folder / "tasks.jsonl", folder / "answers.jsonl"]
    write_rows(paths[0], [asdict(task) for task in tasks])
    write_rows(paths[1], rows)
    return paths


EXPORTS = ROOT / "tests" / "fixtures" / "label_studio"
"""What Label Studio 1.23.2 exported of these tasks."""
TASKS = [
    Task("s1", 'The legendary "Mill" was the best in Élan – by far.', title="Mill", tag="POV"),
    Task("s2", "The mill was built in 1820.", previous="A river runs there.", role="removed"),
    Task("s3", "Thankfully 🚲 the so-called mill was sold.", kind="control", probability=0.5),
    Task("s4", "The mill was built in 1820.", kind="repeat", repeat_of="s2"),
    Task("p1", "A mill stands there.", kind="practice"),
]
PAIRS = [
    Task("e1", "A famous mill.", counterpart="A mill.", role="removed"),
    Task("e2", "A bridge.", counterpart="A fine bridge.", role="added"),
    Task("e3", "A road.", role="removed"),
]
BIAS, TYPES, INTENTS = (load_guidelines(name) for name in ("bias", "bias-types", "intents"))


def reader(guidelines: Guidelines = BIAS, **renames: str) -> AnswerReader:
    """Return a reader of answers to the tasks."""
    tasks = PAIRS if guidelines.view == "pair" else TASKS
    return AnswerReader([task for task in tasks if task.kind != "practice"], guidelines, renames)


def task_file(folder: Path) -> Path:
    """Return a file of the tasks."""
    path = folder / "tasks.jsonl"
    write_rows(path, [asdict(task) for task in TASKS])
    return path
