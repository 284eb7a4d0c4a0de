"""How biased texts are by a classifier that `wikibias classify` trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wikibias.models.estimators import registry
from wikibias.models.prediction import reader


def bias_by(folder: Path) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Return what gives the probability that each text is biased; of an empty text it is 0.

    Raises:
        WikibiasError: the folder holds no model that can be read.
    """
    model = registry.load(folder)
    read = reader(registry.describe(folder))

    def probabilities(texts: Sequence[str]) -> NDArray[np.float64]:
        found = np.zeros(len(texts))
        some = [at for at, text in enumerate(texts) if text.strip()]
        if some:
            found[some] = model.predict_proba([read(texts[at]) for at in some])
        return found

    return probabilities
