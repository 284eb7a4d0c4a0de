"""The share of a corpus that annotators judge biased, with their agreement: by bin, tier, tag."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.research.annotation.agreement.measures import measured
from wikibias.research.annotation.agreement.ratings import Ratings, ratings
from wikibias.research.annotation.answers import Answers
from wikibias.research.annotation.estimates import Estimate, Judgements, estimated, judgements
from wikibias.research.annotation.judged_labels import votes
from wikibias.research.annotation.sampling.strata import bin_name
from wikibias.research.annotation.tasks import Task

NO_TAG = "no tag"
"""Stands for the tag of an edit that was found by its summary."""
_TIERS = ("high", "medium", "low")
_Parts = Callable[[Task], Sequence[str]]


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """What was said of a part of a corpus.

    Attributes:
        name: of the part.
        share: judged biased.
        kappa: Fleiss' kappa of the sentences drawn, not weighted: `value`, `low`, `high`, and
            `items`, of how many sentences.
    """

    name: str
    share: Estimate
    kappa: dict[str, Any]


@dataclass(frozen=True, slots=True)
class JudgedShares:
    """What was said of a corpus.

    Attributes:
        whole: of all its removed sentences.
        bins: by how many sentences the edit removed, in their order.
        tiers: by tier, the best first.
        tags: by tag, that of most sentences first; a sentence of several tags is in each.
        unjudged: how many drawn sentences nobody judged, or not so that it can be read.
        annotators: how many drawn sentences each judged.
        shared: how many drawn sentences all of them judged.
        controls: how often unchanged sentences were found biased, of how many answers.
        voters: the answers are a vote, of so many at most; 0 where they are those of annotators.
    """

    whole: JudgedShare
    bins: tuple[JudgedShare, ...]
    tiers: tuple[JudgedShare, ...]
    tags: tuple[JudgedShare, ...]
    unjudged: int
    annotators: dict[str, int]
    shared: int
    controls: tuple[int, int]
    voters: int = 0


def judged_shares(
    tasks: Sequence[Task],
    answers: Answers,
    *,
    corpus: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    voters: int = 0,
) -> JudgedShares:
    """Return the shares judged biased in a corpus, and how far annotators agree on them.

    Where several judged a sentence, it counts with the share of them that found it biased.

    Args:
        tasks: of the sample.
        answers: biased or neutral, by item.
        corpus: which of several corpora that were drawn from; None for all.
        resamples: of the bootstrap of kappa.
        seed: of it.
        voters: how many at most voted, where the answers are a vote.

    Raises:
        WikibiasError: no answer is to one of these tasks, or they have no probabilities.
    """
    found = votes(answers)
    if not any(task.item in found for task in tasks):
        raise WikibiasError("no answer is to one of these tasks; give the task file they belong to")
    shares = {item: vote.share for item, vote in found.items() if vote.share is not None}
    parts = _Shares(
        judgements(tasks, shares),
        ratings(answers, ("neutral", "biased")),
        corpus,
        resamples,
        seed,
    )
    inside = [task for task in tasks if corpus in (None, task.corpus)]
    drawn = [task.item for task in inside if task.kind == "sample"]
    said = dict(zip(answers.items, answers.values, strict=True))
    given = [said[item] for item in drawn if item in said]
    controls = [
        found[task.item] for task in inside if task.kind == "control" and task.item in found
    ]
    biased = sum(vote.biased for vote in controls)
    return JudgedShares(
        whole=parts.share("all", lambda _: ("all",)),
        bins=parts.shares(lambda task: [bin_name(task.stratum) or "–"], _in_order),
        tiers=parts.shares(lambda task: [task.tier or "–"], _of_tier),
        tags=parts.shares(lambda task: (task.tag or NO_TAG).split("|")),
        unjudged=sum(item not in shares for item in drawn),
        annotators={
            name: sum(row[place] is not None for row in given)
            for place, name in enumerate(answers.annotators)
        },
        shared=sum(None not in row for row in given),
        controls=(biased, biased + sum(vote.neutral for vote in controls)),
        voters=voters,
    )


@dataclass(frozen=True, slots=True)
class _Shares:
    """Makes the shares of parts of a corpus."""

    found: Judgements
    given: Ratings
    corpus: str | None
    resamples: int
    seed: int

    def share(self, name: str, parts: _Parts) -> JudgedShare:
        """Return the share of one part."""

        def is_in(task: Task) -> bool:
            return self.corpus in (None, task.corpus) and name in parts(task)

        items = {task.item for task in self.found.tasks if is_in(task)}
        places = [place for place, item in enumerate(self.given.items) if item in items]
        kappas = measured(self.given.rows(places), resamples=self.resamples, seed=self.seed)
        return JudgedShare(name, estimated(self.found, is_in), kappas["fleiss"])

    def shares(
        self, parts: _Parts, order: Callable[[JudgedShare], Any] | None = None
    ) -> tuple[JudgedShare, ...]:
        """Return the shares of all parts, the largest first where no other order is given."""
        inside = (task for task in self.found.tasks if self.corpus in (None, task.corpus))
        names = dict.fromkeys(name for task in inside for name in parts(task))
        return tuple(
            sorted(
                (self.share(name, parts) for name in names),
                key=order or (lambda each: (-each.share.population, each.name)),
            )
        )


def _in_order(of: JudgedShare) -> tuple[bool, int, str]:
    first = of.name.partition("-")[0]
    return (not first.isdecimal(), int(first) if first.isdecimal() else 0, of.name)


def _of_tier(of: JudgedShare) -> tuple[int, str]:
    return (_TIERS.index(of.name) if of.name in _TIERS else len(_TIERS), of.name)
