"""Says whether there are enough sentences to judge a classifier, or a split, by them.

A percentile bootstrap draws pages. Of 3 pages its 95 % intervals held the true score in only 66 to
73 % of simulated test sets, of 5 in 84 %, of 10 in 88 %, of 20 and more in 91 to 96 %. With 50
sentences of each class the interval of MCC is still 0.36 wide (docs/classify.md#too-few-sentences).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import Scores
from wikibias.messages import counted
from wikibias.models.examples import Examples


def shortage(
    examples: Examples, limits: Scores, groups: NDArray[np.int64] | None = None
) -> str | None:
    """Return what there is too little of, and how much is enough; None where there is enough.

    Args:
        examples: the sentences to judge by.
        limits: what is enough.
        groups: what is drawn together in a bootstrap; by default pages, where they are known.
    """
    together = examples.pages if groups is None else groups
    rarer = min(int(examples.biased.sum()), int((~examples.biased).sum()))
    pages = len(np.unique(together)) if together is not None else None
    few_pages = pages is not None and pages < limits.min_groups
    if rarer >= limits.min_per_class and not few_pages:
        return None
    unit = "page" if groups is None else "group"
    has = [counted(len(examples), "sentence")]
    enough = []
    if rarer < limits.min_per_class:
        has.append(f"{rarer:,} of the rarer class")
        enough.append(f"{limits.min_per_class:,} of each class")
    if few_pages and pages is not None:
        has.append(f"of {counted(pages, unit)}")
        enough.append(f"{counted(limits.min_groups, unit)}")
    return f"{', '.join(has)}; {' and '.join(enough)} are enough"


def pairs_shortage(found: dict[str, Any], limits: Scores) -> str | None:
    """Return the same for what `pairwise.evaluate` found."""
    if found["edits"] >= limits.min_groups:
        return None
    return f"{counted(found['edits'], 'edit')} with both sides; {limits.min_groups:,} are enough"
