"""How long tags stood on their pages, and how many still do."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wikibias.curation.tag_spells import joined, spells
from wikibias.messages import counted
from wikibias.reports.reading import files


@dataclass(slots=True)
class Lives:
    """How long the tags of one name, or of all, stood: one life for each, see `joined`.

    `ended` says of each whether it was seen to end; else it stood at least so long.
    """

    days: array[float] = field(default_factory=lambda: array("d"))
    ended: array[int] = field(default_factory=lambda: array("b"))
    standing: int = 0

    def add(self, days: float, *, ended: bool, stands: bool) -> None:
        """Take a life."""
        self.days.append(days)
        self.ended.append(ended)
        self.standing += stands


def lives(folder: Path) -> dict[str, Lives] | None:
    """Return the lives of tags by canonical name, all under ""; None without transitions.

    Lives whose beginning was not seen count only as standing.
    """
    if not files(folder, "transitions"):
        return None
    found: dict[str, Lives] = {"": Lives()}
    for spell in joined(spells(folder)):
        for name in ("", spell.tag):
            of = found.setdefault(name, Lives())
            if spell.begins_unseen:
                of.standing += spell.stands
            else:
                of.add(spell.days, ended=spell.taken_out is not None, stands=spell.stands)
    return found


def survival(found: Lives) -> list[tuple[float, float]]:
    """Return which share of the tags stood how many days: Kaplan and Meier (1958), as steps.

    Those that were not seen to end count up to the day on which they were last seen.
    """
    order = sorted(range(len(found.days)), key=lambda each: found.days[each])
    curve, share, at_risk = [(0.0, 1.0)], 1.0, len(order)
    place = 0
    while place < len(order):
        day, ends, gone = found.days[order[place]], 0, 0
        while place < len(order) and found.days[order[place]] == day:
            ends += found.ended[order[place]]
            gone, place = gone + 1, place + 1
        if ends:
            share *= 1 - ends / at_risk
            curve.append((day, share))
        at_risk -= gone
    if order:
        curve.append((found.days[order[-1]], share))
    return curve


def median_life(curve: Sequence[tuple[float, float]]) -> float | None:
    """Return the day by which half of the tags were gone; None where more of them stand."""
    return next((day for day, share in curve if share <= 0.5), None)


def in_days(days: float) -> str:
    """Return a time in whole days, in words."""
    return counted(round(days), "day") if days >= 1 else "less than a day"
