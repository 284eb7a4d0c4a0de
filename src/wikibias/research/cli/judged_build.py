"""Labels by annotators for `wikibias build --labels FILE`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wikibias.errors import counted, quoted
from wikibias.kits.terminal import echo
from wikibias.research.annotation.population import NAME, build_judged
from wikibias.research.annotation.tasks import read_tasks
from wikibias.research.annotation.votes import Votes, read_judged, voters, votes, votes_by_sentence


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

    def build(self, folder: Path, *, quiet: bool, replaces: bool) -> None:
        """Write the corpus, and say what came of the answers, and unless `quiet` what is next."""
        made = build_judged(folder, self.votes, self.source, self.controls, replaces=replaces)
        echo(
            f"Judged by {self.source}: {made.biased:,} biased, {made.neutral:,} neutral; "
            f"{made.changed:,} with another label than in the corpus."
        )
        one = {"ties": "tie", "controls": "control"}
        reasons = made.left_out.items()
        told = [f"{n:,} {one.get(what, what) if n == 1 else what}" for what, n in reasons if n]
        if told:
            echo(f"Left out: {', '.join(told)}.")
        echo(f"Result: {folder / NAME}")
        if quiet:
            return
        echo(f"Next: {quoted('wikibias', 'classify', '--compare', str(folder / NAME))}")
        if self.options:
            echo(f"Next: {quoted('wikibias', 'report', str(folder), *self.options)}")


def read_labels(labels: Path, tasks: Path | None, columns: str | None) -> Judged:
    """Return the labels of a file of answers.

    Args:
        labels: the file.
        tasks: whose items it names; None where it names sentences.
        columns: those of a wide table that are annotators.

    Raises:
        UsageError: there are no such columns.
        WikibiasError: a file cannot be read.
    """
    answers = read_judged([labels], columns=columns, by_sentence=tasks is None)
    found = votes(answers)
    number = voters([labels], answers)
    who = counted(number or len(answers.annotators), "annotator")
    source = f"{'a vote of up to ' if number else ''}{who}, from {labels.name}"
    if tasks is None:
        return Judged(found, source)
    asked = read_tasks(tasks)
    options = ["--answers", str(labels), "--tasks", str(tasks)]
    return Judged(
        votes_by_sentence(found, asked),
        source,
        {str(task.sentence_id) for task in asked if task.kind == "control"},
        options if columns is None else [*options, "--annotator-columns", columns],
    )
