"""A sample of the English corpus, and what invented annotators say of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sample_corpora import corpus
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.samples import PAPER_BINS, Design, read_bins, sample
from wikibias.research.annotation.tasks import Task


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
