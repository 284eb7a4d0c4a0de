"""Curves through points that have intervals, over numbers that grow by factors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wikibias.rendering.dot_charts import Dot
from wikibias.rendering.svg import (
    SERIES,
    WIDTH,
    Canvas,
    Drawing,
    Point,
    legend,
    legend_rows,
    shown,
    ticks,
    width_of,
)

_PLOT = 170  # units, a plot's height
_APART = 3  # units, between the intervals of two series at the same place


@dataclass(frozen=True, slots=True)
class Measured:
    """A value at a place, with its interval, and what it is compared with.

    Attributes:
        x: the place, greater than 0.
        dot: the value; nothing is drawn where there is none.
        band: drawn as an area of the series' colour from low to high.
    """

    x: float
    dot: Dot
    band: Dot | None = None


def interval_curves(
    series: Mapping[str, Sequence[Measured]], *, title: str, alt: str, axis: str
) -> Drawing:
    """Draw a line for each series through its values, their intervals, and their bands behind.

    Args:
        series: by name, in the order of x, whose axis is logarithmic; values may be negative.
        title: of the figure.
        alt: what one sees.
        axis: what x is.
    """
    names = list(series)
    top = 16 * legend_rows(names) + 8 if len(names) > 1 else 10
    bottom = top + _PLOT
    canvas = Canvas(bottom + 36)
    if len(names) > 1:
        legend(canvas, names, 11)
    marks = _marks([end for of in series.values() for each in of for end in _ends(each)])
    left = max(width_of(shown(mark)) for mark in marks) + 12

    def y(value: float) -> float:
        return bottom - _PLOT * (value - marks[0]) / (marks[-1] - marks[0])

    for mark in marks:
        canvas.line((left, y(mark)), (WIDTH, y(mark)), "")
        canvas.text(left - 6, y(mark) + 4, shown(mark), "end", "quiet")
    x = _across(canvas, sorted({each.x for of in series.values() for each in of}), left, bottom)
    canvas.text((left + WIDTH) / 2, bottom + 31, axis, "middle", "quiet")
    for number, of in enumerate(series.values()):
        canvas.area(_outline(of, x, y), f"c{number % SERIES}")
    for number, (name, of) in enumerate(series.items()):
        aside = _APART * (number - (len(series) - 1) / 2)
        _curve(canvas, of, _moved(x, aside), y, f"c{number % SERIES}", name)
    return canvas.drawing(title, alt)


def _moved(x: Callable[[float], float], aside: float) -> Callable[[float], float]:
    return lambda value: x(value) + aside


def _ends(each: Measured) -> Iterator[float]:
    for dot in (each.dot, each.band):
        if dot is not None:
            yield from (end for end in (dot.value, dot.low, dot.high) if end is not None)


def _marks(values: Sequence[float]) -> list[float]:
    """Return round numbers from 0 or the first below all values to the first above."""
    lowest, highest = min([0.0, *values]), max([0.0, *values])
    step = ticks(highest - lowest, 6, whole=False)[1]
    first, last = math.floor(lowest / step + 1e-9), math.ceil(highest / step - 1e-9)
    return [round(step * number, 10) for number in range(first, max(last, first + 1) + 1)]


def _across(
    canvas: Canvas, places: Sequence[float], left: float, bottom: float
) -> Callable[[float], float]:
    """Write the places as far as there is room, and return how far right a place stands."""
    low, high = (math.log(places[end]) if places else 0.0 for end in (0, -1))
    begin = left + max((width_of(shown(each)) for each in places[:1]), default=0) / 2 + 4
    wide = WIDTH - begin - max((width_of(shown(each)) for each in places[-1:]), default=0) / 2 - 4

    def x(value: float) -> float:
        if high == low:
            return begin + wide / 2
        return begin + wide * (math.log(value) - low) / (high - low)

    free = WIDTH + 1.0
    for place in reversed(places):  # the last is what the rest leads to
        half = width_of(shown(place)) / 2
        if x(place) + half <= free:
            canvas.text(x(place), bottom + 15, shown(place), "middle")
            free = x(place) - half - 6
    return x


def _outline(
    of: Sequence[Measured], x: Callable[[float], float], y: Callable[[float], float]
) -> list[Point]:
    """Return the corners of the area between the ends of the bands."""
    upper, lower = [], []
    for each in of:
        if each.band and each.band.low is not None and each.band.high is not None:
            upper.append((x(each.x), y(each.band.high)))
            lower.append((x(each.x), y(each.band.low)))
    return upper + lower[::-1]


def _curve(
    canvas: Canvas,
    of: Sequence[Measured],
    x: Callable[[float], float],
    y: Callable[[float], float],
    kind: str,
    name: str,
) -> None:
    known = [(each.x, each.dot, each.dot.value) for each in of if each.dot.value is not None]
    canvas.path([(x(place), y(value)) for place, _, value in known], kind)
    for place, dot, value in known:
        if dot.low is not None and dot.high is not None:
            canvas.line((x(place), y(dot.low)), (x(place), y(dot.high)), f"{kind} solid")
        tip = f"{name}, {shown(place)}: {value:.3f}"
        canvas.dot((x(place), y(value)), kind, 3.5, tip=tip)
