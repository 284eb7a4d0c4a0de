"""What topics alone tell of the label, and what they are worth to a classifier."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from wikibias.selection_bias.documents import Documents


def why_not(documents: Documents, topics: int) -> str | None:
    """Return why topics and labels of a corpus cannot be compared; None where they can."""
    return None


def leakage(
    documents: Documents,
    *,
    stop_words: Collection[str],
    topics: int,
    seed: int,
    estimator: str,
    draws: int = 200,
) -> dict[str, Any]:
    """Return what topics tell of the labels of a corpus, and how well a classifier does.

    Args:
        documents: with their labels; those without are left out, as are those without a word.
        stop_words: words that are of no topic.
        topics: how many.
        seed: of topics, folds, classifier and draws.
        estimator: the name of a classifier, see `models.estimators.registry`.
        draws: how often labels are shuffled, to tell what is chance.

    Returns:
        Figures are {"mcc", "auc"} of {"value", "low", "high"}.

        - `corpus`, `estimator`, `topics_number`, `documents`, `biased`, `folds`.
        - `grouped_by`: "page", or "near-duplicate" where pages are not known or too few.
        - `topics_only`: figures of a classifier that sees only the shares of topics, by page.
        - `by`: {"sentence", `grouped_by`, "topic"} -> figures of the estimator with such folds.
        - `lost`: figures by sentence less those by topic.
        - `association`: {"cramers_v", "chance": {"mean", "low", "high", "p"}} of label and main
          topic.
        - `topics`: [{"words", "biased", "neutral", "share_biased"}], by falling share.

    Raises:
        UsageError: there is no such estimator, or it learns from edits alone.
        WikibiasError: too few labels, see `why_not`.
    """
    raise NotImplementedError
