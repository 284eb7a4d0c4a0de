"""How many edits and pairs are left behind each step of a harvest, and what the others fell to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

KEYS = (
    "matched",
    "reverts",
    "pover",
    "kept",
    "single_block",
    "passed",
    "biased",
    "single_word",
    "neutral",
    "after_length_ratio",
)
"""Of edits up to `passed`, of pairs from `biased` on; all but `neutral` count biased pairs then."""


@dataclass(slots=True)
class Funnel:
    """The counts of a harvest.

    Attributes:
        counts: by one of KEYS; what is not in it is not known, as where pairs come from a file.
        stages: how many edits ended where; those that passed are among them.
        verdicts: how many aligned pairs got which verdict of the pair filters.
        more: what else is to be told, such as the limits of the length ratio.
    """

    counts: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    more: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the funnel as `funnel.json` has it: KEYS in order, then the rest, most first."""
        return {
            **{key: self.counts.get(key) for key in KEYS},
            "stages": _most_first(self.stages),
            "verdicts": _most_first(self.verdicts),
            **self.more,
        }


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
