"""The share of a corpus that is judged biased, from a sample of it, with what chance may do.

A sentence of a stratum stands for as many as there are in it for each one judged: the weight of
Horvitz and Thompson, after those that nobody judged are left out. A share is one weighted sum by
another (Hajek), so that it holds for a part of the corpus too, such as a tag. Its variance is that
of its linear part over the strata, with the finite population correction (Särndal, Swensson and
Wretman 1992, sections 5.6 and 5.8); the interval is Wilson's, of as many sentences as would give
this variance. Sentences are drawn one by one, not by edits, so those of an edit may be alike: that
matters for what is said of other corpora, not for what is said of this one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wikibias.errors import WikibiasError
from wikibias.research.annotation.intervals import wilson
from wikibias.research.annotation.tasks import Task

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
