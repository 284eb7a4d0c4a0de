"""Charts of plain values as SVG: bars, columns, curves, dots; `alt` says what one sees."""

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from itertools import zip_longest

from wikibias.errors import printable

WIDTH = 360
"""The width of every drawing, in units."""
SERIES = 5
"""How many series have colours of their own: the classes `c0` to `c4`."""
Point = tuple[float, float]
_LETTER = 7.2  # units, of a letter of a wide font
_STYLE = "figures.css"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as SVG: its title, what one sees in it in words, and its markup."""

    title: str
    alt: str
    markup: str

    def __html__(self) -> str:
        """Return the markup, in which all text is escaped, for a template."""
        return self.markup

    def file(self) -> str:
        """Return the content of a file that shows it by itself, with colours of its own."""
        first, rest = self.markup.split(">", 1)
        width = first.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" ')
        return f"{width}><style>{_colours()}</style>{rest}\n"


@cache
def _colours() -> str:
    return files(__package__).joinpath("templates", _STYLE).read_text("utf-8")


class Canvas:
    """Collects what is drawn, from the upper left corner, in units.

    `kind` of a method is the class that gives the colour: `c0` to `c4` of a series, `faint`,
    `quiet`, `mark`.
    """

    def __init__(self, height: float) -> None:
        self._height = height
        self._parts: list[str] = []

    def rect(
        self, x: float, y: float, width: float, height: float, kind: str, tip: str = ""
    ) -> None:
        """Draw a filled rectangle; `tip` is shown where the mouse rests on it."""
        at = _places(x=x, y=y, width=max(0, width), height=max(0, height))
        self._add(f'rect {at} class="{escape(kind)}"', tip)

    def line(self, start: Point, end: Point, kind: str) -> None:
        """Draw a straight line."""
        at = _places(x1=start[0], y1=start[1], x2=end[0], y2=end[1])
        self._add(f'line {at} class="{escape(kind)}"')

    def path(self, points: Iterable[Point], kind: str) -> None:
        """Draw a line through points."""
        steps = " L".join(f"{_coordinate(x)} {_coordinate(y)}" for x, y in points)
        if steps:
            self._add(f'path d="M{steps}" class="{escape(kind)}"')

    def dot(self, centre: Point, kind: str, tip: str = "") -> None:
        """Draw a filled circle, or a ring where the kind says so."""
        at = _places(cx=centre[0], cy=centre[1])
        self._add(f'circle {at} r="4" class="{escape(kind)}"', tip)

    def text(self, x: float, y: float, content: str, anchor: str = "start", kind: str = "") -> None:
        """Write a line of text; `y` is its base line."""
        at = f'{_places(x=x, y=y)} text-anchor="{escape(anchor)}"'
        shown = escape(printable(content))
        self._parts.append(f'<text {at} class="{escape(kind)}">{shown}</text>')

    def drawing(self, title: str, alt: str) -> Drawing:
        """Return what was drawn."""
        title, alt = printable(title), printable(alt)
        begin = (
            f'<svg class="drawing" viewBox="0 0 {WIDTH} {_coordinate(self._height)}" role="img" '
            f'aria-label="{escape(f"{title}: {alt}")}">'
        )
        named = f"<title>{escape(title)}</title><desc>{escape(alt)}</desc>"
        return Drawing(title, alt, "\n".join([begin + named, *self._parts, "</svg>"]))

    def _add(self, element: str, tip: str = "") -> None:
        if not tip:
            self._parts.append(f"<{element}/>")
            return
        name = element.split(" ", 1)[0]
        self._parts.append(f"<{element}><title>{escape(printable(tip))}</title></{name}>")


def legend(canvas: Canvas, names: Sequence[str]) -> None:
    """Write the names of series with their colours, side by side; see `legend_rows`."""
    for number, (name, x, row) in enumerate(_legend_places(names)):
        y = 11 + 16 * row
        canvas.rect(x, y - 9, 10, 10, f"c{number % SERIES}")
        canvas.text(x + 14, y, cut(name, WIDTH - 20))


def legend_rows(names: Sequence[str]) -> int:
    """Return how many lines of 16 units a legend takes."""
    return 1 + max((row for _, _, row in _legend_places(names)), default=0)


def _legend_places(names: Sequence[str]) -> Iterator[tuple[str, float, int]]:
    """Yield each name, how far right it stands, and in which row."""
    left, row = 0.0, 0
    for name in names:
        wide = 20 + width_of(name)
        if left and left + wide > WIDTH:
            left, row = 0.0, row + 1
        yield name, left, row
        left += wide + 8


def width_of(text: str) -> float:
    """Return about how many units a text is wide; ideographs, capitals, m and w are wider."""
    return _LETTER * sum(map(_letters, text))


def _letters(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    if char in "mw":
        return 1.6
    return 1.35 if char.isupper() else 1


def cut(text: str, most: float) -> str:
    """Return a text that is no wider than so many units; an ellipsis stands for the rest."""
    if width_of(text) <= most + 0.01:
        return text
    shown = text
    while shown and width_of(shown) + _LETTER > most:
        shown = shown[:-1]
    return f"{shown.rstrip()}…"


def ticks(most: float) -> list[float]:
    """Return whole round numbers from 0 to the first that is not less than `most`."""
    if not most > 0 or not math.isfinite(most):
        return [0, 1]
    rough = most / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = max(1, next(power * times for times in (1, 2, 5, 10) if power * times >= rough * 0.999))
    return [step * number for number in range(math.ceil(most / step - 1e-9) + 1)]


def plain_number(value: float) -> str:
    """Return a number for an axis or a label: 1,200, or 0.25."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.3g}"


