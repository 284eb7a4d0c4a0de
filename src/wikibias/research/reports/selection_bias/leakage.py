"""Whether topics tell the classes apart, and what a classifier owes to them."""

from __future__ import annotations

from wikibias.kits.charts import dots
from wikibias.kits.document import Table, number, p_value
from wikibias.messages import counted
from wikibias.research.reports.selection_bias.part import Block, Part
from wikibias.research.reports.selection_bias.result import (
    Entry,
    Result,
    band,
    dot,
    ends,
    share,
    short,
    written,
)

_FOLDS = {
    "sentence": "any sentences",
    "page": "whole pages",
    "near-duplicate": "whole near-duplicates",
    "topic": "whole topics",
}
_TOPICS = 20
_TOPIC_WORDS = 8


def leakage(result: Result) -> Part | None:
    """Return the section on cross-validation; None where none was asked for."""
    blocks = [_corpus(each, result) for each in result.all("leakage")]
    if not blocks:
        return None
    says = [
        "A classifier is cross-validated with several kinds of folds: of any sentences, of whole "
        "near-duplicates, of whole pages where these are known, of whole topics. What it loses "
        "where no topic of the test stands in its training, it has from words of topics: those "
        "that betray the class, and words of bias that only one topic has; nothing parts the two. "
        "With folds of any sentences, two versions of one sentence may mislead or help it; the "
        "others keep them together. Topics alone are a classifier that sees nothing but the shares "
        "of the topics."
    ]
    return Part("leakage", "What a classifier owes to topics", [Block(says=says), *blocks])


def _judged(lost: Entry) -> str:
    """Return what follows a loss whose interval holds 0; "" where it is clear or unknown."""
    low, high = lost["low"], lost["high"]
    return ", which may be chance" if None not in (low, high) and low <= 0 <= high else ""


def _corpus(found: Entry, result: Result) -> Block:
    kinds = {_FOLDS.get(name, short(name, 20)): of for name, of in found["by"].items()}
    rows = {**kinds, "topics alone": found["topics_only"]}
    cramer = found["association"]
    chance = cramer["chance"]
    figures = []
    for key, title in (("mcc", "MCC"), ("auc", "ROC-AUC")):
        drawn = {name: [dot(of[key])] for name, of in rows.items()}
        lowest, highest = ends(each for of in drawn.values() for each in of)
        alt = "; ".join(f"{name} {written(of[key])}" for name, of in rows.items())
        figures.append(
            dots(
                drawn,
                title=title,
                alt=alt,
                lowest=lowest,
                highest=highest,
                reference=0.0 if key == "mcc" else 0.5,
            )
        )
    says = [
        f"The classifier {short(found['estimator'], 40)}, on "
        f"{counted(found['documents'], 'sentence')}{_drawn(found)}, {found['biased']:,} of them "
        f"biased, in {found['folds']} folds. {_losing(found['lost'])}",
        f"Cramér’s V of topic and class is {number(cramer['cramers_v'])}; by chance alone it "
        f"is {band(chance)}" + ("." if chance["p"] is None else f" (p = {p_value(chance['p'])})."),
    ]
    if all(of["mcc"]["value"] == 0 for of in kinds.values()):
        says.append(
            "Its MCC is 0 with any folds: it calls all sentences the same. Read ROC-AUC, or take "
            "another classifier, such as nb-lr."
        )
    scores = [[name, written(of["mcc"]), written(of["auc"])] for name, of in rows.items()]
    topics = [
        [
            short(", ".join(short(word, 24) for word in each["words"][:_TOPIC_WORDS]), 200),
            *(f"{each['biased']:,}", f"{each['neutral']:,}", share(each["share_biased"])),
        ]
        for each in found["topics"][:_TOPICS]
    ]
    several = len(result.corpora) > 1
    name = short(found["corpus"])
    return Block(
        name if several else "",
        says=says,
        figures=figures,
        tables=[
            Table(
                ["", "MCC [95 %]", "ROC-AUC [95 %]"],
                scores,
                title="Scores, by what folds hold",
                stacks=True,
            ),
        ],
        folded={
            f"Topics and classes{f' of {name}' if several else ''}": Table(
                ["topic", "biased", "neutral", "share biased"], topics, stacks=True
            )
        },
    )


def _losing(lost: Entry) -> str:
    if lost["mcc"]["value"] is None:
        return "What it loses where whole topics are held out is not measured; the notes say why."
    return (
        "Where whole topics are held out, not only near-duplicates, it loses "
        f"{written(lost['mcc'])} of MCC{_judged(lost['mcc'])}, and {written(lost['auc'])} of "
        f"ROC-AUC{_judged(lost['auc'])}."
    )


def _drawn(found: Entry) -> str:
    of = found.get("of") or 0
    return f" drawn from {of:,}" if of > found["documents"] else ""
