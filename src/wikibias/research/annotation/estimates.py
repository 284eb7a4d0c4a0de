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
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wikibias.errors import WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Truth, Values, group_numbers, wilson
from wikibias.research.annotation.agreement import in_order, measured
from wikibias.research.annotation.answers import Answers, refuse_other_tasks
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


def drawn_tasks(tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks that were drawn; controls and repeats are not.

    Raises:
        WikibiasError: one has no probability between 0 and 1, so that nothing can be weighted.
    """
    drawn = [task for task in tasks if task.kind == "sample"]
    for task in drawn:
        if task.probability is None or not 0 < task.probability <= 1:
            raise WikibiasError(
                f"{task.item}: no probability from 0 to 1; take the task file that `wikibias "
                "annotate sample` wrote"
            )
    return drawn


def estimated(
    drawn: Sequence[Task], biased: Mapping[str, float], of: Domain = lambda _: True
) -> Estimate:
    """Return the share judged biased of a part of the corpus; of all of it by default.

    A stratum has as many sentences as the probabilities of those drawn say: one by the probability
    for each, judged or not.

    Args:
        drawn: the tasks of the sample.
        biased: the share of annotators, by item, that found it biased; a sentence that nobody
            judged is not there.
        of: says which sentences are of the part.
    """
    weights = np.array([1 / (task.probability or 1) for task in drawn])
    inside = np.array([of(task) for task in drawn], dtype=bool)
    values = np.array([biased.get(task.item, np.nan) for task in drawn])
    stratum = group_numbers([task.stratum for task in drawn])
    judged = ~np.isnan(values)
    # Of the part there are as many as all drawn sentences of it stand for, judged or not.
    stands_for = float(weights[inside].sum())
    known = judged & inside
    if not known.any():
        return Estimate(None, None, None, 0, stands_for, None)
    sizes, numbers = np.bincount(stratum, weights), np.bincount(stratum[judged])
    weight = sizes[stratum[known]] / numbers[stratum[known]]
    population = float(weight.sum())
    share = min(1.0, float((weight * values[known]).sum()) / population)
    variance = sum(
        _variance(values[rows], inside[rows], sizes[number], share)
        for number in np.unique(stratum[judged])
        for rows in [judged & (stratum == number)]
    )
    number = _effective(variance / population**2, share, int(known.sum()))
    low, high = wilson(share, number)
    plain = float(values[known].mean())
    return Estimate(share, low, high, int(known.sum()), stands_for, plain)


def _effective(variance: float, share: float, judged: int) -> float:
    """Return how many sentences, drawn of an endless population, would tell as much.

    Where all were judged, that is infinity.
    """
    if variance <= 0:
        return math.inf
    # Of a share of 0 or 1 the product is 0; two sentences more, one of each kind, tell its size.
    near = share if 0 < share < 1 else (share * judged + 1) / (judged + 2)
    return near * (1 - near) / variance


def _variance(values: Values, inside: Truth, size: float, share: float) -> float:
    """Return the variance of the sum of a stratum's residuals, from its judged sentences."""
    number = len(values)
    left_out = 1 - number / size
    if left_out <= 1e-9 or not inside.any():
        return 0.0
    residuals = np.where(inside, values - share, 0.0)
    spread = float(((residuals - residuals.mean()) ** 2).sum()) / max(1, number - 1)
    held = values[inside]
    if np.ptp(held) < 1e-12:
        # All of the part judged alike, or one alone: not that there is no other, so one of each
        # kind more. Without it intervals of small parts hold the truth in 80 % of samples.
        near = (held.sum() + 1) / (len(held) + 2)
        spread += near * (1 - near) * len(held) / number
    return float(size**2 * left_out * spread / number)


NO_TAG = "no tag"
"""Stands for the tag of an edit that was found by its summary."""
_TIERS = ("high", "medium", "low")


def _tenth(confidence: float | None) -> str:
    """Return in which tenth a confidence lies, such as "0.7 to 0.8"."""
    if confidence is None:
        return "–"
    start = min(9, int(confidence * 10)) / 10
    return f"{start:.1f} to {start + 0.1:.1f}"


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
        confidence: by tenths of the confidence, the surest first.
        tiers: by tier, the best first.
        tags: by tag, that of most sentences first; a sentence of several tags is in each.
        unjudged: how many drawn sentences nobody judged, or not so that it can be read.
        annotators: how many drawn sentences each judged.
        shared: how many drawn sentences all of them judged.
        controls: how often unchanged sentences were found biased, of how many answers.
        voters: the answers are a vote, of so many at most; 0 where they are those of annotators.
        lost: how many drawn sentences are not in the corpus any more.
    """

    whole: JudgedShare
    bins: tuple[JudgedShare, ...]
    confidence: tuple[JudgedShare, ...]
    tiers: tuple[JudgedShare, ...]
    tags: tuple[JudgedShare, ...]
    unjudged: int
    annotators: dict[str, int]
    shared: int
    controls: tuple[int, int]
    voters: int = 0
    lost: int = 0


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
    refuse_other_tasks(found, tasks)
    shares = {item: vote.share for item, vote in found.items() if vote.share is not None}
    drawn = drawn_tasks(tasks)
    own = [task for task in drawn if corpus in (None, task.corpus)]

    def share(name: str, items: Collection[str]) -> JudgedShare:
        places = [place for place, item in enumerate(answers.items) if item in items]
        kappas = measured(answers.rows(places), resamples=resamples, seed=seed)
        estimate = estimated(drawn, shares, lambda task: task.item in items)
        return JudgedShare(name, estimate, kappas["fleiss"])

    def parts(
        names: Callable[[Task], Sequence[str]], order: Callable[[JudgedShare], Any]
    ) -> tuple[JudgedShare, ...]:
        members: dict[str, set[str]] = {}
        for task in own:
            for name in names(task):
                members.setdefault(name, set()).add(task.item)
        return tuple(sorted((share(name, of) for name, of in members.items()), key=order))

    items = {task.item for task in own}
    given = answers.rows([place for place, item in enumerate(answers.items) if item in items])
    controls = [
        found[task.item]
        for task in tasks
        if task.kind == "control" and corpus in (None, task.corpus) and task.item in found
    ]
    biased = sum(vote.biased for vote in controls)
    return JudgedShares(
        whole=share("all", items),
        bins=parts(lambda task: [task.parts.get("bin", "–")], lambda of: in_order(of.name)),
        confidence=parts(lambda task: [_tenth(task.confidence)], lambda of: of.name)[::-1],
        tiers=parts(
            lambda task: [task.tier or "–"], lambda of: ([*_TIERS, of.name].index(of.name), of.name)
        ),
        tags=parts(
            lambda task: (task.tag or NO_TAG).split("|"), lambda of: (-of.share.population, of.name)
        ),
        unjudged=sum(task.item not in shares for task in own),
        annotators={
            name: int((codes >= 0).sum())
            for name, codes in zip(given.annotators, given.codes.T, strict=True)
        },
        shared=int((given.codes >= 0).all(axis=1).sum()),
        controls=(biased, biased + sum(vote.neutral for vote in controls)),
        voters=voters,
    )
