"""A chart of survival curves, whose time goes from minutes to years."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from wikibias.rendering.svg import (
    SERIES,
    WIDTH,
    Canvas,
    Drawing,
    Point,
    legend,
    legend_rows,
    width_of,
)

_MARKS = (
    ("minute", 1 / 1440), ("hour", 1 / 24), ("day", 1.0), ("month", 30.0),
    ("year", 365.0), ("10 years", 3650.0), ("100 years", 36500.0),
)  # fmt: skip
_LEFT, _PLOT = 40, 170  # units
_MOST_STEPS = 400  # more of a curve than can be seen


def points(steps: Sequence[Point], longest: float) -> list[Point]:
    """Return what is drawn of a curve: from all on the first day to the longest life.

    Args:
        steps: after how many days which share is left; of many, some are taken.
        longest: the days of the longest life, ended or not.
    """
    every = max(1, -(-len(steps) // _MOST_STEPS))
    last = steps[-1:]
    return [(0.0, 1.0), *steps[:-1:every], *last, (longest, last[0][1] if last else 1.0)]


def survival_chart(series: Mapping[str, Sequence[Point]], *, title: str, alt: str) -> Drawing:
    """Draw a stepped line for each series, over time on a logarithmic scale.

    Args:
        series: by name, after how many days which share is left, in order of time; each begins
            with all.
        title: of the figure.
        alt: what one sees.
    """
    names = list(series)
    top = 16 * legend_rows(names) + 8
    canvas = Canvas(top + _PLOT + 36)
    legend(canvas, names, 11)
    days = [x for of in series.values() for x, _ in of if x > 0]
    scale = _Scale(min(days, default=1.0), max(days, default=1.0))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = top + _PLOT * (1 - share)
        canvas.line((_LEFT, y), (WIDTH, y), "")
        canvas.text(_LEFT - 6, y + 4, f"{share:.0%}", "end", "quiet")
    free = 0.0
    for name, mark in scale.marks:
        at, half = scale.x(mark), width_of(name) / 2
        canvas.line((at, top), (at, top + _PLOT), "")
        begin = min(at - half, WIDTH - 2 * half)
        if begin >= free:
            place, anchor = (at, "middle") if at + half <= WIDTH else (WIDTH, "end")
            canvas.text(place, top + _PLOT + 15, name, anchor)
            free = begin + 2 * half + 4
    middle = (_LEFT + WIDTH) / 2
    canvas.text(middle, top + _PLOT + 31, "time since the tag was put in", "middle", "quiet")
    for number, of in enumerate(series.values()):
        line: list[Point] = []
        for x, share in of:
            if line:
                line.append((scale.x(x), line[-1][1]))
            line.append((scale.x(x), top + _PLOT * (1 - share)))
        canvas.path(line, f"c{number % SERIES}")
    return canvas.drawing(title, alt)


class _Scale:
    """Where days lie on the axis, from the mark before the first to the last."""

    def __init__(self, least: float, most: float) -> None:
        before = [mark for _, mark in _MARKS if mark <= least]
        self._least = before[-1] if before else _MARKS[0][1]
        self._most = max(most, self._least * 2)
        self.marks = [(name, mark) for name, mark in _MARKS if self._least <= mark <= self._most]

    def x(self, days: float) -> float:
        """Return the place of a time; of none, or of less than the first mark, the left end."""
        share = math.log(max(days, self._least) / self._least) / math.log(self._most / self._least)
        return _LEFT + (WIDTH - _LEFT) * share
