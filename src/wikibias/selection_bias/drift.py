"""How what a corpus is about changes from one to the next, as from one dump to a later one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from wikibias.selection_bias.documents import Documents


def why_not(old: Documents, new: Documents) -> str | None:
    """Return why two corpora cannot be compared, in a line; None where they can."""
    return None


def drift(
    old: Documents,
    new: Documents,
    *,
    stop_words: Collection[str],
    topics: int,
    seeds: Sequence[int],
    draws: int = 200,
) -> dict[str, Any]:
    """Return how the topics and words of a corpus differ from those of another.

    Topics are fitted on samples of equal size of both, together.

    Args:
        old: the first corpus.
        new: the second one.
        stop_words: words that are of no topic.
        topics: how many.
        seeds: of the fits; the first one is that of the samples and the draws, too.
        draws: how often documents are shuffled between the two, to tell what is chance.

    Returns:
        A figure is {"value", "low", "high"}, over seeds; by chance {"mean", "low", "high", "p"}.

        - `old`, `new`: names.
        - `documents`: {"old", "new", "each"}, with how many of each the topics are fitted.
        - `same`: the share of the new sentences that the old corpus has.
        - `shuffled_by`: "page", or "sentence" where pages are not known or too few.
        - `js`, `js_chance`: Jensen-Shannon divergence (base 2) of the shares of topics, 0 to 1.
        - `of_new`: {"documents", "js", "js_chance"}, likewise of the sentences that are new against
          the old corpus; None where all are new, or too few.
        - `topics`: [{"words", "old", "new", "difference", "p"}], those of the first seed, the one
          that grew most first.
        - `came`, `went`: [{"word", "z", "old", "new"}], words that tell the two apart, with how
          often each has them.

    Raises:
        WikibiasError: the two cannot be compared, see `why_not`.
    """
    raise NotImplementedError
