"""Majority votes: one label for each sentence from what several annotators said.

An answer of which no label could be read ("?") does not vote (Horych et al. 2025, section 4.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from wikibias.errors import UsageError
from wikibias.messages import nearest
from wikibias.research.annotation.answers import UNPARSED, Answers
from wikibias.research.annotation.meanings import is_biased

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
