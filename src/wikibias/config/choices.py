"""Signals and choices as values.

Signals are what edits are found by, with how their rows are paired, kept and counted; choices are
what settings may be.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Reader = Literal["fast", "mwxml"]
Per = Literal["tag", "any", "place"]
SpanPolicy = Literal["skip reverted", "all"]
Scope = Literal["page", "tagged"]
RevertPolicy = Literal["drop", "keep"]
SummaryRule = Literal["own", "wnc"]
# Of an intent: as the paper prints its rules, as its authors' code has them, and mended.
RuleSet = Literal["printed", "released", "robust"]
SplitBy = Literal["page", "sentence"]
# What a row of the corpus of two classes is.
Unit = Literal["sentence", "paragraph"]
# What the labels of a corpus with several are.
LabelsBy = Literal["intents", "tags"]
Negatives = Literal["edited", "featured", "unchanged", "mixed"]
# What an intent takes for a positive sentence: one whose words changed, so that neither a change of
# markup alone nor a new sentence counts; or one to which a reference was added.
Positive = Literal["changed", "referenced"]
# In a list of filters: those of what cannot be a repair, all of wikibias itself, and those of the
# 2019 paper.
DEFAULT = "default"
STRICT = "strict"
PAPER = "paper"
SPLITS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class SignalKind:
    """What edits can be found by.

    Attributes:
        name: as `--signal` takes it; "intent" stands for all intents, which have their own names.
        gives: what its sentences are for: the biased class, several labels, or negatives.
        pairings: how its rows are called, by which two revisions they compare.
        filters: the filters of its edits, in order; None where those hold that the user lists.
        keeps_texts: whether its rows hold the texts of both revisions.
        counted_as: the keys of the counts of a part that count its rows.
        title: what a row is called that no change of tags led to.
    """

    name: str
    gives: Literal["biased", "labels", "negatives"]
    pairings: tuple[str, ...]
    counted_as: tuple[str, ...]
    filters: tuple[str, ...] | None = None
    keeps_texts: bool = True
    title: str = ""


TAG = SignalKind(
    "tag", "biased", ("removal-edit", "addition-edit", "tagged-span"), ("removed", "added", "spans")
)
SUMMARY = SignalKind(
    "summary", "biased", ("summary-edit",), ("summary_edits",), title="summary edit"
)
# What the history of the page tells comes first, and needs no sentences.
_HISTORY = ("not_parent", "restores_earlier", "reverted", "summary_reverts", "unreadable")
INTENT = SignalKind(
    "intent",
    "labels",
    ("intent-edit",),
    ("intent_edits",),
    (*_HISTORY, "markup_only", "new_sentences", "no_positive", "slip", "outlier"),
    keeps_texts=False,
    title="intent edit",
)
# For intents whose positive sentences are those that got a reference.
REFERENCED_FILTERS = (*_HISTORY, "new_sentences", "no_positive", "outlier")
FEATURED = SignalKind(
    "featured",
    "negatives",
    ("featured-span",),
    ("featured_spans",),
    ("unreadable", "no_sentence"),
    title="featured article",
)
SIGNALS = (TAG, SUMMARY, INTENT, FEATURED)
NAMED = tuple(signal.name for signal in SIGNALS if signal is not INTENT)
"""The names of signals that are no intents."""
BIASED = tuple(signal.name for signal in SIGNALS if signal.gives == "biased")
"""The names of those that lead to the two classes, biased and neutral."""
ROW_COUNTS = tuple(name for signal in SIGNALS for name in signal.counted_as)
"""What the rows of `transitions` are counted as."""
_BY_NAME = {signal.name: signal for signal in SIGNALS if signal is not INTENT}
_BY_PAIRING = {pairing: signal for signal in SIGNALS for pairing in signal.pairings}


def signal_of(name: str) -> SignalKind:
    """Return the signal of a name; what is none of the others is an intent."""
    return _BY_NAME.get(name, INTENT)


def names_of_intents(names: Iterable[str]) -> list[str]:
    """Return those of some signals that are intents, in order; they need not be known."""
    return [name for name in names if name not in NAMED]


_NO_TEXTS = (
    "is a stub dump, which has no texts: run `wikibias detect --signal summary`, then "
    "`wikibias fetch --revisions DIR`, then `wikibias diff`, `filter` and `build`"
)
_NO_INTENTS = "is a stub dump; intents and featured marks are told by texts: give the full history"


def no_texts(names: Iterable[str]) -> str:
    """Return what to do with a stub dump where edits are looked for by these signals."""
    return _NO_INTENTS if {*BIASED}.isdisjoint(names) else _NO_TEXTS


def counted_as(kind: str, pairing: str) -> str:
    """Return which of `ROW_COUNTS` a transition of this kind and pairing counts as."""
    signal = _BY_PAIRING[pairing]
    return kind if signal is TAG and pairing != "tagged-span" else signal.counted_as[-1]


def not_looked_for(names: Sequence[str]) -> set[str]:
    """Return the counts that say nothing where edits were found by these signals, besides tags."""
    asked = {signal_of(name) for name in names}
    return {name for signal in SIGNALS[1:] if signal not in asked for name in signal.counted_as}


def unit_of(settings: Mapping[str, Any]) -> str:
    """Return what a row of a corpus of recorded settings is: "sentence" or "paragraph"."""
    return str(settings["build"].get("unit", "sentence"))


def in_units(text: str, unit: str) -> str:
    """Return what is said of the sentences of a corpus, of paragraphs where these are its rows."""
    return text.replace("sentence", unit).replace("Sentence", unit.capitalize())