def _places(**values: float) -> str:
    return " ".join(f'{name}="{_coordinate(value)}"' for name, value in values.items())


def _coordinate(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


_ROW, _LEFT, _PLOT = 22, 40, 160  # units: a row of bars, the room for an axis, a plot's height


def columns(
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    title: str,
    alt: str,
    axis: str = "",
) -> Drawing:
    """Draw upright bars: for each name one of each series, side by side.

    Args:
        names: of the groups, from left to right; as many are written as there is room for.
        series: by name, a value for each group.
        title: of the figure.
        alt: what one sees.
        axis: what the groups are.
    """
    most = max((max(of, default=0) for of in series.values()), default=0)
    plot = _Plot(list(series), ticks(most), axis)
    step = (WIDTH - plot.left) / max(1, len(names))
    each = step * 0.8 / max(1, len(series))
    for group, name in enumerate(names):
        for number, (of, values) in enumerate(series.items()):
            x, top = plot.left + step * (group + 0.1) + each * number, plot.y(values[group])
            tip = f"{name}{f', {of}' if of else ''}: {plain_number(values[group])}"
            plot.canvas.rect(x, top, each, plot.bottom - top, f"c{number % SERIES}", tip)
    widest = max((width_of(name) for name in names), default=0) + 6
    every = max(1, -int(-widest // step))
    for group in range(0, len(names), every):
        plot.canvas.text(plot.left + step * (group + 0.5), plot.bottom + 15, names[group], "middle")
    return plot.canvas.drawing(title, alt)


_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def curves(series: Mapping[str, Sequence[Point]], *, title: str, alt: str, axis: str) -> Drawing:
    """Draw a line for each series of shares over shares.

    Args:
        series: by name, points in the order of x, both from 0 to 1.
        title: of the figure.
        alt: what one sees.
        axis: what x is.
    """
    plot = _Plot([*series], _QUARTERS, axis, percent=True)
    wide = WIDTH - plot.left - width_of("1") / 2
    for value in _QUARTERS:
        at = plot.left + wide * value
        plot.canvas.text(at, plot.bottom + 15, plain_number(value), "middle")
    for number, of in enumerate(series.values()):
        line = [(plot.left + wide * x, plot.y(y)) for x, y in of]
        plot.canvas.path(line, f"c{number % SERIES}")
    return plot.canvas.drawing(title, alt)


class _Plot:
    """A canvas with a legend, an axis of y with faint lines, and room for an axis of x."""

    def __init__(
        self, names: Sequence[str], marks: Sequence[float], axis: str, *, percent: bool = False
    ) -> None:
        named = [name for name in names if name]
        with_legend = len(named) > 1
        self.top = 16 * legend_rows(named) + 8 if with_legend else 10
        self.bottom = self.top + _PLOT
        self.canvas = Canvas(self.bottom + (36 if axis else 20))
        self._scale = _PLOT / marks[-1]
        written = [f"{mark:.0%}" if percent else plain_number(mark) for mark in marks]
        self.left = max(_LEFT - 14, max(map(width_of, written)) + 12)
        if with_legend:
            legend(self.canvas, named)
        for mark, text in zip(marks, written, strict=True):
            self.canvas.line((self.left, self.y(mark)), (WIDTH, self.y(mark)), "")
            self.canvas.text(self.left - 6, self.y(mark) + 4, text, "end", "quiet")
        if axis:
            middle = (self.left + WIDTH) / 2
            self.canvas.text(middle, self.bottom + 31, axis, "middle", "quiet")

    def y(self, value: float) -> float:
        """Return how far down a value stands."""
        return self.bottom - self._scale * value


def funnel(steps: Mapping[str, int], left: int, *, title: str, end: str = "left") -> Drawing:
    """Draw what is left of a number after each step, and beside it what the step took away.

    Args:
        steps: how many each step took; one that took none is left out.
        left: how many are left at the end.
        title: of the figure.
        end: what is said of these.
    """
    took = {name: number for name, number in steps.items() if number}
    start = left + sum(took.values())
    rows = [("all", 0), *took.items(), (end, 0)]
    label = min(190, max(width_of(name) for name, _ in rows) + 8)
    widest = f"{start:,} (−{max(took.values(), default=0):,})"
    scale = (WIDTH - label - width_of(widest) - 6) / (start or 1)
    canvas, now = Canvas(_ROW * len(rows) + 2), start
    for place, (name, number) in enumerate(rows):
        now -= number
        y, wide, gone = _ROW * place, now * scale, number * scale
        canvas.text(label - 8, y + 15, cut(name, label - 8), "end")
        canvas.rect(label, y + 3, wide, 16, "c0", f"{now:,} left")
        canvas.rect(label + wide, y + 3, gone, 16, "c1 light", f"{name}: {number:,} dropped")
        shown = f"{now:,} (−{number:,})" if number else f"{now:,}"
        canvas.text(label + wide + gone + 5, y + 15, shown)
    listed = ", ".join(f"{name} {number:,}" for name, number in took.items()) or "nothing"
    share = f" ({left / start:.0%})" if start else ""
    return canvas.drawing(title, f"Of {start:,}, {listed} drop out; {left:,} are {end}{share}.")


_DOT_ROW, _SERIES_ROW = 24, 14  # units


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with the ends of its interval; None where they are not known."""

    value: float | None
    low: float | None = None
    high: float | None = None


def dots(
    rows: Mapping[str, Sequence[Dot]],
    *,
    title: str,
    alt: str,
    series: Sequence[str] = (),
    highest: float = 1.0,
    bands: Mapping[str, Sequence[Dot | None]] | None = None,
) -> Drawing:
    """Draw a row of dots with their intervals, one dot for each series.

    Args:
        rows: by label, the values of the series.
        title: of the figure.
        alt: what one sees.
        series: their names; none are needed where there is one.
        highest: the value at the right end; the left end is 0, or the smallest value.
        bands: by label, what each dot is compared with: a grey band from low to high behind it,
            with a line at the value.
    """
    bands = bands or {}
    drawn = [d for of in (*rows.values(), *bands.values()) for d in of if d is not None]
    known = [e for d in drawn for e in (d.value, d.low, d.high) if e is not None]
    lowest, highest = min([0.0, *known]), max([highest, *known])
    label = min(170, max((width_of(name) for name in rows), default=0) + 8)
    top = 16 * legend_rows(series) + 6 if len(series) > 1 else 4
    height = max(_DOT_ROW, _SERIES_ROW * max((len(of) for of in rows.values()), default=1) + 8)
    bottom = top + height * len(rows)
    canvas = Canvas(bottom + 20)
    if len(series) > 1:
        legend(canvas, series)
    scale = (WIDTH - label - 16) / ((highest - lowest) or 1)

    def x(value: float) -> float:
        return label + (value - lowest) * scale

    for mark in (lowest + (highest - lowest) * step / 4 for step in range(5)):
        canvas.line((x(mark), top), (x(mark), bottom), "")
        canvas.text(x(mark), bottom + 15, f"{mark:.2f}", "middle", "quiet")
    for place, (name, of) in enumerate(rows.items()):
        middle = top + height * (place + 0.5)
        canvas.text(label - 8, middle + 4, cut(name, label - 8), "end")
        for number, (dot, band) in enumerate(zip_longest(of, bands.get(name, ()))):
            y = middle + _SERIES_ROW * (number - (len(of) - 1) / 2)
            if band is not None:
                _band(canvas, band, x, y)
            if dot.value is None:
                continue
            kind = f"c{number % SERIES}"
            if dot.low is not None and dot.high is not None:
                canvas.line((x(dot.low), y), (x(dot.high), y), f"{kind} solid")
            canvas.dot((x(dot.value), y), kind, tip=f"{name}: {dot.value:.3f}")
    return canvas.drawing(title, alt)


def _band(canvas: Canvas, band: Dot, x: Callable[[float], float], y: float) -> None:
    if band.low is not None and band.high is not None:
        canvas.rect(x(band.low), y - 6, x(band.high) - x(band.low), 12, "faint")
    if band.value is not None:
        canvas.line((x(band.value), y - 6), (x(band.value), y + 6), "quiet")


def matrix(
    cells: Sequence[Sequence[tuple[str, float]]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    alt: str,
    axes: tuple[str, str] = ("", ""),
) -> Drawing:
    """Draw a table whose cells are shaded by a share from 0 to 1.

    Args:
        cells: of each row, text and share; lines of the text are parted by line breaks.
        rows: their names.
        columns: their names.
        title: of the figure.
        alt: what one sees.
        axes: what the rows and the columns are.
    """
    left = min(120, max(map(width_of, [*rows, axes[0]]), default=0) + 10)
    wide = (WIDTH - left) / max(1, len(columns))
    tall = max(30, min(70, wide * 0.6))
    canvas = Canvas(34 + tall * len(rows))
    canvas.text(0, 12, cut(axes[0], left - 4), kind="quiet")
    canvas.text(left + (WIDTH - left) / 2, 12, axes[1], "middle", "quiet")
    for place, name in enumerate(columns):
        canvas.text(left + wide * (place + 0.5), 28, cut(name, wide), "middle")
    for row, name in enumerate(rows):
        y = 34 + tall * row
        canvas.text(left - 8, y + tall / 2 + 4, cut(name, left - 8), "end")
        for column, (text, share) in enumerate(cells[row]):
            x = left + wide * column
            canvas.rect(x, y, wide - 2, tall - 2, "faint edged")
            # Five shades: an opacity for each value would need a style of its own.
            shade = min(4, int(share * 5))
            canvas.rect(x, y, wide - 2, tall - 2, f"c0 shade{shade}", f"{name}, {columns[column]}")
            lines = text.split("\n")
            for number, line in enumerate(lines):
                at = y + tall / 2 + 4 + 15 * (number - (len(lines) - 1) / 2)
                kind = "inside" if shade > 2 else ""
                canvas.text(x + wide / 2 - 1, at, cut(line, wide), "middle", kind)
    return canvas.drawing(title, alt)


_MARKS = (
    ("minute", 1 / 1440), ("hour", 1 / 24), ("day", 1.0), ("month", 30.0),
    ("year", 365.0), ("10 years", 3650.0), ("100 years", 36500.0),
)  # fmt: skip
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
    plot = _Plot([*series], _QUARTERS, "time since the tag was put in", percent=True)
    days = [x for of in series.values() for x, _ in of if x > 0]
    least, most = min(days, default=1.0), max(days, default=1.0)
    first = max((mark for _, mark in _MARKS if mark <= least), default=_MARKS[0][1])
    last = max(most, first * 2)

    def x(days: float) -> float:
        share = math.log(max(days, first) / first) / math.log(last / first)
        return plot.left + (WIDTH - plot.left) * share

    free = 0.0
    for name, mark in ((name, mark) for name, mark in _MARKS if first <= mark <= last):
        at, half = x(mark), width_of(name) / 2
        plot.canvas.line((at, plot.top), (at, plot.bottom), "")
        begin = min(at - half, WIDTH - 2 * half)
        if begin >= free:
            place, anchor = (at, "middle") if at + half <= WIDTH else (WIDTH, "end")
            plot.canvas.text(place, plot.bottom + 15, name, anchor)
            free = begin + 2 * half + 4
    for number, of in enumerate(series.values()):
        line: list[Point] = []
        for day, share in of:
            if line:
                line.append((x(day), line[-1][1]))
            line.append((x(day), plot.y(share)))
        plot.canvas.path(line, f"c{number % SERIES}")
    return plot.canvas.drawing(title, alt)
