"""Sentences with noisier labels, to be learnt before those of train: none that is judged by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.messages import counted
from wikibias.models.examples import Examples, Splits, Warn


def places_of_new(first: Examples, splits: Splits, warn: Warn) -> NDArray[np.int64]:
    """Return the places of the sentences that are in no split, by letters and digits alone.

    Raises:
        WikibiasError: none is left.
    """
    known = {_key(text) for part in splits.by_name.values() for text in part.texts}
    kept = [place for place, text in enumerate(first.texts) if _key(text) not in known]
    if not kept:
        raise WikibiasError(f"{first.name}: every sentence of it is in train, dev or test, too")
    if left := len(first) - len(kept):
        warn(
            f"{first.name}: left out {counted(left, 'sentence')} that train, dev or test hold, too"
        )
    return np.array(kept, dtype=np.int64)


def _key(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
