"""What JSON holds of a result."""

from __future__ import annotations

from wikibias.research.selection_bias.rounding import rounded


def test_numbers_keep_six_decimals_and_no_number_is_none() -> None:
    given = {"a": [0.12345678, float("nan"), 3], "b": {"c": (-0.0000001, None, "x", True)}}
    assert rounded(given) == {"a": [0.123457, None, 3], "b": {"c": [0.0, None, "x", True]}}
    assert str(rounded(-0.0000001)) == "0.0"
