"""Documents as values: sections of paragraphs, tables, facts, figures, quotes and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_SPAN = re.compile(r"([0-9]{1,9}):([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and whether it changed."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """Two sides of a change, either of which may be empty; `note` says how they relate."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    note: str = ""


def pieces(text: str, spans: str) -> tuple[Piece, ...]:
    """Cut a text into pieces by the spans of `Link.changed_spans`, such as "12:18 30:34".

    Spans that do not fit the text, or do not follow each other, do not count.
    """
    return tuple(Piece(*each) for each in _pieces(text, spans) if each[0])


def whole(text: str, *, changed: bool = False) -> tuple[Piece, ...]:
    """Return a text as one piece; of an empty one, nothing."""
    return (Piece(text, changed),) if text else ()


def _pieces(text: str, spans: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for found in _SPAN.finditer(spans):
        start, end = int(found[1]), int(found[2])
        if at <= start < end <= len(text):
            yield text[at:start], False
            yield text[start:end], True
            at = end
    yield text[at:], False


Interval = Mapping[str, float | None]
"""`value` with the ends `low` and `high` of its confidence interval; None where not defined."""


def number(value: float | None) -> str:
    """Format a score with three decimals, without the sign of one that is rounded to 0."""
    return "–" if value is None else f"{round(value, 3) + 0.0:.3f}"


def p_value(p: float) -> str:
    """Format the p-value of a test."""
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def with_interval(entry: Interval) -> str:
    """Format a score with its confidence interval."""
    if entry["value"] is None:
        return "–"
    return f"{number(entry['value'])} [{number(entry['low'])}, {number(entry['high'])}]"


LEVELS = 5
"""How many shades there are: the classes `h1` to `h5`."""
Values = Sequence[Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A number as text, and its shade from 1 to `LEVELS`; 0 for none."""

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A shaded table, for the macro `heat_map` of the kit.

    Attributes:
        title: what it is about.
        corner: what the rows are.
        columns: the heads, each a short name and what stands below it.
        rows: name and cells.
        last: a row that sums up, under a line; its cells are not shaded.
        legend: each shade with the numbers it stands for.
    """

    title: str
    corner: str
    columns: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[HeatCell]]]
    last: tuple[str, Sequence[HeatCell]] | None
    legend: Sequence[HeatCell]


def heat_map(
    rows: Sequence[str],
    columns: Sequence[tuple[str, str]],
    values: Values,
    *,
    title: str,
    corner: str,
    last: tuple[str, Sequence[float | None]] | None = None,
) -> HeatMap:
    """Return the map of numbers, rows by columns, in shades of equal width from lowest to highest.

    Args:
        rows: their names.
        columns: their heads; see `HeatMap`.
        values: of each row; None where there is no number.
        title: see `HeatMap`.
        corner: see `HeatMap`.
        last: see `HeatMap`.
    """
    known = [value for row in values for value in row if value is not None]
    lowest, highest = min(known, default=0.0), max(known, default=0.0)
    wide = (highest - lowest) / LEVELS

    def cell(value: float | None) -> HeatCell:
        if value is None:
            return HeatCell("–", 0)
        level = 1 + min(LEVELS - 1, int((value - lowest) / wide)) if wide > 0 else 1
        return HeatCell(_written(value), level)

    ends = [_written(lowest + wide * step) for step in range(LEVELS + 1)]
    spans = [f"{ends[step]} to {ends[step + 1]}" for step in range(LEVELS)]
    legend = [HeatCell(span, step + 1) for step, span in enumerate(spans)] if wide > 0 else []
    cells = [(name, [cell(value) for value in of]) for name, of in zip(rows, values, strict=True)]
    sums = None if last is None else (last[0], [HeatCell(cell(v).text, 0) for v in last[1]])
    return HeatMap(title, corner, columns, cells, sums, legend)


def _written(value: float) -> str:
    """Return a number with two decimals, and without the sign of one that is rounded to 0."""
    return f"{round(value, 2) + 0.0:.2f}"
