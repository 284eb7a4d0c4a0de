"""What the reading of a part has found, for the metadata of its output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from wikibias.dumps.iteration import Tally
from wikibias.pipeline.outputs import KINDS, counted_as
from wikibias.records import WITHOUT_TEXTS, Transition

# What becomes of summaries that name the policy, in the order of the rule.
SUMMARY_COUNTS = ("matched", "reverts", "pover", "kept")


@dataclass(slots=True)
class Findings:
    """What was seen of a part while it was read, for the metadata of its output.

    `tally` names what could not be read of it, `lost` the transitions that could not be worked
    out: the reading is ahead of them, by as much as there are workers. `intents` counts the edits
    of each intent, `intents_reverted` those of them that were undone.
    """

    tally: Tally = field(default_factory=Tally)
    lost: Tally = field(default_factory=Tally)
    counts: Counter[str] = field(default_factory=Counter)
    summaries: Mapping[str, int] = field(default_factory=dict)
    intents: Counter[str] = field(default_factory=Counter)
    intents_reverted: Counter[str] = field(default_factory=Counter)
    about: dict[str, Any] = field(
        default_factory=lambda: {"wiki": None, "namespaces": {}, "warnings": [], "input": None}
    )

    def count(self, transition: Transition) -> None:
        """Count one transition that has been found."""
        made = transition.provenance
        self.counts[counted_as(made.kind, made.pairing)] += 1
        self.counts["reverted"] += made.reverted
        if made.pairing == WITHOUT_TEXTS:
            self.intents[made.signal] += 1
            self.intents_reverted[made.signal] += made.reverted

    def meta(self) -> dict[str, Any]:
        """Return everything, as it stands in the file's metadata."""
        tally = replace(self.tally, first_unreadable=list(self.tally.first_unreadable))
        tally.add_unreadable(self.lost)
        newest = tally.newest.isoformat() if tally.newest else None
        counts = {kind: self.counts[kind] for kind in (*KINDS, "reverted")}
        summaries = {name: self.summaries.get(name, 0) for name in SUMMARY_COUNTS}
        told = {"summaries": summaries}
        if self.intents:  # of those asked for, also where none was found
            told |= {"intents": dict(self.intents), "intents_reverted": dict(self.intents_reverted)}
        return asdict(tally) | {"newest": newest} | counts | told | self.about
