"""The end of the page: what goes with what, the settings, and how to make the figures again."""

from __future__ import annotations

from typing import Any

from wikibias.kits.document import Table, p_value
from wikibias.research.reports.selection_bias.part import Block, Part
from wikibias.research.reports.selection_bias.result import FIGURES, Entry, Result, short, whole

_CHANCE = 0.05
_ROWS = 60
_WITH = {
    "topics": "topics",
    "words": "words of a topic",
    "documents": "sentences",
    "vocabulary": "vocabulary",
    "keywords": "keywords",
    "keyword_similarity": "likeness of the keywords",
    "words_per_document": "words of a sentence",
}
_SETTINGS = {
    "topics": "numbers of topics",
    "words": "numbers of words",
    "base": "base setting",
    "seeds": "seeds",
    "missing": "pairs without a similarity",
    "topic_model": "topic model",
    "lists": "random lists",
    "most": "sentences at most",
    "least": "sentences that a topic word stands in, at least",
    "stop_words": "stop words",
    "by": "groups by",
}
_MISSING = {"zero": "count as 0", "skip": "are left out"}


def correlations(result: Result) -> Part | None:
    """Return the section on what the figures go with; None where nothing was correlated."""
    found = [each for each in result.all("correlations") if each["figure"] in FIGURES]
    if not found:
        return None
    several = len(result.corpora) > 1
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for each in found:
        corpus = [short(each.get("corpus") or "all")] if several else []
        key = (*corpus, short(each.get("keywords") or "all"), _with(each), whole(each["points"]))
        cells.setdefault(key, {})[each["figure"]] = _meaning(each)
    rows = [
        [*key, *(of.get(figure, "–") for figure in FIGURES)]
        for key, of in list(cells.items())[:_ROWS]
    ]
    header = [
        *(["corpus"] if several else []),
        "keywords",
        "with",
        "points",
        *FIGURES.values(),
    ]
    says = [
        "Spearman’s rank correlation rho: 1 where a figure always rises with something, −1 where "
        "it always falls. Figures of one corpus are of the same sentences, so that there is no p; "
        "over corpora, unclear is what p leaves to chance, or where they are too few."
    ]
    if len(cells) > _ROWS:
        says.append(f"The first {_ROWS} of {len(cells)} are shown.")
    table = Table(header, rows, 2 + several, title="Rank correlations: rho", stacks=True)
    return Part("correlations", "What the figures go with", [Block(says=says, tables=[table])])


def _with(entry: Entry) -> str:
    return _WITH.get(entry["with"], short(entry["with"], 40))


def _meaning(entry: Entry) -> str:
    """Return rho; over corpora in words, with p where it is no chance."""
    rho, p = entry["rho"], entry["p"]
    if rho is None:
        return "does not vary"
    said = f"{round(rho, 2) + 0.0:.2f}"
    if p is None and entry.get("corpus") is not None:
        return said
    if p is None or p > _CHANCE:
        return f"unclear {said}"
    return f"{'rises' if rho > 0 else 'falls'} {said} (p {p_value(p)})"


def provenance(result: Result) -> Part:
    """Return the section on similarity, settings, and the command."""
    similarity = [
        (name.replace("_", " ")[:40], said)
        for name, value in result.raw["similarity"].items()
        if (said := _said(value))
    ]
    settings = [
        (_SETTINGS.get(name, name.replace("_", " "))[:40], _setting(name, value))
        for name, value in result.settings.items()
        if _said(value)
    ]
    blocks = [
        Block("Similarity", facts=similarity[:30]),
        Block("Settings", facts=settings[:30]),
    ]
    command = result.raw.get("command")
    says = [
        "The same corpora, settings and seeds give the same figures. “wikibias report” on this "
        "folder writes this page anew from selection_bias.json."
    ]
    if command:
        says.append("What was measured, where --out DIR says where to write it:")
    again = Block(
        "Again",
        says=says,
        commands=[short(command, 2000)] if command else [],
    )
    return Part("provenance", "Settings, and where it comes from", [*blocks, again])


def _setting(name: str, value: Any) -> str:
    if name == "base":
        return f"{value['topics']} topics of {value['words']} words"
    return _MISSING.get(value, short(value)) if name == "missing" else _said(value)


def _said(value: Any) -> str:
    """Return a value of any kind in one line; "" for none."""
    if isinstance(value, dict):
        return short(", ".join(f"{name}: {_said(of)}" for name, of in value.items()), 300)
    if isinstance(value, list):
        return short(", ".join(_said(each) for each in value), 300)
    if isinstance(value, int):
        return f"{value:,}"
    return "" if value is None else short(str(value), 300)
