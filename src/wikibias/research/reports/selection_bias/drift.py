"""What changed from one corpus to another: their topics and words."""

from __future__ import annotations

from collections.abc import Sequence

from wikibias.kits.charts import Dot, Drawing, dots
from wikibias.kits.document import Table, p_value
from wikibias.messages import counted
from wikibias.research.reports.selection_bias.part import Block, Part
from wikibias.research.reports.selection_bias.result import (
    Entry,
    Result,
    band,
    ends,
    share,
    short,
    unique,
    written,
)

_CHANCE = 0.05
_WORDS = 20
_TOPICS = 20
_TOPIC_WORDS = 6


def drift(result: Result) -> Part | None:
    """Return the section on drift; None where there are not two corpora to compare."""
    found: Entry | None = result.raw.get("drift")
    if not found:
        return None
    old, new = short(found["old"]), short(found["new"])
    says = [
        f"Topics are fitted on {counted(found['documents']['each'], 'sentence')} of each of {old} "
        f"and {new} together, without sentences that have no frequent word. The Jensen-Shannon "
        "divergence says how far the shares of the topics differ: 0 is not at all, 1 is entirely.",
        _judged(found["js"], found["js_chance"], f"of {new} from {old}", found["shuffled_by"]),
    ]
    if found["shuffled_by"] != "page":
        says.append(
            "Pages are not known or too few, so sentences were dealt one by one. Those of a page "
            "are alike, so p is too small, here and of each topic."
        )
    if found["same"] is not None:
        says.append(f"{found['same']:.1%} of the sentences of {new} stand in {old}, too.")
    of_new = found.get("of_new")
    if of_new:
        says.append(
            _judged(of_new["js"], of_new["js_chance"], f"of the {of_new['documents']:,} others", "")
        )
    blocks = [
        Block(
            says=says,
            figures=[_shares(found, old, new)],
            tables=[_topics(found, old, new)],
        ),
        Block(
            "Words that came and went",
            says=[
                f"Counts in {old} and in {new}, by the log-odds ratio with an informative prior; z "
                "is large where chance is unlikely. Of thousands of words some differ by chance: a "
                "z between −4 and 4 is no more than a hint."
                if found["came"] or found["went"]
                else "There are none."
            ],
            tables=[_words(found, side) for side in ("came", "went") if found[side]],
        ),
    ]
    return Part("drift", f"From {old} to {new}", blocks)


def _judged(js: Entry, chance: Entry, what: str, shuffled_by: str) -> str:
    by = f", {short(shuffled_by, 20)} by {short(shuffled_by, 20)}" if shuffled_by else ""
    said = (
        f"The divergence {what} is {written(js)}; where the sentences are dealt to the two sides "
        f"at random{by}, it is {band(chance)}"
    )
    if chance["p"] is None:
        return f"{said}."
    verdict = "more than chance" if chance["p"] <= _CHANCE else "no more than chance may do"
    return f"{said}: {verdict} (p = {p_value(chance['p'])})."


def _grown(found: Entry) -> Sequence[Entry]:
    """Return the topics that grew most and those that shrank most."""
    topics: Sequence[Entry] = found["topics"]
    if len(topics) <= _TOPICS:
        return topics
    return [*topics[: _TOPICS // 2], *topics[-_TOPICS // 2 :]]


def _shares(found: Entry, old: str, new: str) -> Drawing:
    topics = _grown(found)
    names = unique([short(" ".join(each["words"][:2]), 24) for each in topics])
    rows = {
        name: [Dot(each["old"]), Dot(each["new"])] for name, each in zip(names, topics, strict=True)
    }
    alt = "; ".join(
        f"{name}: {share(each['old'])} to {share(each['new'])}"
        for name, each in zip(names, topics, strict=True)
    )
    lowest, highest = ends(each for of in rows.values() for each in of)
    title = "Share of each topic, by its first two words"
    return dots(
        rows, title=title, alt=alt, series=unique([old, new]), lowest=lowest, highest=highest
    )


def _topics(found: Entry, old: str, new: str) -> Table:
    rows = [
        [
            short(", ".join(short(word, 24) for word in each["words"][:_TOPIC_WORDS]), 160),
            *(share(each["old"]), share(each["new"])),
            f"{100 * each['difference']:+.1f}",
            "–" if each["p"] is None else p_value(each["p"]),
        ]
        for each in _grown(found)
    ]
    header = ["topic", old, new, "percentage points", "p (Holm)"]
    title = "Topics, from the one that grew most to the one that shrank most"
    return Table(header, rows, title=title, stacks=True)


def _words(found: Entry, side: str) -> Table:
    rows = [
        [short(each["word"], 40), f"{each['z']:+.1f}", f"{each['old']:,}", f"{each['new']:,}"]
        for each in found[side][:_WORDS]
    ]
    return Table([side, "z", "before", "after"], rows, title=f"Words that {side}")
