"""Shows the result of `wikibias selection-bias` on the terminal, in no more than a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.kits.document import number, p_value, with_interval
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted

_HEADER = [
    *("keywords", "in corpus", "B1 [95 %]", "B2 mean_max", "B2 max", "random B1", "p"),
    "words known",
]
_MOST_LISTS, _MOST_DIFFERENCES, _MOST_SENTENCES = 10, 5, 4
_CHANCE = 0.05
_TITLES = {"b1": "B1", "mean_max": "B2 mean_max", "max": "B2 max"}


def show(result: Mapping[str, Any]) -> None:
    """Print the figures of each corpus at the base setting, and in sentences what they say."""
    base = result["settings"]["base"]
    for corpus in result["corpora"]:
        stand = _standing(result, corpus["name"])
        rows = [
            _row(each, stand[each["keywords"]]) for each in _base_figures(result, corpus["name"])
        ]
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
    told = [*_of_figures(result)]
    if (left := len(told) - _MOST_SENTENCES) > 0:
        told[_MOST_SENTENCES:] = [f"And {counted(left, 'list')} more, in the table above."]
    for line in (*told, *_of_drift(result["drift"]), *_of_leakage(result["leakage"])):
        echo(line)


def _standing(result: Mapping[str, Any], corpus: str) -> dict[str, str]:
    """Return of each list how many of its keywords stand in the corpus."""
    return {
        each["name"]: f"{each['in_corpus']:,} of {len(each['words']):,}"
        for each in result["keywords"]
        if each["corpus"] == corpus
    }


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


def _row(figure: Mapping[str, Any], standing: str) -> list[str]:
    chance = _chance(figure)
    coverage, b1 = figure["coverage"], figure["b1"]
    return [
        figure["keywords"],
        standing,
        with_interval(b1) if b1["low"] is not None else number(b1["value"]),
        number(figure["b2"]["mean_max"]["value"]),
        number(figure["b2"]["max"]["value"]),
        number(chance["mean"]) if chance else "–",
        p_value(chance["p"]) if chance else "–",
        f"{coverage['topic_words']:.0%}, {coverage['keywords']:.0%}",
    ]


def _chance(figure: Mapping[str, Any], of: str = "b1") -> Mapping[str, Any] | None:
    """Return what a figure of random lists is; None where there is none, or no such figure."""
    found: Mapping[str, Any] = ((figure["baseline"] or {}).get("figures") or {}).get(of) or {}
    return None if found.get("p") is None else found


def _show_differences(result: Mapping[str, Any]) -> None:
    """Print which groups differ beyond chance, the furthest apart first, or that none does."""
    missing = result["settings"]["missing"]
    compared = [
        each
        for each in result["differences"]
        if each["missing"] == missing
        and each["figure"] == "b1"
        and each["difference"]["low"] is not None
    ]
    found = [each for each in compared if _is_sure(each["difference"])]
    if not found:
        if compared:
            by = ", ".join(dict.fromkeys(each["by"] for each in compared))
            echo(f"No difference of B1 by {by} is clear ({len(compared):,} looked at).")
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
        f"{counted(len(compared), 'difference')} (by chance {len(compared) * _CHANCE:.1f})"
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
        few = _few_standing(result, corpus["name"])
        for figure in _base_figures(result, corpus["name"]):
            if (chance := _chance(figure)) is not None:
                told = _against_chance(figure["keywords"], of, chance, result["settings"]["lists"])
                yield f"{told}{_of_b2(figure, chance)}{few.get(figure['keywords'], '')}"


def _few_standing(result: Mapping[str, Any], corpus: str) -> dict[str, str]:
    """Return a sentence for each list of which less than half stands in the corpus."""
    return {
        each["name"]: (
            f" This says little: only {each['in_corpus']:,} of "
            f"{counted(len(each['words']), 'keyword')} stand in the corpus."
        )
        for each in result["keywords"]
        if each["corpus"] == corpus and each["in_corpus"] * 2 < len(each["words"])
    }


def _against_chance(keywords: str, of: str, chance: Mapping[str, Any], lists: int) -> str:
    below = lists + 1 - round(chance["p"] * (lists + 1))
    random = f"{counted(lists, 'random list')} of equally frequent words"
    if below <= 0:
        return f"Topics{of} are farther from '{keywords}' than from all {random}."
    closer = f"Topics{of} are closer to '{keywords}' than to {below:,} of {random}"
    return f"{closer}: {'' if chance['p'] <= _CHANCE else 'no '}more than by chance."


def _of_b2(figure: Mapping[str, Any], chance: Mapping[str, Any]) -> str:
    """Return, as a sentence more, where B2 mean_max says another thing than B1; "" elsewhere."""
    other = _chance(figure, "mean_max")
    if other is None or (other["p"] <= _CHANCE) == (chance["p"] <= _CHANCE):
        return ""
    no = "" if other["p"] <= _CHANCE else "no "
    return f" By B2 mean_max, {no}more than by chance (p = {p_value(other['p'])})."


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
        who = f"{each['estimator']} on {counted(each['documents'], 'sentence')} of {each['corpus']}"
        if known["value"] is None or new["value"] is None:
            yield f"{who}: no MCC of topics that it has not seen."
        else:
            yield (
                f"{who}: MCC {number(known['value'])} where it has seen the topics of test "
                f"sentences, {number(new['value'])} where they are new "
                f"(lost: {with_interval(each['lost']['mcc'])})."
            )
        tie, alone = each["association"], each["topics_only"]["mcc"]
        chance = number(tie["chance"]["mean"])
        yield (
            f"Topic and label of {each['corpus']}: Cramér's V {number(tie['cramers_v'])} ({chance} "
            f"by chance); MCC of topics alone {with_interval(alone)}."
        )
