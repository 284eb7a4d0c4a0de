"""Survival curves: the share of lives that last longer than so many days, by Kaplan and Meier.

Lives that had not ended when they were last seen are censored: they count among those at risk up
to then. Kaplan and Meier (1958); the variance is Greenwood's (1926), and the interval is taken on
the scale log(-log S), so that it stays between 0 and 1 (Kalbfleisch and Prentice 1980).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

_Z = 1.959964  # of a 95% interval
# A share that is a half may come out of the product a little above it.
_HALF = 0.5 + 1e-9


class Step(NamedTuple):
    """A step of a curve: after `days`, the share that is left, with its 95% interval.

    `at_risk` lives had lasted at least so long, `ended` of them ended then. The interval of a share
    of 0 is not defined.
    """

    days: float
    at_risk: int
    ended: int
    share: float
    low: float | None
    high: float | None


@dataclass(slots=True)
class Lives:
    """How long lives lasted, in days, and whether each had ended; takes 9 bytes for each."""

    days: array[float] = field(default_factory=lambda: array("d"))
    has_ended: array[int] = field(default_factory=lambda: array("b"))

    def add(self, days: float, *, has_ended: bool) -> None:
        """Take one life."""
        self.days.append(days)
        self.has_ended.append(has_ended)

    def __len__(self) -> int:
        return len(self.days)

    @property
    def ended(self) -> int:
        """How many have ended."""
        return sum(self.has_ended)

    @property
    def longest(self) -> float:
        """The days of the longest life, ended or not."""
        return max(self.days, default=0.0)

    def curve(self) -> list[Step]:
        """Return the steps of the survival curve, by days."""
        return list(self._steps())

    def _steps(self) -> Iterator[Step]:
        left, share, variance = len(self.days), 1.0, 0.0
        lives = sorted(zip(self.days, self.has_ended, strict=True))
        for days, together in groupby(lives, lambda life: life[0]):
            flags = [flag for _, flag in together]
            if ended := sum(flags):
                share *= 1 - ended / left
                variance += ended / (left * (left - ended)) if left > ended else math.inf
                yield Step(days, left, ended, share, *_interval(share, variance))
            left -= len(flags)


def _interval(share: float, variance: float) -> tuple[float | None, float | None]:
    """Return the 95% interval of a share, given the sum in Greenwood's formula."""
    if not 0 < share < 1:
        return None, None
    spread = _Z * math.sqrt(variance) / math.log(share)
    one, other = (share ** math.exp(sign * spread) for sign in (1, -1))
    return min(one, other), max(one, other)


def median(curve: Sequence[Step]) -> tuple[float | None, float | None, float | None]:
    """Return after how many days half of the lives have ended, with its 95% interval.

    None where the curve, or the bound of its interval, does not come down to a half: where the
    curve falls to 0 the interval is not known. It is that of Brookmeyer and Crowley (1982).
    """
    shares = ([s.share for s in curve], [s.low for s in curve], [s.high for s in curve])
    found = [_first(zip(curve, of, strict=True)) for of in shares]
    return found[0], found[1], found[2]


def _first(steps: Iterable[tuple[Step, float | None]]) -> float | None:
    """Return the days of the first step whose share is a half or less."""
    return next((step.days for step, at in steps if at is not None and at <= _HALF), None)


def share_after(curve: Sequence[Step], days: float) -> float:
    """Return the share of lives that last longer than so many days."""
    return next((step.share for step in reversed(curve) if step.days <= days), 1.0)
