"""Groups of the sentences: by class, split, tag, year, tier and language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from wikibias.kits.charts import Dot, Drawing, dots
from wikibias.kits.document import Table
from wikibias.messages import counted
from wikibias.research.reports.selection_bias.differences import clear_ones, differences, of_groups
from wikibias.research.reports.selection_bias.part import Block, Part
from wikibias.research.reports.selection_bias.result import (
    FIGURES,
    Entry,
    Result,
    dot,
    ends,
    interval,
    labels,
    short,
    unique,
    written,
)

_VALUES, _LISTS, _BLOCKS = 12, 3, 18
_SHOWN = ("b1", "mean_max")
_NAMES = {"label": "class"}
_TIERS = ("low", "medium", "high")


def groups(result: Result) -> Part | None:
    """Return the section on groups; None where there are none."""
    blocks: list[Block] = []
    for corpus in result.corpora:
        for by, found in result.groups(corpus).items():
            if len(blocks) == _BLOCKS:
                break
            name = short(_NAMES.get(by, by), 30)
            title = f"{short(corpus)}, by {name}" if len(result.corpora) > 1 else f"By {name}"
            folded = {f"The figures as a table ({title})": _table(found)}
            differ = differences(result, corpus, by)
            blocks.append(
                Block(
                    title,
                    says=_sampled(found),
                    figures=list(_charts(result, found)),
                    tables=[differ] if differ else [],
                    folded=folded,
                    shut=_unclear(result, corpus, by),
                )
            )
    if not blocks:
        return None
    says = [
        "Topics are fitted on each group by itself, on samples of equal size, since figures change "
        "with the size of a corpus. A group that differs shares fewer or more words with the "
        "keywords; why, the figures do not say."
    ]
    if len(result.words) > _LISTS * len(result.corpora):
        says.append(f"Shown are the first {_LISTS} lists of keywords; figures.csv has all.")
    if len(blocks) == _BLOCKS:
        says.append(f"Shown are the first {_BLOCKS} ways to part sentences; figures.csv has all.")
    return Part("groups", "Groups of sentences", [Block(says=says), *blocks])


def _unclear(result: Result, corpus: str, by: str) -> str:
    """Return that no two groups differ clearly; "" where some do, or none were compared."""
    found = of_groups(result, corpus, by)
    if not found or clear_ones(found):
        return ""
    return f"(none of {counted(len(found), 'difference')} is clear)"


def _sampled(found: Sequence[Entry]) -> list[str]:
    sizes = sorted({each["documents"] for each in found})
    if len(sizes) == 1:
        return [f"{sizes[0]:,} sentences of each."]
    return [f"Between {sizes[0]:,} and {sizes[-1]:,} sentences of each."]


def _by_value(found: Sequence[Entry]) -> dict[str, dict[str, Entry]]:
    """Return the entries by value of the group, then by list of keywords."""
    by: dict[str, dict[str, Entry]] = {}
    for each in found:
        by.setdefault(each["group"]["value"], {})[each["keywords"]] = each
    told = found[0]["group"]["by"] if found else ""
    if told == "year":
        by = {value: by[value] for value in sorted(by)}
    elif told == "tier":
        by = {value: by[value] for value in (*_TIERS, *by) if value in by}
    return dict(list(by.items())[:_VALUES])


def _charts(result: Result, found: Sequence[Entry]) -> Iterator[Drawing]:
    """Yield a chart of B1 and one of B2, a row for each group, a dot for each list."""
    by = _by_value(found)
    lists = list(dict.fromkeys(each["keywords"] for each in found))[:_LISTS]
    names = labels(list(by))
    for figure in _SHOWN:
        rows: dict[str, list[Dot]] = {}
        for name, of in zip(names, by.values(), strict=True):
            entries = [of.get(each) for each in lists]
            rows[name] = [dot(e and interval(e, figure)) for e in entries]
        lowest, highest = ends(chain(*rows.values()))
        alt = "; ".join(
            f"{name}: "
            + ", ".join(
                f"{short(each, 24)} {written(interval(of[each], figure))}"
                for each in lists
                if each in of
            )
            for name, of in zip(names, by.values(), strict=True)
        )
        yield dots(
            rows,
            title=FIGURES[figure],
            alt=alt,
            series=unique([short(each, 40) for each in lists]),
            lowest=lowest,
            highest=highest,
        )


def _table(found: Sequence[Entry]) -> Table:
    rows = [
        [
            *(short(value), short(name), f"{each['documents']:,}"),
            *(written(interval(each, figure)) for figure in FIGURES),
        ]
        for value, of in _by_value(found).items()
        for name, each in list(of.items())[:_LISTS]
    ]
    header = ["group", "keywords", "sentences", *(f"{name} [95 %]" for name in FIGURES.values())]
    return Table(header, rows, 2)
