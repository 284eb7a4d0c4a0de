"""Shows the result of `wikibias selection-bias` on the terminal, in no more than a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.cli.score_tables import show as show_table
from wikibias.cli.terminal import echo
from wikibias.messages import counted
from wikibias.rendering.numbers import number, p_value, with_interval

_HEADER = ["keywords", "B1 [95 %]", "B2 mean_max", "B2 max", "random B1", "p", "words known"]
_MOST_LISTS, _MOST_DIFFERENCES, _MOST_SENTENCES = 10, 5, 4
_CHANCE = 0.05
_TITLES = {"b1": "B1", "mean_max": "B2 mean_max", "max": "B2 max"}


def show(result: Mapping[str, Any]) -> None:
    """Print the figures of each corpus at the base setting, and in sentences what they say."""
    base = result["settings"]["base"]
    for corpus in result["corpora"]:
        rows = [_row(each) for each in _base_figures(result, corpus["name"])]
        title = (
            f"{corpus['name']}: {counted(corpus['documents'], 'sentence')}, "
            f"{counted(base['topics'], 'topic')} of {counted(base['words'], 'word')}, "
            f"{result['similarity']['title']}"
        )
        if result["settings"]["missing"] == "skip":
            title += "; pairs without a similarity are left out"
        if len(rows) > _MOST_LISTS:
            title += f"; {_MOST_LISTS} of {len(rows)} lists, all with --out"
        show_table(title, _HEADER, rows[:_MOST_LISTS])
    _show_differences(result)
    told = [*_of_figures(result)][:_MOST_SENTENCES]
    for line in (*told, *_of_drift(result["drift"]), *_of_leakage(result["leakage"])):
        echo(line)


def _base_figures(result: Mapping[str, Any], corpus: str) -> Iterator[Mapping[str, Any]]:
    settings = result["settings"]
    for each in result["figures"]:
        if (
            each["corpus"] == corpus
            and each["group"] is None
            and each["missing"] == settings["missing"]
            and is_base(each, settings)
        ):
            yield each


def is_base(figure: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Return whether a figure is of the numbers of topics and words that all but a grid has."""
    return all(figure[name] == number for name, number in settings["base"].items())


def _row(figure: Mapping[str, Any]) -> list[str]:
    chance = _chance(figure)
    coverage, b1 = figure["coverage"], figure["b1"]
    return [
        figure["keywords"],
        with_interval(b1) if b1["low"] is not None else number(b1["value"]),
        number(figure["b2"]["mean_max"]["value"]),
        number(figure["b2"]["max"]["value"]),
        number(chance["mean"]) if chance else "–",
        p_value(chance["p"]) if chance else "–",
        f"{coverage['topic_words']:.0%}, {coverage['keywords']:.0%}",
    ]


def _chance(figure: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what B1 of random lists is; None where there is none, or no B1."""
    found: Mapping[str, Any] = ((figure["baseline"] or {}).get("figures") or {}).get("b1") or {}
    return None if found.get("p") is None else found


def _show_differences(result: Mapping[str, Any]) -> None:
    """Print which groups differ beyond chance, the furthest apart first."""
    missing = result["settings"]["missing"]
    all_of_b1 = [
        each
        for each in result["differences"]
        if each["missing"] == missing
        and each["figure"] == "b1"
        and each["difference"]["low"] is not None
    ]
    found = [each for each in all_of_b1 if _is_sure(each["difference"])]
    if not found:
        return
    found.sort(key=lambda each: -abs(each["difference"]["value"]))
    rows = [
        [
            f"{each['corpus'] or 'corpora'}, {each['keywords']}",
            f"{each['by']} {each['first']} – {each['second']}",
            with_interval(each["difference"]),
        ]
        for each in found[:_MOST_DIFFERENCES]
    ]
    title = (
        f"B1 differs between groups of equal size: {len(found)} of "
        f"{counted(len(all_of_b1), 'difference')} (by chance {len(all_of_b1) * _CHANCE:.1f})"
    )
    if len(found) > len(rows):
        title += f", the {_MOST_DIFFERENCES} largest"
    show_table(title, ["", "", "B1 [95 %]"], rows, 2)


def _is_sure(interval: Mapping[str, float | None]) -> bool:
    low, high = interval["low"], interval["high"]
    return low is not None and high is not None and (low > 0 or high < 0)


def _of_figures(result: Mapping[str, Any]) -> Iterator[str]:
    several = len(result["corpora"]) > 1
    for corpus in result["corpora"]:
        of = f" of {corpus['name']}" if several else ""
        for figure in _base_figures(result, corpus["name"]):
            if (chance := _chance(figure)) is not None:
                yield _against_chance(figure["keywords"], of, chance, result["settings"]["lists"])


def _against_chance(keywords: str, of: str, chance: Mapping[str, Any], lists: int) -> str:
    below = lists + 1 - round(chance["p"] * (lists + 1))
    closer = f"Topics{of} are closer to '{keywords}' than to {below:,} of {lists:,} random lists"
    if chance["p"] <= _CHANCE:
        return f"{closer} of equally frequent words: more than by chance."
    return f"{closer} of equally frequent words: no more than by chance."


def _of_drift(drift: Mapping[str, Any] | None) -> Iterator[str]:
    if drift is None:
        return
    chance = drift["js_chance"]
    beyond = "more than by chance" if chance["p"] <= _CHANCE else "which may be chance"
    alone = ", too small, since sentences of one page are alike"
    yield (
        f"Topics of {drift['old']} and {drift['new']} differ by {number(drift['js']['value'])} "
        f"of 1 (Jensen-Shannon; {number(chance['mean'])} by chance), {beyond} (p = "
        f"{p_value(chance['p'])}{'' if drift['shuffled_by'] == 'page' else alone})."
    )
    if (shared := drift["shared"]) is not None:
        of = drift["documents"]["new"]
        yield f"Of the {counted(of, 'sentence')} of {drift['new']}, {drift['old']} has {shared:,}."


def _of_leakage(leakage: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for each in leakage:
        known, new = each["by"]["near-duplicate"]["mcc"], each["by"]["topic"]["mcc"]
        yield (
            f"{each['estimator']} on {each['corpus']}: MCC {number(known['value'])} where it has "
            f"seen the topics of test sentences, {number(new['value'])} where they are new "
            f"(lost: {with_interval(each['lost']['mcc'])})."
        )
