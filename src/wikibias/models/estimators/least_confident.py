"""Takes out the sentences whose label a cheap model doubts most (Zhong et al. 2021, section 3.1.1).

Labels that come from edits are wrong now and then. There, the 5 or 10 % of biased sentences are
taken out that a classifier of the same sentences finds least likely to be biased.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

_FOLDS = 5
FROM = ("biased", "both")
"""Of which sentences a share is taken: of those with the label, or of all."""


def without_doubtful(
    texts: Sequence[str],
    labels: NDArray[np.bool_],
    judged: NDArray[np.bool_],
    share: float,
    *,
    of: str = FROM[0],
    seed: int = 0,
) -> NDArray[np.bool_]:
    """Return what is still judged when the most doubtful labels are taken out: sentences by labels.

    Each label is judged in folds by logistic regression over words; a sentence is never judged by a
    model that learnt it. A label with fewer sentences of a class than folds keeps all.

    Args:
        texts: sentences to learn from.
        labels: which labels each has, sentences by labels.
        judged: of which that is known, likewise.
        share: to take out.
        of: one of `FROM`.
        seed: of the folds.
    """
    kept = judged.copy()
    for column in range(labels.shape[1]):
        rows = np.flatnonzero(judged[:, column])
        truth = labels[rows, column]
        if min(truth.sum(), (~truth).sum()) < _FOLDS:
            continue
        model = make_pipeline(
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
            LogisticRegression(C=10.0, max_iter=1000),
        )
        folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
        some = [texts[row] for row in rows.tolist()]
        likely = cross_val_predict(model, some, truth, cv=folds, method="predict_proba")[:, 1]
        sure = np.where(truth, likely, 1 - likely)
        candidates = np.flatnonzero(truth) if of == FROM[0] else np.arange(len(rows))
        order = candidates[np.argsort(sure[candidates], kind="stable")]
        kept[rows[order[: int(share * len(candidates))]], column] = False
    return kept
