"""What was measured of the method, and on what; a test compares it with `docs/quality.md`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from wikibias.config.thresholds import Config
from wikibias.records import Tier


class Judged(NamedTuple):
    """How many sentences labelled biased two judges saw, and how many each found biased."""

    number: int
    fewest: int
    most: int


# Sentences labelled biased that judges found biased, by tier.
TIERS: Mapping[Tier, Judged] = {
    "high": Judged(10, 5, 5),
    "medium": Judged(27, 7, 9),
    "low": Judged(100, 14, 15),
}
# The rules that split sentences: texts of the set `unseen`, and how many of them are right.
SPLIT: Mapping[str, tuple[int, int]] = {
    "ar": (8, 7), "bg": (12, 11), "ca": (8, 8), "cs": (8, 8), "da": (8, 8), "de": (8, 7),
    "en": (12, 11), "es": (8, 7), "fa": (8, 6), "fi": (8, 8), "fr": (12, 11), "he": (8, 8),
    "hu": (8, 7), "it": (8, 7), "ja": (8, 8), "nl": (8, 8), "no": (8, 8), "pl": (8, 7),
    "pt": (8, 6), "ro": (8, 8), "ru": (8, 8), "sv": (8, 7), "tr": (8, 8), "uk": (8, 8),
    "zh": (8, 7),
}  # fmt: skip
# F1 of the links between sentences, on the half that nobody had seen.
ALIGNED: Mapping[str, float] = {"en": 0.908, "fr": 0.896, "bg": 0.936}


# What both judgements have in common.
_TAGSET, _PAIRING = "npov", "removal-edit"


def quality(settings: Mapping[str, Any], pairings: Sequence[str]) -> list[str]:
    """Return what was measured, on what, and in what a run with these settings differs."""
    lang = settings["detect"]["lang"]
    tiers = "; ".join(
        f"{tier} {judged.fewest}{f' to {judged.most}' * (judged.most > judged.fewest)} of "
        f"{judged.number}"
        for tier, judged in TIERS.items()
    )
    found = [
        "No label of this corpus itself has been judged.",
        "Of sentences labelled biased, two language models judged to be biased, by tier: "
        f"{tiers}. The sentences were of a few articles (en and ja), tag set {_TAGSET}, pairing "
        f"{_PAIRING}, default filters and thresholds."
        f"{_differs(settings, pairings, ('en', 'ja'), 'default', _others(settings))}",
        "In the 2019 study people judged 48 % of 1,784 such sentences biased: en, fr and bg, the "
        f"tags with which the set {_TAGSET} began, pairing {_PAIRING}, filters of the "
        f"paper.{_differs(settings, pairings, ('en', 'fr', 'bg'), 'paper')}",
    ]
    segmenter = settings["diff"].get("segmenter") or "rules"
    if segmenter == "rules" and lang in SPLIT:
        texts, right = SPLIT[lang]
        found.append(
            f"Of {texts} difficult texts in this language the rules split {right} into the right "
            "sentences."
        )
    else:
        found.append("How well sentences are split was not measured for this language and rules.")
    if lang in ALIGNED:
        said = f"has an F1 of {ALIGNED[lang]:.3f} on edits made up for the purpose."
    else:
        said = "was measured for en, fr and bg, not for this language."
    return [*found, f"Which sentence became which {said}"]


def _differs(
    settings: Mapping[str, Any],
    pairings: Sequence[str],
    languages: Sequence[str],
    filters: str,
    also: Sequence[str] = (),
) -> str:
    """Say in what a run differs from what was judged."""
    detect, chosen = settings["detect"], settings["filter"]["filters"]
    others = [] if detect["lang"] in languages else [f"language {detect['lang']}"]
    if detect["tagset"] != _TAGSET or detect["families"]:
        only = ", ".join(detect["families"])
        others.append(f"tag set {detect['tagset']}{f' ({only})' if only else ''}")
    others += [f"pairing {name}" for name in pairings if name != _PAIRING]
    others += [] if chosen == filters else [f"filters {chosen}"]
    others += also
    return f" This corpus differs: {'; '.join(others)}." if others else ""


def _others(settings: Mapping[str, Any]) -> list[str]:
    """Return the choices and thresholds of a run that are not the defaults, of those that count."""
    usual = Config()
    choices = (("detect", "per", "tag"), ("diff", "scope", "page"), ("filter", "reverts", "drop"))
    found = [
        f"{name} {settings[section][name]}"
        for section, name, default in choices
        if settings.get(section, {}).get(name, default) != default
    ]
    thresholds = (
        ("detect", "reverts", _as_recorded(usual.reverts)),
        ("filter", "limits", _as_recorded(usual.filter)),
        ("build", "tiers", _as_recorded(usual.tiers)),
        ("build", "min_tokens", usual.text.min_tokens),
        ("build", "max_tokens", usual.text.max_tokens),
    )
    for section, name, default in thresholds:
        chosen = settings.get(section, {}).get(name, default)
        if isinstance(default, dict) and isinstance(chosen, dict):
            found += [f"{key} {chosen[key]}" for key in default if chosen.get(key) != default[key]]
        elif chosen != default:
            found.append(f"{name} {chosen}")
    return found


def _as_recorded(thresholds: Any) -> Any:
    """Return thresholds as a manifest has them: lists in place of tuples."""
    return json.loads(json.dumps(asdict(thresholds)))
