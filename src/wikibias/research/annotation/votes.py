"""Majority votes on sentences, and judgements as biased or neutral."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.records import Label
from wikibias.research.annotation.answers import (
    KNOWN,
    UNPARSED,
    Answers,
    annotator_column,
    cell_label,
    is_biased,
    table_answers,
)
from wikibias.research.annotation.tables import read_table
from wikibias.research.annotation.tasks import Task

Values = Sequence[Sequence[str | None]]
DROP, TO_BIASED, TO_NEUTRAL = "drop", "biased", "neutral"


@dataclass(frozen=True, slots=True)
class Vote:
    """What a vote said of one sentence.

    Attributes:
        leading: the labels with the most votes; two or more are a tie. Where nobody voted these are
            all labels, with no vote each.
        share: their share of the votes, each; None where nobody voted.
        votes: how many voted.
    """

    leading: tuple[str, ...]
    share: float | None
    votes: int


def majority(values: Values) -> list[Vote]:
    """Return the vote of each sentence (first index) by its annotators (second)."""
    nobody = Vote(tuple(given(values)), None, 0)
    found = []
    for row in values:
        counts = Counter(label for label in row if label is not None)
        if not counts:
            found.append(nobody)
            continue
        most = max(counts.values())
        leading = tuple(sorted(label for label, votes in counts.items() if votes == most))
        found.append(Vote(leading, most / counts.total(), counts.total()))
    return found


def given(values: Values) -> list[str]:
    """Return the labels that were given, in order."""
    return sorted({label for row in values for label in row if label is not None})


def decided(vote: Vote, rule: str, labels: Mapping[str, bool]) -> str | None:
    """Return the label of a vote; None where its sentence is to be dropped.

    Args:
        vote: the vote.
        rule: what becomes of a tie: "drop"; "?"; "biased" or "neutral" for the label of this
            meaning; or a label. A tie in which that label does not take part stays "?".
        labels: what labels mean.
    """
    if len(vote.leading) == 1 and vote.votes:
        return vote.leading[0]
    if rule == DROP:
        return None
    if rule in vote.leading:
        return rule
    if rule in (TO_BIASED, TO_NEUTRAL):
        meant = [one for one in vote.leading if is_biased(one, labels) == (rule == TO_BIASED)]
        if len(meant) == 1:
            return meant[0]
    return UNPARSED


def check_rule(rule: str, values: Values, labels: Mapping[str, bool]) -> None:
    """Make sure that a rule for ties can be followed.

    Raises:
        UsageError: it names a label that nobody gave, or a meaning that no label has.
    """
    known = given(values)
    if rule in (DROP, UNPARSED) or rule in known or not known:
        return
    if rule in (TO_BIASED, TO_NEUTRAL):
        if any(is_biased(label, labels) == (rule == TO_BIASED) for label in known):
            return
        raise UsageError(
            f"--ties {rule}: none of the labels {', '.join(known)[:200]} is known to mean {rule}; "
            "say it with --labels, or name a label"
        )
    raise UsageError(f"--ties: nobody gave the label {rule!r}{nearest(rule, known)}")


def nothing_in_common(answers: Answers) -> str | None:
    """Return in words which two annotators share no label, if any: they may write them otherwise.

    One that always says biased and one that always says neutral are no such two.
    """
    said = {name: {*filter(None, answers.of(name))} for name in answers.annotators}
    for one, two in combinations([name for name in said if said[name]], 2):
        if not said[one] & said[two] and len(said[one] | said[two]) > 2:
            shown = (f"{name} ({', '.join(sorted(said[name])[:3])[:60]})" for name in (one, two))
            return f"{' and '.join(shown)} share no label"
    return None


def unanimous(values: Values) -> tuple[int, int]:
    """Return how many sentences have two votes or more, and of how many of these all agree."""
    said = [{label for label in row if label is not None} for row in values]
    several = [sum(label is not None for label in row) > 1 for row in values]
    alike = sum(len(labels) == 1 for labels, two in zip(said, several, strict=True) if two)
    return sum(several), alike


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


def votes_by_sentence(found: Mapping[str, Votes], tasks: Sequence[Task]) -> dict[str, Votes]:
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


def _meaning(said: str, item: str) -> str:
    biased = is_biased(said, KNOWN)
    if biased is None:
        raise WikibiasError(
            f"{item[:40]!r} is judged {said[:40]!r}, which is neither biased nor neutral; known: "
            f"{', '.join(KNOWN)}"
        )
    return "biased" if biased else "neutral"
