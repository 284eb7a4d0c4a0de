"""Groups of documents by what is known of each, such as its label, compared on equal samples.

B1 and B2 depend on how many documents topics are fitted on, so groups by one fact are compared on
samples of equal size: half of the smallest group, drawn anew for each seed. What the draws differ
by is then what chance in the documents does to a figure; see `seeds.over_draws`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wikibias.errors import UsageError
from wikibias.research.selection_bias.documents import FACTS, Documents

LEAST = 100
"""How many documents a group has at least: half of them are drawn."""
MOST_GROUPS = 12
"""How many groups by one fact are compared at most, the largest ones."""
MOST_DRAWN = 2000
"""How many documents of a group are drawn at most."""
_OF_LARGEST = 20  # a group of less than one of so many of the largest would make all samples small
# Which two are compared where a corpus has both: the first less the second.
_PAIRS = {"label": ("biased", "neutral"), "split": ("train", "test")}


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that share a fact.

    Attributes:
        by: one of `FACTS`.
        value: which they share.
        drawn: how many of them are drawn for each seed, as many of any group by that fact.
        rows: all of them.
    """

    by: str
    value: str
    drawn: int
    rows: Sequence[int] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.by} {self.value}"


def groups_of(documents: Documents, by: Sequence[str] | None) -> tuple[list[Group], list[str]]:
    """Return the groups of a corpus, those by one fact from the largest on, and what is left out.

    Args:
        documents: of the corpus.
        by: facts; None for all that the corpus tells.

    Returns:
        Groups, and notes on groups and facts that are left out.
    """
    found: list[Group] = []
    notes: list[str] = []
    small: list[str] = []
    left_out: dict[str, int] = {}
    for fact in FACTS if by is None else by:
        members = _members(documents.facts.get(fact, ()))
        kept = _large(members)
        if len(kept) > 1:
            drawn = _drawn(len(members[value]) for value in kept)
            found += [Group(fact, value, drawn, members[value]) for value in kept]
            if len(members) > len(kept):
                left_out[fact] = len(members) - len(kept)
        elif by is not None:
            notes.append(f"{documents.name}: no groups by {fact}: {_why(members)}")
        elif len(members) > 1:
            small.append(fact)
    if small:
        notes.append(
            f"{documents.name}: no groups by {', '.join(small)}: at least two need {LEAST} "
            "documents each"
        )
    return found, [*notes, *_left_out(documents.name, left_out)]


def sample_of_each(corpora: Sequence[Documents]) -> tuple[dict[str, int], list[str]]:
    """Return how many documents are drawn of each corpus to compare it with the others.

    Args:
        corpora: that are measured side by side.

    Returns:
        The name of a corpus -> as many as of any other; none of a single corpus, nor of one that is
        too small. And notes on these.
    """
    large = [documents for documents in corpora if len(documents) >= LEAST]
    small = [documents.name for documents in corpora if len(documents) < LEAST]
    if len(corpora) < 2:
        return {}, []
    notes = [
        f"{name}: not compared with other corpora, which needs {LEAST} documents" for name in small
    ]
    if len(large) < 2:
        return {}, notes
    return dict.fromkeys((each.name for each in large), _drawn(map(len, large))), notes


def check_asked(by: Sequence[str] | None, corpora: Sequence[Documents]) -> None:
    """Check that each fact that was asked for parts some corpus.

    Raises:
        UsageError: one parts none; the message says what the first corpus has.
    """
    for fact in by or ():
        if not any(groups_of(documents, [fact])[0] for documents in corpora):
            why = _why(_members(corpora[0].facts.get(fact, ())))
            raise UsageError(f"cannot compare groups by {fact}: {why}; leave it out of --by")


def pairs(groups: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Return which groups by one fact are compared: the first less the second.

    Biased with neutral and train with test; else the largest with each other one.
    """
    of: defaultdict[str, dict[str, Group]] = defaultdict(dict)
    for group in groups:
        of[group.by][group.value] = group
    found: list[tuple[Group, Group]] = []
    for fact, by_value in of.items():
        first, second = _PAIRS.get(fact, ("", ""))
        if first in by_value and second in by_value:
            found.append((by_value[first], by_value[second]))
        else:
            largest, *others = by_value.values()
            found += [(largest, other) for other in others]
    return found


def _drawn(sizes: Iterable[int]) -> int:
    return min(MOST_DRAWN, min(sizes) // 2)


def _members(values: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of each value that is known, the most frequent value first.

    A document of several values, with "|" between them, is of each.
    """
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, several in enumerate(values):
        for value in several.split("|"):
            if value:
                rows[value].append(row)
    return dict(sorted(rows.items(), key=lambda each: (-len(each[1]), each[0])))


def _large(members: dict[str, list[int]]) -> list[str]:
    """Return the values that enough documents have, the most frequent first."""
    largest = max(map(len, members.values()), default=0)
    least = max(LEAST, largest / _OF_LARGEST)
    return [value for value, rows in members.items() if len(rows) >= least][:MOST_GROUPS]


def _left_out(name: str, left_out: dict[str, int]) -> list[str]:
    if not left_out:
        return []
    told = ", ".join(f"{number:,} by {fact}" for fact, number in left_out.items())
    return [
        f"{name}: groups left out, {told}: fewer than {LEAST} documents, less than a twentieth of "
        f"the largest group, or not among the {MOST_GROUPS} largest"
    ]


def _why(members: dict[str, list[int]]) -> str:
    if not members:
        return "the corpus does not tell it"
    held = ", ".join(f"{value} {len(rows):,}" for value, rows in list(members.items())[:3])
    return f"at least two need {LEAST} documents each, and there are {held}"
