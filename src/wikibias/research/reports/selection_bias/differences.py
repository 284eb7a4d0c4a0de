"""Differences of the figures of two groups, or of two corpora."""

from __future__ import annotations

from collections.abc import Sequence

from wikibias.kits.document import Table
from wikibias.research.reports.selection_bias.result import FIGURES, Entry, Result, short, written

_ROWS = 25
_CHANCE = 0.05


def of_groups(result: Result, corpus: str | None, by: str) -> list[Entry]:
    """Return the differences of each two groups of a corpus; of corpora where it is None."""
    return [
        each
        for each in result.all("differences")
        if (each.get("corpus"), each["by"], each["missing"]) == (corpus, by, result.missing)
        and each["figure"] in FIGURES
        and each["difference"]["value"] is not None
    ]


def clear_ones(found: Sequence[Entry]) -> list[Entry]:
    """Return the differences whose interval leaves out 0, the greatest first."""
    return [each for each in _by_size(found) if _is_clear(each)]


def _by_size(found: Sequence[Entry]) -> list[Entry]:
    return sorted(found, key=lambda each: (not _is_clear(each), -abs(each["difference"]["value"])))


def differences(result: Result, corpus: str | None, by: str) -> Table | None:
    """Return the differences of two groups, the clearest first; None where there are none."""
    found = of_groups(result, corpus, by)
    if not found:
        return None
    shown = _by_size(found)
    rows = [
        [
            *(short(each["first"], 30), short(each["second"], 30), short(each["keywords"], 30)),
            *(FIGURES[each["figure"]], written(each["difference"])),
            "yes" if _is_clear(each) else "no",
        ]
        for each in shown[:_ROWS]
    ]
    title = (
        "Differences, first less second; clear where the interval leaves out 0: "
        f"{sum(map(_is_clear, found))} of {len(found)}, by chance {len(found) * _CHANCE:.1f}"
    )
    if len(found) > _ROWS:
        title += f" (the first {_ROWS} of {len(found)})"
    header = ["first", "second", "keywords", "figure", "difference [95 %]", "clear"]
    return Table(header, rows, 4, title=title, stacks=True)


def _is_clear(entry: Entry) -> bool:
    low, high = entry["difference"]["low"], entry["difference"]["high"]
    return low is not None and high is not None and (low > 0 or high < 0)
