"""Majority votes on sentences, and judgements as biased or neutral."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.records import Label
from wikibias.research.annotation import answers
from wikibias.research.annotation.answers import BIASED, KNOWN, NEUTRAL, UNPARSED, Answers
from wikibias.research.annotation.tasks import Task, read_table

DROP = "drop"
_MEANINGS = {"biased": True, "neutral": False}


@dataclass(frozen=True, slots=True)
class Vote:
    """What a vote said of one sentence.

    Attributes:
        label: that with the most votes, or what a tie becomes; None where it is to be dropped.
        share: of the votes that the leading labels have, each; None where nobody voted.
        votes: how many voted.
        tie: two labels lead, or nobody voted.
    """

    label: str | None
    share: float | None
    votes: int
    tie: bool = False


def majority(given: Answers, ties: str = UNPARSED) -> list[Vote]:
    """Return the vote on each sentence.

    Args:
        given: of the voters.
        ties: what becomes of a tie: "drop"; "?"; or a label, where it takes part in the tie.
    """

    @cache  # many sentences, few ways to vote
    def vote(*counts: float) -> Vote:
        votes = int(sum(counts))
        most = max(counts, default=0.0)
        leading = [label for label, n in zip(given.labels, counts, strict=True) if n == most]
        share = most / votes if votes else None
        if votes and len(leading) == 1:
            return Vote(leading[0], share, votes)
        label = None if ties == DROP else ties if ties in leading else UNPARSED
        return Vote(label, share, votes, tie=True)

    return [vote(*counts) for counts in given.counts.tolist()]


def tie_rule(rule: str, labels: Sequence[str]) -> str:
    """Return what a tie becomes: "drop", "?" or a label, that of a meaning among them.

    Raises:
        UsageError: nobody gave the label, or one of this meaning.
    """
    if rule in (DROP, UNPARSED, *labels) or not labels:
        return rule
    for label in labels:
        if rule in _MEANINGS and answers.is_biased(label, KNOWN) == _MEANINGS[rule]:
            return label
    raise UsageError(f"--ties: nobody gave the label {rule!r}{nearest(rule, labels)}")


def nothing_in_common(given: Answers) -> str | None:
    """Return in words which two annotators share no label, if any: they may write them otherwise.

    One that always says biased and one that always says neutral are no such two.
    """
    said = {
        name: {given.labels[code] for code in np.unique(codes[codes >= 0])}
        for name, codes in zip(given.annotators, given.codes.T, strict=True)
    }
    for one, two in combinations(filter(said.get, said), 2):
        if not said[one] & said[two] and len(said[one] | said[two]) > 2:
            each = (f"{name} ({', '.join(sorted(said[name])[:3])[:60]})" for name in (one, two))
            return f"{' and '.join(each)} share no label"
    return None


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
    """Return answers to the question whether a sentence is biased; see `answers.judgements`.

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
    found = answers.table_answers(tables, columns, item=_SENTENCE if named else None)
    return answers.judgements(found)


def voters(paths: Sequence[Path], given: Answers) -> int:
    """Return of how many annotators at most the answers are a vote; 0 where they are none.

    `annotate vote` writes beside each label how many voted.
    """
    if len(paths) > 1 or len(given.annotators) > 1:
        return 0
    table = read_table(paths[0])
    whole = answers.annotator_column(table) is None
    whole &= given.annotators[0] in (_VOTE, paths[0].stem)
    if not whole or not {_VOTE, _VOTES} <= {*table.columns}:
        return 0
    numbers = [answers.cell_label(cell) or "" for cell in table[_VOTES]]
    return max((int(said) for said in numbers if said.isdecimal()), default=0)


def votes(given: Answers) -> dict[str, Votes]:
    """Return the votes on each item."""
    biased, neutral = ((given.codes == code).sum(axis=1) for code in (BIASED, NEUTRAL))
    return dict(zip(given.items, map(Votes, biased.tolist(), neutral.tolist()), strict=True))


def votes_by_sentence(found: Mapping[str, Votes], tasks: Sequence[Task]) -> dict[str, Votes]:
    """Return the votes by sentence_id, which the tasks tell of each item.

    What is shown again, or to learn with, does not vote.

    Raises:
        WikibiasError: no item is among the tasks, or these tell no sentence_id.
    """
    answers.refuse_other_tasks(found, tasks)
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
