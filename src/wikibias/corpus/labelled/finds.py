"""What one edit tells of a sentence: labels it for certain, or says nothing of them."""

from __future__ import annotations

from typing import NamedTuple

from wikibias.records import (
    Link,
    NegativeKind,
    Provenance,
    Relation,
    Sentence,
    SentenceContext,
)

NO_CONTEXT = SentenceContext("", "", "", has_reference=False, follows_reference=False)
"""Of a sentence of which nobody noted what stands around it."""


class Find(NamedTuple):
    """A sentence, and what one edit tells of it.

    Attributes:
        name: of the sentence in its edit.
        sentence: itself.
        labels: what was found wanting in it; none of a negative.
        judged: the labels of which anything is known.
        negative: what a negative is taken from; None for a positive.
        rank: of several finds of a sentence the least tells most of it.
        provenance: of the edit.
        context: what stands around it.
        link: what became of it; None where that is not known.
        days_stood: how long the tag stood; None where there was none, or that is not known.
    """

    name: str
    sentence: Sentence
    labels: tuple[str, ...]
    judged: tuple[str, ...]
    negative: NegativeKind | None
    rank: int
    provenance: Provenance
    context: SentenceContext = NO_CONTEXT
    link: Link | None = None
    days_stood: float | None = None

    @property
    def counterpart(self) -> str | None:
        """What the sentence became; "" where it was deleted."""
        return None if self.link is None else self.link.counterpart

    @property
    def relation(self) -> Relation | None:
        """How it relates to that."""
        return None if self.link is None else self.link.relation
