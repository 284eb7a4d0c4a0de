"""The names that the command line offers, apart from what they stand for: `--help` stays quick."""

from __future__ import annotations

from collections.abc import Mapping

METRIC_TITLES: Mapping[str, str] = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "accuracy": "Accuracy",
    "mcc": "MCC",
    "roc_auc": "ROC-AUC",
    "average_precision": "Average precision",
    "brier": "Brier score (lower is better)",
}
METRICS = (
    "precision",
    "recall",
    "f1",
    "accuracy",
    "mcc",
    "roc_auc",
    "average_precision",
    "brier",
)
"""Precision, recall and F1 are those of the biased class; see `scores`."""
CHOICES = tuple(metric for metric in METRICS if metric != "brier")
"""What a grid search may choose by: a margin has no Brier score; see `grids`."""
GROUPINGS = ("page", "pair", "near-duplicate", "random")
"""What stays together in k-fold: the sentences of a page, of an edit, near-duplicates, nothing."""
NGRAMS = ("char", "word")
"""Kinds of vector by which sentences are similar; see `neighbours`."""
RESAMPLES = 1000
"""Of a bootstrap interval."""
