"""Patterns of users: what is refused, and that what is taken costs little on any text."""

from __future__ import annotations

import time
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import CASES
from wikibias.config.patterns import LONGEST_SEARCHED, bounded_pattern, searched

PATTERNS: list[dict[str, Any]] = tomllib.loads(
    (CASES / "bounded_patterns.toml").read_text(encoding="utf-8")
)["case"]


@pytest.mark.parametrize("case", PATTERNS, ids=lambda case: case["pattern"])
def test_a_pattern_is_taken_or_refused(case: dict[str, Any]) -> None:
    if "refused" in case:
        with pytest.raises(ValueError, match=case["refused"]):
            bounded_pattern(case["pattern"])
    else:
        bounded_pattern(case["pattern"])


def test_a_long_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than"):
        bounded_pattern("a" * 1_001)
    with pytest.raises(ValueError, match=r"expression|too long"):
        bounded_pattern("(" * 400 + "a" + ")" * 400 + "*" * 2)


def test_letter_case_does_not_count_and_the_end_of_a_long_text_neither() -> None:
    pattern = bounded_pattern("pov")
    assert searched(pattern, "rm POV")
    assert not searched(pattern, " " * LONGEST_SEARCHED + "pov")


@given(st.text(alphabet="ab*+?{}()|.,2^$", max_size=24))
def test_what_is_taken_is_quick(pattern: str) -> None:
    try:
        found = bounded_pattern(pattern)
    except ValueError:
        return
    began = time.process_time()
    searched(found, "a" * LONGEST_SEARCHED)
    searched(found, "ab" * LONGEST_SEARCHED)
    assert time.process_time() - began < 5
