"""What splits paragraphs is known by name before any of it is loaded."""

from __future__ import annotations

import pytest

from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.text.segmentation import SEGMENTERS


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown segmenter 'rule'; did you mean 'rules'"):
        SEGMENTERS.check("rule")


def test_a_name_gives_what_splits_a_paragraph() -> None:
    split = SEGMENTERS["rules"](load_language("en"))
    assert list(split("He left. It rains.")) == ["He left.", "It rains."]
