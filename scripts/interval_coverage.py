"""Measures how often the 95 % intervals of simulated test sets hold the true score, by their pages.

docs/classify.md shows the numbers: .venv/bin/python scripts/interval_coverage.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wikibias.models.evaluation.metrics import (
    Predictions,
    Truth,
    score,
    score_with_intervals,
)

METRICS = ("accuracy", "mcc", "roc_auc")
# Pages, and sentences of each.
SIZES = ((3, 4), (5, 4), (10, 4), (15, 4), (20, 1), (20, 4), (30, 4), (50, 2))
SETS, RESAMPLES, LARGE = 400, 400, 40_000


def simulated(
    rng: np.random.Generator, pages: int, each: int
) -> tuple[Truth, Predictions, NDArray[np.int64]]:
    """Return labels, predictions and pages of a test set; the model is right in 70 %, by page.

    Of one page it is right in 60 to 80 %, as its sentences are alike.
    """
    of = np.repeat(np.arange(pages), each)
    truth = rng.random(len(of)) < 0.5
    right = rng.random(len(of)) < np.clip(rng.normal(0.7, 0.1, pages), 0.05, 0.95)[of]
    margins = np.where(truth == right, 0.8, 0.2) + rng.normal(0, 0.05, len(of))
    return truth, Predictions.of(margins), of


def main() -> None:
    """Print a line for each size: the share of intervals that hold the score, and their width."""
    rng = np.random.default_rng(0)
    known = score(*simulated(rng, LARGE, 4)[:2])
    print("pages", "sentences", *METRICS, "width of MCC", sep="\t")
    for pages, each in SIZES:
        held, width = dict.fromkeys(METRICS, 0), 0.0
        for _ in range(SETS):
            truth, predicted, of = simulated(rng, pages, each)
            table = score_with_intervals(truth, predicted, groups=of, resamples=RESAMPLES, seed=1)
            for metric in METRICS:
                low, value, high = table[metric]["low"], known[metric], table[metric]["high"]
                held[metric] += None not in (low, value, high) and low <= value <= high  # type: ignore[operator]
            width += (table["mcc"]["high"] or 0) - (table["mcc"]["low"] or 0)
        shares = (f"{held[metric] / SETS:.3f}" for metric in METRICS)
        print(pages, pages * each, *shares, f"{width / SETS:.2f}", sep="\t")


if __name__ == "__main__":
    main()
