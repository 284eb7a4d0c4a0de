"""Charts of dots: values with their intervals, clouds over levels, a matrix of shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wikibias.rendering.svg import (
    SERIES,
    WIDTH,
    Canvas,
    Drawing,
    cut,
    legend,
    legend_rows,
    width_of,
)

_ROW, _SERIES_ROW = 24, 14  # units


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
    reference: float | None = None,
    lowest: float = 0.0,
    highest: float = 1.0,
    bands: Mapping[str, Sequence[Dot | None]] | None = None,
) -> Drawing:
    """Draw a row of dots with their intervals, one dot for each series.

    Args:
        rows: by label, the values of the series.
        title: of the figure.
        alt: what one sees.
        series: their names; none are needed where there is one.
        reference: a value at which a dashed line stands.
        lowest: the value at the left end; further left if a value is smaller.
        highest: the value at the right end.
        bands: by label, what each dot is compared with: a grey band from low to high behind it,
            with a line at the value.
    """
    bands = bands or {}
    drawn = [d for of in (*rows.values(), *bands.values()) for d in of if d is not None]
    known = [e for d in drawn for e in (d.value, d.low, d.high) if e is not None]
    lowest, highest = min([lowest, *known]), max([highest, *known])
    label = min(170, max((width_of(name) for name in rows), default=0) + 8)
    top = 16 * legend_rows(series) + 6 if len(series) > 1 else 4
    height = max(_ROW, _SERIES_ROW * max((len(of) for of in rows.values()), default=1) + 8)
    bottom = top + height * len(rows)
    canvas = Canvas(bottom + 20)
    if len(series) > 1:
        legend(canvas, series, 11)
    scale = (WIDTH - label - 16) / ((highest - lowest) or 1)

    def x(value: float) -> float:
        return label + (value - lowest) * scale

    for mark in (lowest + (highest - lowest) * step / 4 for step in range(5)):
        canvas.line((x(mark), top), (x(mark), bottom), "")
        canvas.text(x(mark), bottom + 15, f"{mark:.2f}", "middle", "quiet")
    if reference is not None:
        canvas.line((x(reference), top), (x(reference), bottom), "dashed")
    for place, (name, of) in enumerate(rows.items()):
        middle = top + height * (place + 0.5)
        canvas.text(label - 8, middle + 4, cut(name, label - 8), "end")
        for number, band in enumerate(bands.get(name, ())):
            _band(canvas, band, x, middle + _below(number, len(of)))
        _row_of_dots(canvas, name, of, x, middle)
    return canvas.drawing(title, alt)


def _below(number: int, of: int) -> float:
    """Return how far below the middle of its row the dot of a series stands."""
    return _SERIES_ROW * (number - (of - 1) / 2)


def _band(canvas: Canvas, band: Dot | None, x: Callable[[float], float], y: float) -> None:
    if band is None:
        return
    if band.low is not None and band.high is not None:
        canvas.rect(x(band.low), y - 6, x(band.high) - x(band.low), 12, "faint")
    if band.value is not None:
        canvas.line((x(band.value), y - 6), (x(band.value), y + 6), "quiet")


def _row_of_dots(
    canvas: Canvas, name: str, of: Sequence[Dot], x: Callable[[float], float], middle: float
) -> None:
    """Draw a dot and its interval for each series, below each other about the middle."""
    for number, dot in enumerate(of):
        if dot.value is None:
            continue
        y = middle + _below(number, len(of))
        kind = f"c{number % SERIES}"
        if dot.low is not None and dot.high is not None:
            canvas.line((x(dot.low), y), (x(dot.high), y), f"{kind} solid")
        canvas.dot((x(dot.value), y), kind, tip=f"{name}: {dot.value:.3f}")


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
