"""What was measured of the method, and on what; a test compares it with `docs/quality.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wikibias.records import Tier


class Judged(NamedTuple):
    """How many sentences labelled biased two judges saw, and how many each found biased."""

    number: int
    fewest: int
    most: int


# Judged for: these languages, this tag set, this pairing.
LANGUAGES, TAGSET, PAIRING = ("en", "ja"), "npov", "removal-edit"
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


def quality(settings: Mapping[str, Any], pairings: Sequence[str]) -> list[str]:
    """Return what was measured, on what, and what of it was not for a run with these settings."""
    detect, lang = settings["detect"], settings["detect"]["lang"]
    tiers = "; ".join(
        f"{tier} {judged.fewest}{f' to {judged.most}' * (judged.most > judged.fewest)} of "
        f"{judged.number}"
        for tier, judged in TIERS.items()
    )
    languages = " and ".join(LANGUAGES)
    found = [
        f"Of sentences labelled biased, two language models judged to be biased, by tier: {tiers}. "
        f"The sentences were of a few articles ({languages}), tag set {TAGSET}, pairing "
        f"{PAIRING}, default filters.",
        "In the 2019 study people judged 48 % of 1,784 such sentences biased: en, fr and bg, tag "
        "set npov, pairing removal-edit, filters of the paper.",
    ]
    others = [f"language {lang}"] if lang not in LANGUAGES else []
    if (detect["tagset"], list(detect["families"])) != (TAGSET, []):
        others.append(f"tag set {_families(detect)}")
    others += [f"pairing {name}" for name in pairings if name != PAIRING]
    if settings["filter"]["filters"] != "default":
        others.append(f"filters {settings['filter']['filters']}")
    found.append(
        f"Nobody has judged labels of this corpus, nor any for: {'; '.join(others)}."
        if others
        else "Nobody has judged labels of this corpus itself."
    )
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


def _families(detect: Mapping[str, Any]) -> str:
    only = ", ".join(detect["families"])
    return f"{detect['tagset']} ({only})" if only else str(detect["tagset"])
