"""Draws on a canvas and gives SVG: the parts that figures are made of.

A drawing is 360 units wide and its letters are 12 high, so that they can be read on a phone. It
names colours by class only; `figures.css` gives them, for light and for dark pages.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from wikibias.messages import printable

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
        size = f'width="{_short(max(0, width))}" height="{_short(max(0, height))}"'
        self._add(f'rect x="{_short(x)}" y="{_short(y)}" {size} class="{escape(kind)}"', tip)

    def line(self, start: Point, end: Point, kind: str) -> None:
        """Draw a straight line."""
        places = zip(("x1", "y1", "x2", "y2"), (*start, *end), strict=True)
        at = " ".join(f'{name}="{_short(value)}"' for name, value in places)
        self._add(f'line {at} class="{escape(kind)}"')

    def path(self, points: Iterable[Point], kind: str) -> None:
        """Draw a line through points."""
        steps = " L".join(f"{_short(x)} {_short(y)}" for x, y in points)
        if steps:
            self._add(f'path d="M{steps}" class="{escape(kind)}"')

    def area(self, points: Iterable[Point], kind: str) -> None:
        """Fill what a line through points encloses, faintly."""
        corners = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
        if corners:
            self._add(f'polygon points="{corners}" class="{escape(kind)}"')

    def dot(self, centre: Point, kind: str, radius: float = 4, tip: str = "") -> None:
        """Draw a filled circle, or a ring where the kind says so."""
        x, y = centre
        self._add(
            f'circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" class="{escape(kind)}"',
            tip,
        )

    def text(
        self, x: float, y: float, content: str, anchor: str = "start", kind: str = "", turn: int = 0
    ) -> None:
        """Write a line of text; `y` is its base line, `turn` in degrees about its anchor."""
        turned = f' transform="rotate({turn} {_short(x)} {_short(y)})"' if turn else ""
        begin = f'text x="{_short(x)}" y="{_short(y)}" text-anchor="{escape(anchor)}"{turned}'
        shown = escape(printable(content))
        self._parts.append(f'<{begin} class="{escape(kind)}">{shown}</text>')

    def drawing(self, title: str, alt: str) -> Drawing:
        """Return what was drawn."""
        title, alt = printable(title), printable(alt)
        begin = (
            f'<svg class="drawing" viewBox="0 0 {WIDTH} {_short(self._height)}" role="img" '
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


def legend(canvas: Canvas, names: Sequence[str], y: float, x: float = 0) -> None:
    """Write the names of series with their colours, side by side; see `legend_rows`."""
    left = x
    for number, name in enumerate(names):
        wide = 20 + width_of(name)
        if left > x and left + wide > WIDTH:
            left, y = x, y + 16
        canvas.rect(left, y - 9, 10, 10, f"c{number % SERIES}")
        canvas.text(left + 14, y, cut(name, WIDTH - 20 - x))
        left += wide + 8


def legend_rows(names: Sequence[str], x: float = 0) -> int:
    """Return how many lines of 16 units a legend takes."""
    rows, left = 1, x
    for name in names:
        wide = 20 + width_of(name)
        if left > x and left + wide > WIDTH:
            rows, left = rows + 1, x
        left += wide + 8
    return rows


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


def ticks(most: float, about: int = 4, *, whole: bool = True) -> list[float]:
    """Return round numbers from 0 to the first that is not less than `most`.

    Args:
        most: the largest value to show.
        about: how many steps.
        whole: no fractions, as of what is counted.
    """
    if not most > 0 or not math.isfinite(most):
        return [0, 1]
    rough = most / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * 0.999)
    if whole:
        step = max(1, step)
    return [round(step * number, 10) for number in range(math.ceil(most / step - 1e-9) + 1)]


def shown(value: float) -> str:
    """Return a number for an axis or a label: 1,200, or 0.25."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.3g}"


def _short(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
