"""A table of numbers whose cells are shaded by them; the numbers stand in the cells, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
