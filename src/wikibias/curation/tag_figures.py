"""Figures of the statistics of tags, with texts that say what one sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wikibias.curation.tag_lives import Group
from wikibias.curation.tag_spells import TagSpell
from wikibias.curation.tag_years import TagYear
from wikibias.kits.charts import SERIES, Drawing, bars, columns, points, survival_chart
from wikibias.messages import counted

Number = Callable[[TagYear], int]


def figures_of_years(rows: Sequence[TagYear]) -> list[Drawing]:
    """Draw additions and removals; and, where there are any, the stock and the calls by tag."""
    if not rows:
        return []
    years = list(range(min(row.year for row in rows), max(row.year for row in rows) + 1))
    names = [str(year) for year in years]
    changes = {
        "put in": _by_year(rows, years, lambda row: row.additions),
        "taken out": _by_year(rows, years, lambda row: row.removals),
    }
    drawings = [
        columns(
            names,
            changes,
            title="Tags put in and taken out, by year",
            alt=" ".join(_course(f"Tags {name}", years, of) for name, of in changes.items()),
        ),
    ]
    if any(row.stock for row in rows):
        title = "Tags that stand at the end of the year"
        drawings.append(_stacked(rows, years, lambda row: row.stock, title))
    if any(row.calls for row in rows):
        title = "Revisions that call a tag, by year"
        drawings.append(_stacked(rows, years, lambda row: row.calls or 0, title))
    return drawings


def _stacked(rows: Sequence[TagYear], years: Sequence[int], number: Number, title: str) -> Drawing:
    series = {name: _by_year(of, years, number) for name, of in _largest_tags(rows, number).items()}
    alts = [_course(f"{title}, in all", years, _by_year(rows, years, number))]
    alts += [_course(name, years, of) for name, of in series.items()]
    names = [str(year) for year in years]
    return columns(names, series, title=title, alt=" ".join(alts), stacked=True)


def _largest_tags(rows: Sequence[TagYear], number: Number) -> dict[str, list[TagYear]]:
    """Return the rows of the tags with the largest numbers; the last series is of all others."""
    by_tag: dict[str, list[TagYear]] = {}
    for row in rows:
        by_tag.setdefault(row.tag, []).append(row)
    order = sorted(by_tag, key=lambda tag: (-sum(map(number, by_tag[tag])), tag))
    shown = order if len(order) <= SERIES else order[: SERIES - 1]
    found = {tag: by_tag[tag] for tag in shown}
    if len(order) > len(shown):
        others = [row for tag in order[len(shown) :] for row in by_tag[tag]]
        found[f"{len(order) - len(shown)} others"] = others
    return found


def _by_year(rows: Sequence[TagYear], years: Sequence[int], number: Number) -> list[int]:
    found = dict.fromkeys(years, 0)
    for row in rows:
        found[row.year] += number(row)
    return list(found.values())


def _course(name: str, years: Sequence[int], values: Sequence[int]) -> str:
    """Say where a series begins, where it is highest, and where it ends."""
    if not any(values):
        return f"{name}: none."
    top = max(values)
    at = years[values.index(top)]
    first = next(year for year, value in zip(years, values, strict=True) if value)
    parts = [f"{values[years.index(first)]:,} in {first}"] if first != at else []
    parts.append(f"most in {at}, {top:,}")
    parts += [f"{values[-1]:,} in {years[-1]}"] if years[-1] != at else []
    return f"{name}: {'; '.join(parts)}."


def figures_of_lives(groups: Sequence[Group]) -> list[Drawing]:
    """Draw the survival curves of the first groups, as many as there are colours."""
    shown = groups[:SERIES]
    several = len({group.wiki for group in shown}) > 1
    names = {f"{group.wiki}: {group.name}" if several else group.name: group for group in shown}
    series = {
        name: points([(step.days, step.share) for step in group.steps], group.longest)
        for name, group in names.items()
    }
    alt = " ".join(_told(name, group) for name, group in names.items())
    return [survival_chart(series, title="The share of tags that still stand", alt=alt)]


def _told(name: str, group: Group) -> str:
    half = (
        "more than half still stand when last seen"
        if group.median is None
        else f"half are taken out within {group.median:,.1f} days"
    )
    return (
        f"{name}: of {counted(group.lives, 'tag')}, {half}; {group.after_month:.0%} stand longer "
        f"than 30 days, {group.after_year:.0%} longer than a year."
    )


def figures_of_standing(spells: Sequence[TagSpell]) -> list[Drawing]:
    """Draw a bar for each spell: how many days."""
    stand = [spell.stands for spell in spells]
    title = "Days that tags stood"
    if any(stand):
        title = "Days that tags stand" if all(stand) else f"{title} (orange: they still do)"
    rows = [
        (f"{spell.tag}: {spell.page_title}", round(spell.days, 1 if spell.days < 10 else None))
        for spell in spells
    ]
    told = [
        f"{name}: {days:,.0f} days{', and stands' if spell.stands else ''}."
        for (name, days), spell in zip(rows, spells, strict=True)
    ]
    kinds = ["c1" if spell.stands else "c0" for spell in spells]
    return [bars(rows, title=title, alt=" ".join(told) or "None.", kinds=kinds)]
