"""What a corpus lost to the balance of topics, apart from what equal classes alone would cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wikibias.config.choices import SplitBy
from wikibias.corpus.balance import Pools
from wikibias.corpus.candidates import Flags, Ints
from wikibias.messages import counted


@dataclass(frozen=True, slots=True)
class TopicLosses:
    """Candidates that are left out as their topic has no more of the other class.

    Attributes:
        biased: all of them.
        neutral: all of them, where these are fewer; else only added ones, if they are taken first.
        surplus: how many biased ones have no counterpart of any topic either.
        of_added: how many added ones there were; None where all neutral ones count.
    """

    biased: Ints
    neutral: Ints
    surplus: int
    of_added: int | None

    @property
    def all(self) -> Ints:
        """Those of both classes."""
        return np.concatenate([self.biased, self.neutral])

    def notes(self, split_by: SplitBy) -> list[str]:
        """Return what is left out and why, a line for each class."""
        where = "of the same topic" + (" in the same split" if split_by == "page" else "")
        lines = []
        if number := len(self.neutral):
            what = (
                counted(number, "neutral sentence")
                if self.of_added is None
                else f"{number:,} of {counted(self.of_added, 'added sentence')}"
            )
            lines.append(f"left out: {what} without a biased one {where}")
        if number := len(self.biased):
            what = counted(number, "biased sentence")
            also = f" ({self.surplus:,} of them without one of any topic)" if self.surplus else ""
            lines.append(
                f"left out: {what} without a neutral one {where}{also}; more dump parts would keep "
                "more"
            )
        return lines


def topic_losses(there: Pools, neutral: Ints, gone: Flags, *, added_first: bool) -> TopicLosses:
    """Return what the balance of topics left out.

    Args:
        there: the sentences that may be drawn.
        neutral: those of them that might have been drawn, of the kinds asked for.
        gone: a flag for each candidate, set of those that are in the corpus, or left out for
            another reason.
        added_first: whether added sentences are taken before other neutral ones.
    """
    left = there.of(~gone)
    neutral = neutral[~gone[neutral]]
    if surplus := max(0, len(left.biased) - len(neutral)):
        return TopicLosses(left.biased, neutral, surplus, None)
    return TopicLosses(left.biased, left.added[: None if added_first else 0], 0, len(there.added))
