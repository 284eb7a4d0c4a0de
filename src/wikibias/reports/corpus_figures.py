"""The figures of a corpus, each with words that say what one sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from wikibias.curation.tag_statistics import median
from wikibias.kits.charts import Drawing, bars, columns, funnel, points, survival_chart
from wikibias.messages import counted
from wikibias.reports.corpus_statistics import (
    BINS,
    LABELS,
    Edits,
    Sentences,
    Transitions,
    groups_of_lengths,
)
from wikibias.reports.tag_lives import TagLives, in_days

MOST_TAGS = 10


def of_filters(steps: Sequence[tuple[str, int]], start: int) -> Drawing:
    """Draw what each filter left of the edits; those that dropped none are left out."""
    drop = [(name, number) for name, number in steps if number]
    kept = start - sum(number for _, number in drop)
    said = ", ".join(f"{name} {number:,}" for name, number in drop) or "none"
    alt = f"Of {counted(start, 'pair')} of revisions, filters drop {said}; {kept:,} are kept"
    rows = [("all", 0), *drop, ("kept", 0)]
    return funnel(rows, start, title="What the filters left", alt=f"{alt}{_share(kept, start)}.")


def of_years(found: Transitions) -> Drawing:
    """Draw how many edits put tags in and took tags out in each year."""
    years = found.years
    series = {name: [of[year] for year in years] for name, of in _directions(found)}
    alt = "; ".join(f"{name}: {_over(years, values)}" for name, values in series.items())
    names = [str(year) for year in years]
    return columns(names, series, title="Tags put in and taken out", alt=f"{alt}.", axis="year")


def of_tags(found: Transitions) -> Drawing:
    """Draw how often the most frequent tags were taken out."""
    rows = found.tags_removed.most_common(MOST_TAGS)
    rows.sort(key=lambda row: (-row[1], row[0]))
    alt = ", ".join(f"{name} {number:,} times" for name, number in rows) or "no tag was taken out"
    left = len(found.tags_removed) - len(rows)
    more = f"; {left:,} other tags less often" if left else ""
    return bars(rows, title="Tags taken out", alt=f"{alt}{more}.")


def of_lives(found: Mapping[str, TagLives]) -> Drawing:
    """Draw which share of tags still stood after how many days: all, or of several names."""
    drawn, said = {}, []
    for name, lives in ((name, of.lives) for name, of in found.items() if of.lives):
        curve = lives.curve()
        drawn[name] = points([(step.days, step.share) for step in curve], lives.longest)
        said.append(f"{name}: {_life(median(curve)[0], *drawn[name][-1])}")
    alt = f"{'; '.join(said) or 'no tag was seen to come'}."
    return survival_chart(drawn, title="How long tags stand", alt=alt)


def of_edits(found: Edits) -> Drawing:
    """Draw how many edits removed how many sentences."""
    rows = [(name, float(number)) for name, number in zip(BINS, found.bins, strict=True)]
    alt = ", ".join(
        f"{number:,} edits removed {name}" for name, number in zip(BINS, found.bins, strict=True)
    )
    return bars(rows, title="Kept edits by sentences removed", alt=f"{alt} sentences.")


def of_lengths(found: Sentences) -> Drawing:
    """Draw how many sentences of each class have how many words."""
    series = {label: found.histogram(label) for label in LABELS}
    alt = "; ".join(
        f"{label}: half of the sentences have {found.median(label)} words or fewer"
        for label in LABELS
        if found.median(label) is not None
    )
    return columns(
        groups_of_lengths(), series, title="Sentences by length", alt=f"{alt}.", axis="words"
    )


def of_tiers(tiers: Mapping[str, Mapping[str, int]]) -> Drawing:
    """Draw how many sentences of each class each tier has."""
    names = list(tiers)
    series = {label: [tiers[name].get(label, 0) for name in names] for label in LABELS}
    alt = "; ".join(
        f"{name} tier: {series['biased'][place]:,} biased and {series['neutral'][place]:,} neutral"
        for place, name in enumerate(names)
    )
    return columns(names, series, title="Confidence tiers by class", alt=f"{alt}.", axis="tier")


def of_removals(found: Mapping[str, Transitions]) -> Drawing:
    """Draw the removals of several corpora by year, side by side."""
    years = sorted({year for of in found.values() for year in of.years})
    years = [*range(years[0], years[-1] + 1)] if years else []
    series = {name: [of.removed[year] for year in years] for name, of in found.items()}
    alt = "; ".join(f"{name}: {_over(years, values)}" for name, values in series.items())
    names = [str(year) for year in years]
    return columns(names, series, title="Edits that took tags out", alt=f"{alt}.", axis="year")


def of_shares(shares: Mapping[str, tuple[int, int]]) -> Drawing:
    """Draw which share of the edits the filters kept in each corpus, in percent."""
    rows = [(name, round(100 * kept / of, 1)) for name, (kept, of) in shares.items() if of]
    alt = ", ".join(f"{name} {share:g} %" for name, share in rows)
    return bars(rows, title="Edits kept, in percent", alt=f"{alt or 'no edits'}.")


def _directions(found: Transitions) -> Sequence[tuple[str, Counter[int]]]:
    return [("put in", found.added), ("taken out", found.removed)]


def _over(years: Sequence[int], values: Sequence[int]) -> str:
    """Say how a number goes over the years: first, largest, last."""
    if not any(values):
        return "none"
    seen = [(year, value) for year, value in zip(years, values, strict=True) if value]
    (first, at_first), (last, at_last) = seen[0], seen[-1]
    peak, most = max(seen, key=lambda each: each[1])
    if first == last:
        return f"{at_first:,}, all in {first}"
    if peak in (first, last):
        way = "falling" if peak == first else "rising"
        return f"{way} from {at_first:,} in {first} to {at_last:,} in {last}"
    return f"{at_first:,} in {first}, at most {most:,} in {peak}, {at_last:,} in {last}"


def _life(half: float | None, day: float, share: float) -> str:
    said = f"half are gone after {in_days(half)}" if half is not None else "fewer than half go"
    return f"{said}, and {share:.0%} still stand after {in_days(day)}"


def _share(part: int, whole: int) -> str:
    return f" ({part / whole:.0%})" if whole else ""
