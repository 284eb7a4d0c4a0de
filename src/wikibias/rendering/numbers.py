"""Scores, intervals and p-values as people read them."""

from __future__ import annotations

from collections.abc import Mapping


def number(value: float | None) -> str:
    """Return a score as people read it."""
    return "–" if value is None else f"{value:.3f}"


def chance(p: float) -> str:
    """Return the probability of a test as people read it."""
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def with_interval(entry: Mapping[str, float | None]) -> str:
    """Return a score and its interval as people read them."""
    if entry["value"] is None:
        return "–"
    return f"{number(entry['value'])} [{number(entry['low'])}, {number(entry['high'])}]"
