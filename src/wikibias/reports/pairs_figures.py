"""The figures of sentence pairs, each with words that say what one sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from wikibias.kits.charts import Drawing, bars, columns, funnel
from wikibias.messages import counted
from wikibias.reports.pairs_statistics import MOST_SPANS, TENS, TYPES, PairCounts

GROUPS = ("0", "1", "2", "3", "4–5", "6–10", "11 and more")
"""Pairs by how many words were taken out, or put in."""
_ENDS = (0, 1, 2, 3, 5, 10)


def of_stages(steps: Sequence[tuple[str, int]], start: int, what: str) -> Drawing:
    """Draw how many edits or pairs each step of a harvest took, and what is left at the end."""
    took = [(name, number) for name, number in steps if number]
    left = start - sum(number for _, number in took)
    said = ", ".join(f"{name} {number:,}" for name, number in took) or "none"
    alt = f"Of {counted(start, what)}, these steps take: {said}; {left:,} are left."
    rows = [("all", 0), *took, ("left", 0)]
    return funnel(rows, start, title=f"What is left of the {what}s", alt=alt)


def of_types(types: Mapping[str, int]) -> Drawing:
    """Draw how many edits are of which type."""
    rows = [(f"{kind}s", float(types.get(kind, 0))) for kind in TYPES]
    alt = ", ".join(f"{number:,.0f} {name}" for name, number in rows)
    return bars(rows, title="Edits by type", alt=f"{alt}.")


def of_spans(found: Mapping[str, PairCounts]) -> Drawing:
    """Draw how many edits biased sentences have: in numbers, of several folders in percent."""
    counts = {name: of.spans for name, of in found.items()}
    first = 0 if any(of[0] for of in counts.values()) else 1
    numbers = range(first, MOST_SPANS + 1)
    names = [f"{n}{'+' if n == MOST_SPANS else ''}" for n in numbers]
    return _beside(
        names,
        {name: [of[n] for n in numbers] for name, of in counts.items()},
        title="Biased sentences by edits",
        axis="edits in the sentence",
    )


def of_changed_words(found: PairCounts) -> Drawing:
    """Draw how many words biased sentences lost, and how many they got."""
    series = {"taken out": grouped(found.out), "put in": grouped(found.into)}
    alt = "; ".join(
        f"words {name}: "
        + ", ".join(f"{group} in {n:,}" for group, n in zip(GROUPS, of, strict=True))
        for name, of in series.items()
    )
    names = [group.removesuffix(" and more") + "+" * ("more" in group) for group in GROUPS]
    return columns(names, series, title="Pairs by words changed", alt=f"{alt} pairs.", axis="words")


def of_similarity(found: PairCounts) -> Drawing:
    """Draw how alike the two sides of biased pairs are."""
    names = [f"{ten * TENS}" for ten in range(TENS)]
    values = [found.similarity[ten] for ten in range(TENS)]
    seen = [f"{n:,} from {ten * TENS} to {(ten + 1) * TENS}" for ten, n in enumerate(values) if n]
    alt = f"{'; '.join(seen) or 'none'}."
    return columns(names, {"": values}, title="Pairs by similarity", alt=alt, axis="from … on")


def of_years(found: Mapping[str, PairCounts]) -> Drawing:
    """Draw in which years the edits of biased pairs were made."""
    known = sorted({year for of in found.values() for year in of.years})
    years = [*range(known[0], known[-1] + 1)] if known else []
    return _beside(
        [str(year) for year in years],
        {name: [of.years[year] for year in years] for name, of in found.items()},
        title="Biased pairs by year",
        axis="year of the edit",
    )


def grouped(counts: Counter[int]) -> list[int]:
    """Return how many pairs each of GROUPS has."""
    found = [0] * len(GROUPS)
    for number, pairs in counts.items():
        found[sum(number > end for end in _ENDS)] += pairs
    return found


def _beside(
    names: Sequence[str], series: Mapping[str, Sequence[int]], *, title: str, axis: str
) -> Drawing:
    """Draw a series alone as it is; several in percent of their sums, since sizes differ."""
    if len(series) == 1:
        ((_, values),) = series.items()
        alt = ", ".join(f"{name}: {n:,}" for name, n in zip(names, values, strict=True))
        return columns(names, {"": values}, title=title, alt=f"{alt or 'none'}.", axis=axis)
    shares = {name: _percent(values) for name, values in series.items()}
    alt = "; ".join(
        f"{name}: " + ", ".join(f"{n} {v:g} %" for n, v in zip(names, values, strict=True) if v)
        for name, values in shares.items()
    )
    return columns(names, shares, title=f"{title}, in percent", alt=f"{alt}.", axis=axis)


def _percent(values: Iterable[int]) -> list[float]:
    found = [*values]
    whole = sum(found) or 1
    return [round(100 * value / whole, 1) for value in found]
