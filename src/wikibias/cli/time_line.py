"""The time line of a page's tags in plain characters, which can be read without colour."""

from __future__ import annotations

from datetime import datetime

from rich.cells import cell_len, set_cell_size

from wikibias.messages import printable
from wikibias.pipeline.stages import KEPT
from wikibias.reports.inspection import PageReport

LEGEND = "+ put in   = stands   x taken out   K kept for the corpus   > still stands"
_LONGEST_NAME = 24
_LEAST = 20
_YEAR = 5  # characters


def time_line(page: PageReport, width: int) -> list[str]:
    """Return a line for each tag of a page, the years below them, all of this width at most."""
    names = [printable(tag) for tag in page.tags]
    label = min(_LONGEST_NAME, max(map(cell_len, names), default=0))
    room = max(_LEAST, width - label - 1)
    scale = _Scale(page.began, page.until, room)
    lines = [
        f"{set_cell_size(name, label)} {_bar(page, tag, scale)}"
        for tag, name in zip(page.tags, names, strict=True)
    ]
    return [*lines, f"{' ' * label} {_years(scale)}".rstrip()]


class _Scale:
    """Puts times into columns."""

    def __init__(self, began: datetime, until: datetime, room: int) -> None:
        self.began, self.until, self.room = began, until, room
        self._seconds = max(1.0, (until - began).total_seconds())

    def column(self, moment: datetime) -> int:
        """Return the column of a time."""
        share = (moment - self.began).total_seconds() / self._seconds
        return min(self.room - 1, max(0, int(share * self.room)))


def _bar(page: PageReport, tag: str, scale: _Scale) -> str:
    made = [change.change.provenance for change in page.changes if change.verdict == KEPT]
    kept = {(each.kind, each.after_rev_id) for each in made if tag in each.tags}
    cells = ["."] * scale.room
    spells = [spell for spell in page.spells if spell.tag == tag]
    for spell in spells:
        first = scale.column(spell.put_in)
        last = scale.column(spell.taken_out or spell.observed_until)
        for column in range(first, last + 1):
            if cells[column] == ".":
                cells[column] = "="
    # What tells more is written last, where several share a column.
    marks: list[tuple[str, datetime]] = [("+", spell.put_in) for spell in spells]
    marks += [(">", spell.observed_until) for spell in spells if spell.stands]
    marks += [("x", spell.taken_out) for spell in spells if spell.taken_out]
    for spell in spells:
        if ("added", spell.put_in_rev) in kept:
            marks.append(("K", spell.put_in))
        if spell.taken_out and ("removed", spell.taken_out_rev) in kept:
            marks.append(("K", spell.taken_out))
    for mark, moment in marks:
        cells[scale.column(moment)] = mark
    return "".join(cells)


def _years(scale: _Scale) -> str:
    """Return the first day of years, and the year of the beginning, where there is room."""
    line = [" "] * scale.room
    free = 0
    for year in range(scale.began.year, scale.until.year + 1):
        begins = max(scale.began, scale.began.replace(year=year, month=1, day=1))
        column = scale.column(begins)
        if free <= column <= scale.room - _YEAR + 1:
            line[column : column + 4] = f"{year:04}"
            free = column + _YEAR
    return "".join(line)
