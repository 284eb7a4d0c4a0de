from __future__ import annotations

import numpy as np
import pytest

from sample_examples import as_examples
from wikibias.errors import WikibiasError
from wikibias.models.examples import Splits, places_of_new

SPLITS = Splits(
    {
        "train": as_examples("train", [("biased", "One."), ("neutral", "Two.")]),
        "test": as_examples("test", [("biased", "Three, four!")]),
    }
)


def test_what_is_judged_by_is_not_learnt_first() -> None:
    first = as_examples("first", [("biased", "three four"), ("neutral", "Five."), ("biased", "6")])
    said: list[str] = []
    assert np.array_equal(places_of_new(first, SPLITS, said.append), [1, 2])
    assert said == ["first: left out 1 sentence that train, dev or test hold, too"]


def test_where_nothing_is_left_it_is_said() -> None:
    with pytest.raises(WikibiasError, match="first: every sentence of it is in train"):
        places_of_new(as_examples("first", [("biased", "ONE")]), SPLITS, print)
