"""How the figures change with the numbers of topics and words, and with the size of the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from wikibias.kits.charts import SERIES, Drawing, Measured, interval_curves
from wikibias.kits.document import Table
from wikibias.research.reports.selection_bias.differences import differences
from wikibias.research.reports.selection_bias.part import Block, Part
from wikibias.research.reports.selection_bias.result import (
    FIGURES,
    Entry,
    Pair,
    Result,
    against,
    band,
    dot,
    interval,
    short,
    unique,
    written,
)

_AXES = {"topics": "number of topics", "words": "number of words of a topic"}
_CHARTS: Final[dict[str, tuple[str, ...]]] = {"B1": ("b1",), "B2": ("mean_max", "max")}
"""B1 has a chart of its own: beside B2 its changes would not be seen."""
_PAIRS = 12
_ROWS = 60


def curves(result: Result) -> Part | None:
    """Return the section on numbers of topics and words; None where there is but one of each."""
    pairs = [pair for pair in result.pairs if len(result.grid(pair)) > 1]
    if not pairs:
        return None
    topics, words = result.base
    says = [
        f"The number of words stays at {words} where that of topics changes, and that of topics at "
        f"{topics} where that of words changes. The axis is logarithmic."
    ]
    if len(result.settings["seeds"]) > 1:
        says.append("Lines through a dot are 95 % intervals over seeds.")
    if any(each.get("baseline") for pair in pairs for each in result.grid(pair)):
        says.append("Areas are where 95 % of random lists lie.")
    if len(pairs) > _PAIRS:
        says.append(f"Shown are the first {_PAIRS} of {len(pairs)} lists.")
    blocks = [Block(says=says)]
    for pair in pairs[:_PAIRS]:
        name = result.named(pair) if len(pairs) > 1 else ""
        folded = {f"The figures as a table ({result.named(pair)})": _table(result, pair)}
        blocks.append(Block(name, figures=list(_charts(result, pair)), folded=folded))
    return Part("curves", "Numbers of topics and words", blocks)


def _charts(result: Result, pair: Pair) -> Iterator[Drawing]:
    """Yield charts of B1 and of B2, each over topics and over words."""
    for name, figures in _CHARTS.items():
        for axis, title in _AXES.items():
            found = result.along(pair, axis)
            if len(found) > 1:
                yield _chart(f"{name} by {title}", axis, title, figures, found)


def _chart(
    title: str, axis: str, axis_title: str, figures: Sequence[str], found: Sequence[Entry]
) -> Drawing:
    series = {
        FIGURES[figure]: [
            Measured(
                each[axis],
                dot(interval(each, figure)),
                dot(random) if (random := against(each, figure)) else None,
            )
            for each in found
        ]
        for figure in figures
    }
    alt = _in_words(found, axis, figures, interval)
    return interval_curves(series, title=title, alt=alt, axis=axis_title)


def _in_words(
    found: Sequence[Entry],
    axis: str,
    figures: Sequence[str],
    value_of: Callable[[Entry, str], Entry | None],
) -> str:
    """Return the values of each figure at each place."""
    return "; ".join(
        f"{FIGURES[key]}: "
        + ", ".join(f"{each[axis]:,} {written(value_of(each, key))}" for each in found)
        for key in figures
    )


def _table(result: Result, pair: Pair) -> Table:
    rows = []
    for each in result.grid(pair)[:_ROWS]:
        cells = [f"{each['topics']:,}", f"{each['words']:,}"]
        for figure in FIGURES:
            random = against(each, figure)
            cells += [written(interval(each, figure)), band(random) if random else "–"]
        rows.append(cells)
    heads = [head for name in FIGURES.values() for head in (f"{name} [95 %]", "random [95 %]")]
    return Table(["topics", "words", *heads], rows, 0)


def sizes(result: Result) -> Part | None:
    """Return the section on samples of the corpus of several sizes; None where none was drawn."""
    figures: list[Drawing] = []
    folded = {}
    for pair in result.pairs[:_PAIRS]:
        found = [
            each
            for each in result.all("sizes")
            if Pair(each["corpus"], each["keywords"]) == pair and each["documents"] > 0
        ]
        if len(found) < 2:
            continue
        found.sort(key=lambda each: each["documents"])
        figures += _by_size(result.named(pair), found)
        rows = [
            [f"{each['documents']:,}", *(written(each[key]) for key in FIGURES)] for each in found
        ]
        header = ["sentences", *(f"{name} [95 %]" for name in FIGURES.values())]
        folded[f"Sizes as a table ({result.named(pair)})"] = Table(header, rows, 0)
    if not figures:
        return None
    says = [
        "The same figures of samples of the corpus. Where they still rise or fall at the right "
        "end, corpora of different sizes cannot be compared without drawing samples of one size."
    ]
    return Part("sizes", "Size of the corpus", [Block(says=says, figures=figures, folded=folded)])


def _by_size(name: str, found: Sequence[Entry]) -> Iterator[Drawing]:
    for title, figures in _CHARTS.items():
        series = {
            FIGURES[key]: [Measured(each["documents"], dot(each[key])) for each in found]
            for key in figures
        }
        alt = _in_words(found, "documents", figures, lambda each, key: each[key])
        axis = "number of sentences"
        yield interval_curves(series, title=f"{title}, {name}", alt=alt, axis=axis)


def side_by_side(result: Result) -> Part | None:
    """Return the section that lays curves of several corpora over each other; None of one."""
    if len(result.corpora) < 2:
        return None
    lists = dict.fromkeys(pair.keywords for pair in result.pairs)
    common = [name for name in lists if len(_of_list(result, name)) > 1][:4]
    says = [
        "The figures of each corpus, by numbers of topics and words. B1 may be compared where the "
        "corpora are of about one size and the similarity knows about as many words of each; see "
        "“What was measured”."
    ]
    if len(result.corpora) > SERIES:
        says.append(f"The curves are those of the first {SERIES} corpora.")
    blocks = []
    for name in common:
        pairs = _of_list(result, name)[:SERIES]
        figures = [
            drawn
            for figure in ("b1", "mean_max")
            for axis in _AXES
            if (drawn := _overlaid(result, pairs, figure, axis)) is not None
        ]
        if figures:
            blocks.append(Block(short(name), figures=figures))
    if blocks:
        blocks.insert(0, Block(says=says))
    if differ := differences(result, None, "corpus"):
        says = ["On samples of equal size, since figures change with the size of a corpus."]
        blocks.append(Block("Differences between corpora", says=says, tables=[differ]))
    return Part("corpora", "Corpora side by side", blocks) if blocks else None


def _of_list(result: Result, name: str) -> list[Pair]:
    return [pair for pair in result.pairs if pair.keywords == name]


def _overlaid(result: Result, pairs: Sequence[Pair], figure: str, axis: str) -> Drawing | None:
    """Return curves of one figure, a line for each corpus; None where there is but one place."""
    names = unique([short(pair.corpus, 24) for pair in pairs])
    found = {name: result.along(pair, axis) for name, pair in zip(names, pairs, strict=True)}
    if max((len(of) for of in found.values()), default=0) < 2:
        return None
    series = {
        name: [Measured(each[axis], dot(interval(each, figure))) for each in of]
        for name, of in found.items()
    }
    alt = "; ".join(
        f"{name}: " + ", ".join(f"{each[axis]:,} {written(interval(each, figure))}" for each in of)
        for name, of in found.items()
    )
    title = f"{FIGURES[figure]} by {_AXES[axis]}"
    return interval_curves(series, title=title, alt=alt, axis=_AXES[axis])
