"""Similarities by name."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError
from wikibias.research.selection_bias.similarity.registry import SIMILARITIES


def test_ours_are_known_by_name() -> None:
    assert SIMILARITIES.own() == ("fasttext", "vectors", "wordnet", "encoder")
    assert callable(SIMILARITIES["vectors"])


def test_a_slip_is_told() -> None:
    with pytest.raises(UsageError, match="unknown similarity 'wordnt'; did you mean 'wordnet'"):
        SIMILARITIES.check("wordnt")
