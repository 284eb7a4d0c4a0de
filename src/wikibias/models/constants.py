"""Names that the command line offers. Imports nothing heavy, so that `--help` is quick."""

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
METRICS = tuple(METRIC_TITLES)
"""Precision, recall and F1 are those of the biased class; see `evaluation.metrics`."""
CHOICES = tuple(metric for metric in METRICS if metric != "brier")
"""Metrics that a grid search can choose by. A margin has no Brier score; see `search`."""
GROUPINGS = ("page", "group", "pair", "near-duplicate", "random")
"""What stays in one fold of a cross-validation: a page, a group of pairs (what their column --group
says), an edit (both sides), near-duplicates, or nothing."""
ORDER_ONLY = frozenset({"pair-lr"})
"""Models whose scores, learnt from edits, put sentences in an order and are no probabilities."""
