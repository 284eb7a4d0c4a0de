"""What the result says, in a line or a row each: beside random lists, corpora, classes, topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wikibias.kits.document import Table, number, p_value
from wikibias.messages import counted
from wikibias.research.reports.selection_bias.differences import clear_ones, of_groups
from wikibias.research.reports.selection_bias.result import (
    FIGURES,
    Entry,
    Pair,
    Result,
    against,
    band,
    interval,
    short,
    written,
)

_CHANCE = 0.05
_LINES = 6  # of corpora, classes and classifiers; the rest stands in the sections on these
_NAMED = 3
_COMPARED = ("b1", "mean_max")


def sentence(result: Result, pair: Pair, entry: Entry) -> str:
    """Return in words how the figures of a list stand to those of random lists."""
    who, keywords = f"The topics{_of(result, pair)}", f"the keywords of “{short(pair.keywords)}”"
    drawn, b1 = entry.get("baseline"), interval(entry, "b1")["value"]
    p = drawn["figures"]["b1"]["p"] if drawn else None
    if b1 is None:
        return f"{who} have no B1 to {keywords}."
    if not result.in_corpus(pair):
        said = f"{who} have a B1 of {number(b1)} to {keywords}"
        return f"{said}; none of these stands in the corpus, so no random list is as frequent."
    if not drawn or p is None:
        said = f"{who} have a B1 of {number(b1)} to {keywords}"
        return f"{said}; there are no random lists to compare it with."
    lists, as_near = drawn["lists"], _as_near(drawn, p)
    if p <= _CHANCE:
        said = (
            f"{who} are nearer to {keywords} than to {lists - as_near:,} of {lists:,} lists of "
            "random words as frequent"
        )
    elif as_near == lists:
        said = f"{who} are farther from {keywords} than from all {lists:,} lists of random words"
    else:
        said = (
            f"{who} are not clearly nearer to {keywords} than to random words as frequent: "
            f"{as_near:,} of {lists:,} random lists are as near or nearer"
        )
    other = drawn["figures"]["mean_max"]["p"]
    agrees = other is not None and (other <= _CHANCE) == (p <= _CHANCE)
    tail = "" if other is None else f"; B2 mean-max {'agrees' if agrees else 'disagrees'}"
    tail += "" if other is None else f" (p = {p_value(other)})"
    return f"{said} (B1, p = {p_value(p)}){tail}."


def _of(result: Result, pair: Pair) -> str:
    return f" of {short(pair.corpus)}" if len(result.corpora) > 1 else ""


def _as_near(drawn: Entry, p: float) -> int:
    """Return how many random lists are as near; the list itself counts in p, too."""
    lists: int = drawn["lists"]
    return min(lists, max(0, round(p * (lists + 1)) - 1))


def beside_random(result: Result, found: Sequence[tuple[Pair, Entry]]) -> Table:
    """Return a row for each list: how it stands to random lists by B1 and by B2 mean-max."""
    several = len(result.corpora) > 1
    rows = [
        [
            *([short(pair.corpus)] if several else []),
            short(pair.keywords),
            _verdict(result, pair, entry),
            *(_p(entry, figure) if result.in_corpus(pair) else "–" for figure in _COMPARED),
        ]
        for pair, entry in found
    ]
    header = [*(["corpus"] if several else []), "keywords", "the topics are", "p of B1"]
    title = "How near topics are to keywords, beside lists of random words as frequent"
    return Table([*header, "p of B2 mean-max"], rows, 2 + several, title=title, stacks=True)


def _p(entry: Entry, figure: str) -> str:
    p = (against(entry, figure) or {}).get("p")
    return "–" if p is None else p_value(p)


def _verdict(result: Result, pair: Pair, entry: Entry) -> str:
    """Return in a few words what the sentence says."""
    drawn = entry.get("baseline")
    if interval(entry, "b1")["value"] is None:
        return "not measured: no word is known"
    if not result.in_corpus(pair):
        return "not compared: no keyword stands in the corpus"
    if not drawn or drawn["figures"]["b1"]["p"] is None:
        return "not compared: no random lists"
    p, other = (drawn["figures"][name]["p"] for name in _COMPARED)
    lists, as_near = drawn["lists"], _as_near(drawn, p)
    if other is not None and (other <= _CHANCE) != (p <= _CHANCE):
        said = f"nearer by {'B1' if p <= _CHANCE else 'B2 mean-max'} alone"
    elif p <= _CHANCE:
        said = f"nearer than to {lists - as_near:,} of {lists:,} random lists"
    elif as_near == lists:
        said = f"farther than from all {lists:,} random lists"
    else:
        said = f"not clearly nearer: {as_near:,} of {lists:,} random lists are as near"
    return said


def lines(result: Result) -> list[str]:
    """Return a line on each two corpora, the classes, the drift, and what topics tell of them."""
    return [*_differing(result), *_drift(result), *_leakage(result)]


def _differing(result: Result) -> Iterator[str]:
    for other in result.corpora[1 : 1 + _LINES]:
        found = [e for e in of_groups(result, None, "corpus") if other in (e["first"], e["second"])]
        if found:
            names = f"{short(found[0]['first'])} and {short(found[0]['second'])}"
            yield f"On samples of equal size, {names} {_clear(found)}."
    for corpus in result.corpora[:_LINES]:
        if found := of_groups(result, corpus, "label"):
            of = f" of {short(corpus)}" if len(result.corpora) > 1 else ""
            yield f"By class, the sentences{of} {_clear(found)}."


def _clear(found: Sequence[Entry]) -> str:
    """Return in how many figures two groups differ, and in which most."""
    clear = clear_ones(found)
    if not clear:
        return f"differ clearly in none of {counted(len(found), 'figure')}"
    named = ", ".join(
        f"{FIGURES[each['figure']]} to “{short(each['keywords'], 30)}” "
        f"{written(each['difference'])}"
        for each in clear[:_NAMED]
    )
    rest = ", …" if len(clear) > _NAMED else ""
    return f"differ clearly in {len(clear):,} of {counted(len(found), 'figure')} ({named}{rest})"


def _drift(result: Result) -> Iterator[str]:
    found = result.raw.get("drift")
    if found:
        js, chance = found["js"], found["js_chance"]
        said = (
            f"The shares of topics of {short(found['new'])} differ from those of "
            f"{short(found['old'])} by {written(js)} (Jensen-Shannon), by chance by {band(chance)}"
        )
        small = (
            ""
            if found["shuffled_by"] == "page"
            else "; p is too small, since sentences of a page are alike"
        )
        yield f"{said}{_chance(chance['p'])}{small}."


def _leakage(result: Result) -> Iterator[str]:
    for each in result.all("leakage")[:_LINES]:
        of = f" of {short(each['corpus'])}" if len(result.corpora) > 1 else ""
        told, chance = each["association"], each["association"]["chance"]
        said = (
            f"Topic and class{of}: Cramér’s V {number(told['cramers_v'])}, by chance {band(chance)}"
            f"{_chance(chance['p'])}"
        )
        yield f"{said}.{_classified(each)}"


def _classified(found: Entry) -> str:
    """Return what classifiers have from topics; the notes say why where that is not known."""
    alone, lost = found["topics_only"]["mcc"], found["lost"]["mcc"]
    who = f"{short(found['estimator'], 40)}, on {counted(found['documents'], 'sentence')},"
    told = (
        "" if alone["value"] is None else f" Topics alone tell it with an MCC of {written(alone)}."
    )
    if lost["value"] is None:
        return f"{told} What {who} loses where topics are new to it is not measured."
    return f"{told} {who} loses {written(lost)} of MCC where topics are new to it."


def _chance(p: float | None) -> str:
    if p is None:
        return ""
    verdict = "more than chance" if p <= _CHANCE else "no more than chance may do"
    return f": {verdict} (p = {p_value(p)})"
