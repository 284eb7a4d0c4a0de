"""`wikibias build --labels FILE`: a corpus whose labels come from annotators."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from wikibias.config.choices import LabelsBy
from wikibias.errors import UsageError
from wikibias.kits.command import stack, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted, nearest

if TYPE_CHECKING:
    from wikibias.research.annotation.votes import Votes

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class LabelsOrFile(click.ParamType[Any]):
    """What the labels of a corpus are by name, or a file of answers."""

    name = "labels"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what --help says."""
        return f"[{'|'.join(get_args(LabelsBy))}|FILE]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a name, or the path of a file that is there."""
        if isinstance(value, Path) or value in get_args(LabelsBy):
            return value
        known = get_args(LabelsBy)
        if not Path(value).is_file():
            self.fail(f"there is no file {value!r}, nor labels of that name{nearest(value, known)}")
        return Path(value)


def judged_options(labels: Callable[[F], F]) -> Callable[[F], F]:
    """Return the option --labels with those that go with a file of answers."""
    return stack(
        labels,
        click.option(
            "--tasks",
            type=_FILE,
            help="With --labels FILE: the task file whose items its answers name.  [default: they "
            "name sentences, in a column sentence_id]",
        ),
        click.option(
            "--columns",
            metavar="A,B,C",
            help="With --labels FILE: the columns of a wide table that are annotators; names, or "
            "patterns such as '*@2-shot'.",
        ),
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """Labels by annotators.

    Attributes:
        votes: on each sentence.
        source: says in words where they are from.
        controls: sentences among them that the sample took from elsewhere.
        options: those that shows the same answers in `report`; none where it cannot.
    """

    votes: Mapping[str, Votes]
    source: str
    controls: Collection[str] = ()
    options: Sequence[str] = ()

    def build(self, folder: Path, *, quiet: bool) -> None:
        """Write the corpus, and say what came of the answers, and unless `quiet` what is next."""
        from wikibias.research.annotation.judged_corpus import NAME, build_judged

        made = build_judged(folder, self.votes, self.source, self.controls)
        echo(
            f"Judged by {self.source}: {made.biased:,} biased, {made.neutral:,} neutral; "
            f"{made.changed:,} with another label than in the corpus."
        )
        left_out = {
            "ties": made.ties,
            "without an answer that can be read": made.unread,
            "controls": made.controls,
            "not in the corpus": made.elsewhere,
        }
        if any(left_out.values()):
            said = ", ".join(f"{number:,} {what}" for what, number in left_out.items() if number)
            echo(f"Left out: {said}.")
        if made.replaced:
            echo(f"{folder / NAME} had other sentences or labels, which these replace.")
        if made.stale:
            warn(
                f"{folder / NAME / 'models'} has models that learnt from the labels before: "
                f"{', '.join(made.stale)}; train them again with classify"
            )
        echo(f"Result: {folder / NAME}")
        if quiet:
            return
        echo(f"Next: {shlex.join(['wikibias', 'classify', '--compare', str(folder / NAME)])}")
        if self.options:
            echo(f"Next: {shlex.join(['wikibias', 'report', str(folder), *self.options])}")


def read_labels(labels: Any, tasks: Path | None, columns: str | None) -> Judged | None:
    """Return the labels of a file of answers; None where --labels gives a name, or nothing.

    Raises:
        UsageError: an option goes with a file of answers and there is none.
        WikibiasError: a file cannot be read.
    """
    if not isinstance(labels, Path):
        if tasks is not None or columns is not None:
            raise UsageError("--tasks and --columns go with --labels FILE, a file of answers")
        return None
    from wikibias.research.annotation.tasks import read_tasks
    from wikibias.research.annotation.votes import of_sentences, read_judged, voters, votes

    answers = read_judged([labels], columns=columns, by_sentence=tasks is None)
    found = votes(answers)
    number = voters([labels], answers)
    who = counted(number or len(answers.annotators), "annotator")
    source = f"{'a vote of up to ' if number else ''}{who}, from {labels.name}"
    if tasks is None:
        return Judged(found, source)
    asked = read_tasks(tasks)
    options = ["--labels", str(labels), "--tasks", str(tasks)]
    return Judged(
        of_sentences(found, asked),
        source,
        {str(task.sentence_id) for task in asked if task.kind == "control"},
        options if columns is None else [*options, "--columns", columns],
    )
