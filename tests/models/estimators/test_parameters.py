"""The parameters of an estimator."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError
from wikibias.models.estimators.registry import check_parameters, defaults


def make(stopwords: tuple[str, ...], *, alpha: float = 1.0, ngrams: int = 2) -> None:
    """Stand for the function that makes an estimator."""


def test_they_are_the_arguments_by_keyword() -> None:
    assert defaults(make) == {"alpha": 1.0, "ngrams": 2}


def test_an_unknown_one_is_refused_with_the_nearest() -> None:
    check_parameters("nb", make, {"alpha": 2})
    with pytest.raises(UsageError, match="has no parameter 'alhpa'; did you mean 'alpha'"):
        check_parameters("nb", make, {"alhpa": 2})
    with pytest.raises(UsageError, match="'stopwords'"):
        check_parameters("nb", make, {"stopwords": ()})
