"""How right labels by intents are, as measured; a test compares it with `docs/quality.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wikibias.corpus.labelled.intent_finds import CITATION


class Right(NamedTuple):
    """Of how many positives a judge found how many right; the 95 % interval (Wilson) in percent."""

    number: int
    right: int
    low: int
    high: int


INTENTS: Mapping[str, Right] = {
    CITATION: Right(60, 57, 86, 98),
    "clarification": Right(60, 16, 17, 39),
    "point-of-view": Right(56, 39, 57, 80),
}
SAME_TEXT = {"same_text": (31, 30), "other": (29, 6)}
"""Positives of citation whose reference is for what stood there before, by relation."""
_LANG, _RULES, _FILTERS = "en", "robust", "default"


def intents_quality(settings: Mapping[str, Any], labels: Sequence[str]) -> list[str]:
    """Return how right the labels by intents are that were judged, on what, and which were not.

    Args:
        settings: of the run, as a manifest has them.
        labels: the intents.
    """
    found = [_right(label, INTENTS[label]) for label in labels if label in INTENTS]
    if found:
        found.insert(
            0,
            "No label of this corpus itself has been judged. Of kept sentences of one English "
            f"article, Anarchism, found with --rules {_RULES}, one judge, a language model, judged "
            f"as follows.{_differs(settings)}",
        )
    if others := [label for label in labels if label not in INTENTS]:
        found.append(f"Not judged at all: {', '.join(others)}.")
    if CITATION in labels:
        (same, of_same), (other, of_other) = SAME_TEXT["same_text"], SAME_TEXT["other"]
        found.append(
            f"To train on sentences in need of a citation, take the {CITATION} positives whose "
            f"relation is same_text: of {same} such the reference was in {of_same} for what stood "
            f"there before, of {other} others in {of_other}."
        )
    return found


def _right(label: str, judged: Right) -> str:
    share = 100 * judged.right / judged.number
    return (
        f"{label}: {judged.right} of {judged.number} positives right, {share:.0f} % (95 % "
        f"interval {judged.low} to {judged.high} %)."
    )


def _differs(settings: Mapping[str, Any]) -> str:
    """Say in what a run differs from what was judged."""
    detect, chosen = settings.get("detect") or {}, settings.get("filter") or {}
    others = [
        f"{name} {value}"
        for name, value, judged in (
            ("language", detect.get("lang", _LANG), _LANG),
            ("rules", detect.get("rules", _RULES), _RULES),
            ("filters", chosen.get("filters", _FILTERS), _FILTERS),
        )
        if value != judged
    ]
    return f" This corpus differs: {', '.join(others)}." if others else ""
