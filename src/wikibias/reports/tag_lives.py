"""How long tags stood on their pages, and how many still do, for the page of a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from wikibias.curation.tag_statistics import Lives
from wikibias.curation.tagged_intervals import tagged_intervals, without_reverts
from wikibias.messages import counted
from wikibias.reports.reading import files

ALL = "all tags"


@dataclass(slots=True)
class TagLives:
    """The lives of the tags of one name, and how many of these tags still stand."""

    lives: Lives = field(default_factory=Lives)
    standing: int = 0


def of_tags(folder: Path) -> dict[str, TagLives] | None:
    """Return the lives of tags by canonical name, all under `ALL`; None without transitions.

    A life is as editors meant it, see `joined`. One whose beginning was not seen counts only where
    the tag still stands.
    """
    if not files(folder, "transitions"):
        return None
    found = {ALL: TagLives()}
    for spell in without_reverts(tagged_intervals(folder)):
        for name in (ALL, spell.tag):
            of = found.setdefault(name, TagLives())
            of.standing += spell.stands
            if not spell.begins_unseen:
                of.lives.add(spell.days, has_ended=spell.taken_out is not None)
    return found


def in_days(days: float) -> str:
    """Return a time in whole days, in words."""
    return counted(round(days), "day") if days >= 1 else "less than a day"
