"""What happened to each tag in each year: calls, additions, removals, and where it stood."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wikibias.curation.tag_spells import TagSpell
from wikibias.kits.schemas import Table
from wikibias.records import Int32

Tagged = tuple[str, str]
"""A wiki and a canonical tag."""
# Wikis have no revisions before 2000; a clock that is wrong is no reason for a million rows.
_FIRST, _LAST = 2000, 2100


@dataclass(frozen=True, slots=True)
class TagYear:
    """What happened to a tag in one year, in all pages of a wiki.

    Attributes:
        family: of the tag; "" where the tag set is not known any more.
        calls: revisions that call it, added up over its names; None where no counts are given.
        additions: how often it was put in, `additions_reverted` of them undone by a revert.
        removals: how often it was taken out, `removals_reverted` of them undone by a revert.
        unseen: spells that begin in what the table does not tell, less those that end so.
        stock: the pages with the tag at the end of the year: those of the year before, with
            additions and `unseen`, without removals.
    """

    wiki: str
    tag: str
    family: str
    year: Int32
    calls: int | None
    additions: int
    additions_reverted: int
    removals: int
    removals_reverted: int
    unseen: int
    stock: int


TAG_YEARS = Table("years", TagYear)
_COUNTED = ("additions", "additions_reverted", "removals", "removals_reverted", "unseen")


@dataclass(slots=True)
class _Tally:
    """The numbers of one tag, by year."""

    counts: dict[str, Counter[int]] = field(
        default_factory=lambda: {name: Counter() for name in _COUNTED}
    )
    last: int = _FIRST

    def add(self, spell: TagSpell) -> None:
        begin, end = _year(spell.put_in.year), _year(spell.observed_until.year)
        self.last = max(self.last, end)
        if spell.begins_unseen:
            self.counts["unseen"][begin] += 1
        else:
            self.counts["additions"][begin] += 1
            self.counts["additions_reverted"][begin] += spell.reverted
        if spell.taken_out is not None:
            gone = _year(spell.taken_out.year)
            self.counts["removals"][gone] += 1
            self.counts["removals_reverted"][gone] += spell.taken_out_reverted
            self.last = max(self.last, gone)
        elif not spell.stands:
            self.counts["unseen"][end] -= 1


def tag_years(
    spells: Iterable[TagSpell],
    families: Mapping[Tagged, str],
    calls: Mapping[str, Mapping[tuple[str, int], int]],
) -> list[TagYear]:
    """Return a row for each tag and year, from the first in which it is seen to the last of all.

    Args:
        spells: of one wiki or several.
        families: of the tags.
        calls: for each wiki whose calls were counted, the revisions by tag and year.
    """
    tallies: defaultdict[Tagged, _Tally] = defaultdict(_Tally)
    for spell in spells:
        tallies[spell.wiki, spell.tag].add(spell)
    for wiki, counted in calls.items():
        for tag, year in counted:
            tallies[wiki, tag].last = max(tallies[wiki, tag].last, _year(year))
    rows: list[TagYear] = []
    for wiki in sorted({wiki for wiki, _ in tallies}):
        last = max(tally.last for tagged, tally in tallies.items() if tagged[0] == wiki)
        for tagged in sorted(tagged for tagged in tallies if tagged[0] == wiki):
            rows += _rows(tagged, tallies[tagged], last, families.get(tagged, ""), calls.get(wiki))
    return rows


def _rows(
    tagged: Tagged,
    tally: _Tally,
    last: int,
    family: str,
    calls: Mapping[tuple[str, int], int] | None,
) -> Iterable[TagYear]:
    wiki, tag = tagged
    seen = {year for counts in tally.counts.values() for year in counts}
    seen |= {_year(year) for name, year in calls or () if name == tag}
    stock = 0
    for year in range(min(seen, default=last), last + 1):
        now = {name: counts[year] for name, counts in tally.counts.items()}
        stock += now["additions"] - now["removals"] + now["unseen"]
        told = None if calls is None else calls.get((tag, year), 0)
        yield TagYear(wiki, tag, family, year, told, **now, stock=stock)


def sums_by_year(rows: Sequence[TagYear]) -> dict[int, Counter[str]]:
    """Return the numbers of all tags together in each year, up to the last that has any."""
    found: dict[int, Counter[str]] = {}
    for row in sorted(rows, key=lambda row: row.year):
        found.setdefault(row.year, Counter()).update(_numbers(row))
    last = max((year for year, of in found.items() if any(of.values())), default=0)
    return {year: of for year, of in found.items() if year <= last}


def sums_by_tag(rows: Sequence[TagYear]) -> dict[str, Counter[str]]:
    """Return the numbers of each tag in all years, and its last stock, by additions and calls."""
    found: dict[str, Counter[str]] = {}
    last = {(row.wiki, row.tag): row.year for row in rows}
    for row in rows:
        now = _numbers(row)
        if row.year != last[row.wiki, row.tag]:
            del now["stock"]
        found.setdefault(row.tag, Counter()).update(now)
    order = sorted(found, key=lambda tag: (-found[tag]["additions"], -found[tag]["calls"], tag))
    return {tag: found[tag] for tag in order}


def _numbers(row: TagYear) -> Counter[str]:
    names = (*_COUNTED, "stock")
    return Counter({name: getattr(row, name) for name in names} | {"calls": row.calls or 0})


def _year(year: int) -> int:
    return min(max(year, _FIRST), _LAST)
