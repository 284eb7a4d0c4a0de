"""What is asked of enrichment, and what it finds; see `enrichment`, which does the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wikibias.pipeline.settings import Settings
from wikibias.records import TagContext, Transition

if TYPE_CHECKING:
    from wikibias.edits.sentence_diff import Comparison

# Neighbouring revisions share most of their paragraphs, which one process remembers.
_TOGETHER = 8
_CHARS_TOGETHER = 2_000_000


@dataclass(frozen=True, slots=True)
class EnrichmentTask:
    """What enrichment needs to know: the settings, and the namespaces that the dump declares.

    With `compare`, the sentences of the revisions are compared as well.
    """

    settings: Settings
    declared: tuple[tuple[int, str], ...]
    compare: bool

    @classmethod
    def of(cls, settings: Settings, facts: Mapping[str, Any], *, compare: bool) -> EnrichmentTask:
        """Return a task for a part whose `facts` tell the namespaces that its dump declares."""
        declared = ((int(number), name) for number, name in facts.get("namespaces", {}).items())
        return cls(settings, tuple(sorted(declared)), compare)

    def needs_texts(self, transition: Transition) -> bool:
        """Return whether enrichment reads the texts: of an edit found by its summary, to compare.

        Its context tells of tags, and so it has none.
        """
        return self.compare or transition.provenance.signal == "tag"


@dataclass(frozen=True, slots=True)
class Enriched:
    """What enrichment finds: the context, and the comparison; None where none is asked for.

    `cause` says why the context is not known, if it is not.
    """

    context: TagContext
    comparison: Comparison | None
    cause: str | None = None


def without_texts(transition: Transition) -> Transition:
    """Return a transition without its texts, and without the lines that stand in their place."""
    return replace(transition, before_text=None, after_text=None, session_base_text=None, lines=())


def batches(transitions: Iterable[Transition]) -> Iterator[list[Transition]]:
    """Yield transitions in lists of a bounded number and length."""
    taken: list[Transition] = []
    chars = 0
    for transition in transitions:
        taken.append(transition)
        chars += len(transition.before_text or "") + len(transition.after_text or "")
        chars += len(transition.session_base_text or "")
        chars += sum(len(line.before) + len(line.after) for line in transition.lines)
        if len(taken) >= _TOGETHER or chars >= _CHARS_TOGETHER:
            yield taken
            taken, chars = [], 0
    if taken:
        yield taken
