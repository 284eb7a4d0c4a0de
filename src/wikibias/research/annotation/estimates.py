"""The share of a corpus that is judged biased, from a sample of it, with what chance may do.

A sentence of a stratum stands for as many as there are in it for each one judged: the weight of
Horvitz and Thompson, after those that nobody judged are left out. A share is one weighted sum by
another (Hajek), so that it holds for a part of the corpus too, such as a tag. Its variance is that
of its linear part over the strata, with the finite population correction (Särndal, Swensson and
Wretman 1992, sections 5.6 and 5.8); the interval is Wilson's, of as many sentences as would give
this variance. Sentences are drawn one by one, not by edits, so those of an edit may be alike: that
matters for what is said of other corpora, not for what is said of this one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import wilson
from wikibias.research.annotation.answers import Answers
from wikibias.research.annotation.ratings import Ratings, measured, ratings
from wikibias.research.annotation.samples import bin_name
from wikibias.research.annotation.tasks import Task
from wikibias.research.annotation.votes import votes

Domain = Callable[[Task], bool]
"""Says whether a sentence is of the part of the corpus that is asked about."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share of a corpus, or of a part of it.

    Attributes:
        value: the weighted share; None where no sentence of the part was judged.
        low: of the 95 % interval.
        high: of the 95 % interval.
        judged: how many sentences of the part were judged.
        population: how many sentences the part has, as the sample tells.
        unweighted: the plain share of the sentences judged, as the 2019 paper gives it.
    """

    value: float | None
    low: float | None
    high: float | None
    judged: int
    population: float
    unweighted: float | None


@dataclass(frozen=True, slots=True)
class Judgements:
    """A sample, and what share of the annotators found each sentence biased.

    Attributes:
        tasks: those that were drawn.
        biased: 0 to 1 by item; a sentence that nobody judged is not there.
    """

    tasks: Sequence[Task]
    biased: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Stratum:
    """The judged sentences of a stratum: their values, which are of the part, and its size."""

    values: Sequence[float]
    inside: Sequence[bool]
    size: float

    @property
    def weight(self) -> float:
        return self.size / len(self.values)


def judgements(tasks: Sequence[Task], biased: Mapping[str, float]) -> Judgements:
    """Return the drawn tasks with what was said of them; controls and repeats are not drawn.

    Raises:
        WikibiasError: a task has no probability between 0 and 1, so that nothing can be weighted.
    """
    drawn = [task for task in tasks if task.kind == "sample"]
    for task in drawn:
        if task.probability is None or not 0 < task.probability <= 1:
            raise WikibiasError(
                f"{task.item}: no probability from 0 to 1; take the task file that `wikibias "
                "annotate sample` wrote"
            )
    return Judgements(drawn, biased)


def estimated(found: Judgements, of: Domain = lambda _: True) -> Estimate:
    """Return the share judged biased of a part of the corpus; of all of it by default."""
    strata = _strata(found, of)
    values = [
        [y for y, is_in in zip(each.values, each.inside, strict=True) if is_in] for each in strata
    ]
    inside = [y for of_stratum in values for y in of_stratum]
    # Of the part there are as many as all drawn sentences of it stand for, judged or not.
    drawn = sum(1 / (task.probability or 1) for task in found.tasks if of(task))
    if not inside:
        return Estimate(None, None, None, 0, drawn, None)
    population = sum(each.weight * len(ys) for each, ys in zip(strata, values, strict=True))
    biased = sum(each.weight * sum(ys) for each, ys in zip(strata, values, strict=True))
    share = min(1.0, biased / population)
    number = _effective(strata, share, population, len(inside))
    low, high = wilson(share, number)
    return Estimate(share, low, high, len(inside), drawn, sum(inside) / len(inside))


def _strata(found: Judgements, of: Domain) -> list[_Stratum]:
    """Return the strata of which a sentence was judged.

    A stratum has as many sentences as the probabilities of those drawn say: one by the probability
    for each, judged or not.
    """
    sizes: dict[str | None, float] = {}
    values: dict[str | None, list[float]] = {}
    inside: dict[str | None, list[bool]] = {}
    for task in found.tasks:
        sizes[task.stratum] = sizes.get(task.stratum, 0.0) + 1 / (task.probability or 1)
        if (value := found.biased.get(task.item)) is not None:
            values.setdefault(task.stratum, []).append(value)
            inside.setdefault(task.stratum, []).append(of(task))
    return [_Stratum(values[name], inside[name], sizes[name]) for name in sizes if name in values]


def _effective(strata: Sequence[_Stratum], share: float, population: float, judged: int) -> float:
    """Return how many sentences, drawn of an endless population, would tell as much.

    Where all were judged, that is infinity.
    """
    variance = sum(_variance(each, share) for each in strata) / population**2
    if variance <= 0:
        return math.inf
    # Of a share of 0 or 1 the product is 0; two sentences more, one of each kind, tell its size.
    near = share if 0 < share < 1 else (share * judged + 1) / (judged + 2)
    return near * (1 - near) / variance


def _variance(of: _Stratum, share: float) -> float:
    """Return the variance of the sum of a stratum's residuals."""
    number = len(of.values)
    left_out = 1 - number / of.size
    if left_out <= 1e-9 or not any(of.inside):
        return 0.0
    residuals = [
        (y - share) if is_in else 0.0 for y, is_in in zip(of.values, of.inside, strict=True)
    ]
    mean = sum(residuals) / number
    spread = sum((each - mean) ** 2 for each in residuals) / max(1, number - 1)
    inside = [y for y, is_in in zip(of.values, of.inside, strict=True) if is_in]
    if max(inside) - min(inside) < 1e-12:
        # All of the part judged alike, or one alone: not that there is no other, so one of each
        # kind more. Without it intervals of small parts hold the truth in 80 % of samples.
        near = (sum(inside) + 1) / (len(inside) + 2)
        spread += near * (1 - near) * len(inside) / number
    return of.size**2 * left_out * spread / number


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
        tiers=parts.shares(lambda task: [task.tier or "–"], _tier_order),
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


def _tier_order(of: JudgedShare) -> tuple[int, str]:
    return (_TIERS.index(of.name) if of.name in _TIERS else len(_TIERS), of.name)
