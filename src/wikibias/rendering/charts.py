"""Charts of plain values: bars, columns, curves. `alt` says in words what one sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wikibias.rendering.svg import (
    SERIES,
    WIDTH,
    Canvas,
    Drawing,
    Point,
    cut,
    legend,
    legend_rows,
    shown,
    ticks,
    width_of,
)

_ROW, _LEFT, _PLOT = 22, 40, 150  # units: a row of bars, the room for an axis, a plot's height


def bars(
    rows: Sequence[tuple[str, float]], *, title: str, alt: str, kinds: Sequence[str] = ()
) -> Drawing:
    """Draw a horizontal bar for each row, with its label before and its number behind it.

    Args:
        rows: label and value, not negative.
        title: of the figure.
        alt: what one sees.
        kinds: the class of each bar; all `c0` by default.
    """
    most = max((value for _, value in rows), default=0) or 1
    label = min(190, max((width_of(name) for name, _ in rows), default=0) + 8)
    number = max((width_of(shown(value)) for _, value in rows), default=0) + 6
    room = WIDTH - label - number
    canvas = Canvas(_ROW * len(rows) + 2)
    for place, (name, value) in enumerate(rows):
        y, wide = _ROW * place, room * value / most
        kind = kinds[place] if kinds else "c0"
        canvas.text(label - 8, y + 15, cut(name, label - 8), "end")
        canvas.rect(label, y + 3, max(1, wide) if value else 0, 16, kind, f"{name}: {shown(value)}")
        canvas.text(label + wide + 5, y + 15, shown(value))
    return canvas.drawing(title, alt)


def columns(
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    title: str,
    alt: str,
    axis: str = "",
    stacked: bool = False,
) -> Drawing:
    """Draw upright bars: for each name one of each series, side by side or stacked.

    Args:
        names: of the groups, from left to right; as many are written as there is room for.
        series: by name, a value for each group.
        title: of the figure.
        alt: what one sees.
        axis: what the groups are.
        stacked: one bar for each group, in which the series stand on each other.
    """
    tops = [sum(of) if stacked else max(of, default=0) for of in zip(*series.values(), strict=True)]
    plot = _Plot(list(series), ticks(max(tops, default=0), whole=True), axis)
    step = (WIDTH - plot.left) / max(1, len(names))
    each = step * 0.8 / (1 if stacked else max(1, len(series)))
    for group, name in enumerate(names):
        base = 0.0
        for number, (of, values) in enumerate(series.items()):
            x = plot.left + step * (group + 0.1) + (0 if stacked else each * number)
            top = plot.y(base + values[group])
            tip = (
                f"{name}, {of}: {shown(values[group])}" if of else f"{name}: {shown(values[group])}"
            )
            plot.canvas.rect(x, top, each, plot.y(base) - top, f"c{number % SERIES}", tip)
            base += values[group] if stacked else 0
    widest = max((width_of(name) for name in names), default=0) + 6
    every = max(1, -int(-widest // step))
    for group in range(0, len(names), every):
        plot.canvas.text(plot.left + step * (group + 0.5), plot.bottom + 15, names[group], "middle")
    return plot.canvas.drawing(title, alt)


def curves(
    series: Mapping[str, Sequence[Point]],
    *,
    title: str,
    alt: str,
    axis: str,
    most: Point | None = None,
    percent: bool = False,
) -> Drawing:
    """Draw a line for each series.

    Args:
        series: by name, points in the order of x; none is negative.
        title: of the figure.
        alt: what one sees.
        axis: what x is.
        most: the largest x and y shown, by default those of the points.
        percent: y is a share, and is written in percent.
    """
    points = [point for of in series.values() for point in of]
    most_x, most_y = most or tuple(max((p[i] for p in points), default=1) for i in (0, 1))
    names = list(series)
    plot = _Plot(names, ticks(most_y, whole=False), axis, percent=percent)
    across = ticks(most_x, 5, whole=most_x >= 5)
    wide = WIDTH - plot.left - width_of(shown(across[-1])) / 2
    for value in across:
        at = plot.left + wide * value / across[-1]
        plot.canvas.text(at, plot.bottom + 15, shown(value), "middle")
    for number, of in enumerate(series.values()):
        line = [(plot.left + wide * x / across[-1], plot.y(y)) for x, y in of]
        plot.canvas.path(line, f"c{number % SERIES}")
    return plot.canvas.drawing(title, alt)


class _Plot:
    """A canvas with a legend, an axis of y with faint lines, and room for an axis of x."""

    def __init__(
        self, names: Sequence[str], marks: Sequence[float], axis: str, *, percent: bool = False
    ) -> None:
        named = [name for name in names if name]
        top = 16 * legend_rows(named) + 8 if len(named) > 1 else 10
        self.bottom = top + _PLOT
        self.canvas = Canvas(self.bottom + (36 if axis else 20))
        self._most = marks[-1]
        written = [f"{mark:.0%}" if percent else shown(mark) for mark in marks]
        self.left = max(_LEFT - 14, max(map(width_of, written)) + 12)
        if len(named) > 1:
            legend(self.canvas, named, 11)
        for mark, text in zip(marks, written, strict=True):
            self.canvas.line((self.left, self.y(mark)), (WIDTH, self.y(mark)), "")
            self.canvas.text(self.left - 6, self.y(mark) + 4, text, "end", "quiet")
        if axis:
            middle = (self.left + WIDTH) / 2
            self.canvas.text(middle, self.bottom + 31, axis, "middle", "quiet")

    def y(self, value: float) -> float:
        """Return how far down a value stands."""
        return self.bottom - _PLOT * value / self._most


def funnel(steps: Sequence[tuple[str, int]], start: int, *, title: str, alt: str) -> Drawing:
    """Draw what is left of a number after each step, and beside it what the step took away.

    Args:
        steps: label and how many the step took.
        start: the number before the first step.
        title: of the figure.
        alt: what one sees.
    """
    labels = [name for name, _ in steps]
    label = min(190, max((width_of(name) for name in labels), default=0) + 8)
    widest = f"{start:,} (−{max((took for _, took in steps), default=0):,})"
    scale = (WIDTH - label - width_of(widest) - 6) / (start or 1)
    canvas, left = Canvas(_ROW * len(steps) + 2), start
    for place, (name, took) in enumerate(steps):
        left -= took
        y, wide, gone = _ROW * place, left * scale, took * scale
        canvas.text(label - 8, y + 15, cut(name, label - 8), "end")
        canvas.rect(label, y + 3, wide, 16, "c0", f"{left:,} left")
        canvas.rect(label + wide, y + 3, gone, 16, "c1 light", f"{name}: {took:,} dropped")
        said = f"{left:,} (−{took:,})" if took else f"{left:,}"
        canvas.text(label + wide + gone + 5, y + 15, said)
    return canvas.drawing(title, alt)
