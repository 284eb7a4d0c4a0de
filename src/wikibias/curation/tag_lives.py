"""Survival curves of tags, by what they are compared by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from wikibias.curation.survival import Lives, median, share_after
from wikibias.curation.tag_spells import TagSpell
from wikibias.kits.schemas import Table

By = Literal["tag", "family", "namespace", "period"]
ALL = "all"
_PERIOD = 5  # years
_MONTH, _YEAR = 30, 365  # days


@dataclass(frozen=True, slots=True)
class LifeStep:
    """A step of the survival curve of a group of tags; see `survival.Step`."""

    wiki: str
    by: str
    group: str
    days: float
    at_risk: int
    taken_out: int
    share: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Group:
    """The lives of a group of tags: how many, how many stand, and their median in days."""

    wiki: str
    name: str
    lives: int
    taken_out: int
    median: float | None
    low: float | None
    high: float | None
    after_month: float
    after_year: float
    longest: float
    steps: tuple[LifeStep, ...]


LIFE_STEPS = Table("timeline", LifeStep)


def group_lives(
    spells: Iterable[TagSpell], by: By, families: Mapping[tuple[str, str], str]
) -> tuple[list[Group], int]:
    """Return the groups of each wiki, first of all lives, then the ones with the most lives.

    The second value is the number of spells left out, as it is not known when they began.

    Args:
        spells: the lives.
        by: what they are compared by.
        families: of the tags of each wiki; they may be filled while the spells are read.
    """
    name_of = _NAMES[by]
    found: defaultdict[tuple[str, str], Lives] = defaultdict(Lives)
    left_out = 0
    for spell in spells:
        if spell.begins_unseen:
            left_out += 1
            continue
        for name in (ALL, name_of(spell, families)):
            found[spell.wiki, name].add(spell.days, has_ended=spell.taken_out is not None)
    # Times in their order, the others by size.
    size = {key: 0 if by == "period" else -len(lives) for key, lives in found.items()}
    order = sorted(found, key=lambda key: (key[0], key[1] != ALL, size[key], key[1]))
    return [_group(*key, found[key], by) for key in order], left_out


def _group(wiki: str, name: str, lives: Lives, by: str) -> Group:
    curve = lives.curve()
    middle, low, high = median(curve)
    return Group(
        wiki=wiki,
        name=name,
        lives=len(lives),
        taken_out=lives.ended,
        median=middle,
        low=low,
        high=high,
        after_month=share_after(curve, _MONTH),
        after_year=share_after(curve, _YEAR),
        longest=lives.longest,
        steps=tuple(LifeStep(wiki, by, name, *step) for step in curve),
    )


def _period(spell: TagSpell) -> str:
    first = spell.put_in.year - (spell.put_in.year - 1) % _PERIOD
    return f"{first}-{first + _PERIOD - 1}"


_NAMES: Mapping[str, Callable[[TagSpell, Mapping[tuple[str, str], str]], str]] = {
    "tag": lambda spell, _: spell.tag,
    "family": lambda spell, families: families.get((spell.wiki, spell.tag)) or "unknown",
    "namespace": lambda spell, _: f"namespace {spell.namespace}",
    "period": lambda spell, _: _period(spell),
}
