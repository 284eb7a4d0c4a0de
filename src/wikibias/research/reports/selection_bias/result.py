"""Finds figures in a result, and writes them for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from wikibias.kits.charts import Dot
from wikibias.kits.document import number

Entry = Mapping[str, Any]
FIGURES: Final = {"b1": "B1", "mean_max": "B2 mean-max", "max": "B2 max"}
"""The figures that a page shows, and what it calls them."""
LONGEST = 60
"""Characters that are shown of a name or a word."""
_STEPS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1)


@dataclass(frozen=True, slots=True)
class Pair:
    """A corpus and one of the lists of keywords that it was measured with."""

    corpus: str
    keywords: str


class Result:
    """A result whose shape was checked, without the figures that treat missing pairs otherwise."""

    def __init__(self, raw: Entry) -> None:
        self.raw = raw
        self.settings: Entry = raw["settings"]
        self.missing: str = raw["settings"]["missing"]
        self.base: tuple[int, int] = (
            raw["settings"]["base"]["topics"],
            raw["settings"]["base"]["words"],
        )
        self._figures = [each for each in raw["figures"] if each["missing"] == self.missing]

    def all(self, key: str) -> list[Entry]:
        """Return the entries of a list of the result; none where it is null or not there."""
        return list(self.raw.get(key) or ())

    @cached_property
    def corpora(self) -> list[str]:
        """The names of the corpora."""
        return [each["name"] for each in self.raw["corpora"]]

    @cached_property
    def pairs(self) -> list[Pair]:
        """Each corpus with each of its lists of keywords."""
        return [Pair(each["corpus"], each["name"]) for each in self.raw["keywords"]]

    @cached_property
    def words(self) -> dict[Pair, Sequence[str]]:
        """The keywords of each list."""
        return {Pair(e["corpus"], e["name"]): e["words"] for e in self.raw["keywords"]}

    def in_corpus(self, pair: Pair) -> bool:
        """Return whether a keyword of the list stands in the corpus, as far as it is told."""
        return all(
            each["in_corpus"] != 0
            for each in self.raw["keywords"]
            if (each["corpus"], each["name"]) == (pair.corpus, pair.keywords)
        )

    def named(self, pair: Pair) -> str:
        """Return what a pair is called: its list, and its corpus where there are several."""
        name = short(pair.keywords)
        return f"{short(pair.corpus)} · {name}" if len(self.corpora) > 1 else name

    def at_base(self, pair: Pair) -> Entry | None:
        """Return the figures of the whole corpus at the base setting."""
        found = (e for e in self.grid(pair) if (e["topics"], e["words"]) == self.base)
        return next(found, None)

    def grid(self, pair: Pair) -> list[Entry]:
        """Return the figures of the whole corpus at all settings, in the order of these."""
        found = [e for e in self._figures if _pair_of(e) == pair and not e.get("group")]
        return sorted(found, key=lambda e: (e["topics"], e["words"]))

    def along(self, pair: Pair, axis: str) -> list[Entry]:
        """Return the figures over "topics" or "words", the other at its base."""
        other, fixed = ("words", self.base[1]) if axis == "topics" else ("topics", self.base[0])
        return [each for each in self.grid(pair) if each[other] == fixed]

    def groups(self, corpus: str) -> dict[str, list[Entry]]:
        """Return the figures of the groups of a corpus, by what tells them apart."""
        found: dict[str, list[Entry]] = {}
        for each in self._figures:
            if each["corpus"] == corpus and (group := each.get("group")):
                found.setdefault(group["by"], []).append(each)
        return found


def _pair_of(entry: Entry) -> Pair:
    return Pair(entry["corpus"], entry["keywords"])


def interval(entry: Entry, figure: str) -> Entry:
    """Return a figure of an entry with its interval."""
    found: Entry = entry["b1"] if figure == "b1" else entry["b2"][figure]
    return found


def against(entry: Entry, figure: str) -> Entry | None:
    """Return what the figure is with random lists; None where none were drawn."""
    drawn = entry.get("baseline")
    return drawn["figures"][figure] if drawn else None


def dot(found: Entry | None, key: str = "value") -> Dot:
    """Return an interval as a dot; one without a value where there is none."""
    found = found or {}
    return Dot(found.get(key), found.get("low"), found.get("high"))


def written(found: Entry | None) -> str:
    """Return a value with its interval, where it has one."""
    if not found or found.get("value") is None:
        return "–"
    if found.get("low") is None or found.get("high") is None:
        return number(found["value"])
    return f"{number(found['value'])} [{number(found['low'])}, {number(found['high'])}]"


def band(found: Entry | None) -> str:
    """Return what random lists give: their mean, and where most of them lie."""
    return written(found and {**found, "value": found.get("mean")})


def share(value: float | None) -> str:
    """Return a share in percent."""
    return "–" if value is None else f"{value:.0%}"


def whole(value: float | None) -> str:
    """Return a number of things; with one decimal where it is a mean."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def short(text: str, most: int = LONGEST) -> str:
    """Return a text in one line of no more characters; an ellipsis stands for the rest."""
    line = " ".join(text[: 10 * most].split())
    return line if len(line) <= most and len(text) <= 10 * most else f"{line[: most - 1]}…"


def ends(dots: Iterator[Dot]) -> tuple[float, float]:
    """Return the ends of an axis for dots, whose four steps are round numbers."""
    known = [end for of in dots for end in (of.value, of.low, of.high) if end is not None]
    lowest, highest = min([0.0, *known]), max([0.0, *known])
    for step in _STEPS:
        first = math.floor(lowest / step + 1e-9) * step
        if first + 4 * step >= highest:
            return first, first + 4 * step
    return lowest, highest


def unique(names: Sequence[str]) -> list[str]:
    """Return names of which each stands once; a number tells those that are the same."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    count: dict[str, int] = {}
    found = []
    for name in names:
        count[name] = count.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({count[name]})")
    return found


def labels(names: Sequence[str], most: int = 21) -> list[str]:
    """Return names as a chart has room for: of a long one the begin and the end, each once."""
    half = (most - 1) // 2
    lines = [short(name) for name in names]
    return unique(
        [line if len(line) <= most else f"{line[:half]}…{line[-half:]}" for line in lines]
    )
