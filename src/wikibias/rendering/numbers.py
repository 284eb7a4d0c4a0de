"""Formats scores, intervals and p-values for people."""

from __future__ import annotations

from collections.abc import Mapping

Interval = Mapping[str, float | None]
"""`value` with the ends `low` and `high` of its confidence interval; None where not defined."""


def number(value: float | None) -> str:
    """Format a score with three decimals, without the sign of one that is rounded to 0."""
    return "–" if value is None else f"{round(value, 3) + 0.0:.3f}"


def p_value(p: float) -> str:
    """Format the p-value of a test."""
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def with_interval(entry: Interval) -> str:
    """Format a score with its confidence interval."""
    if entry["value"] is None:
        return "–"
    return f"{number(entry['value'])} [{number(entry['low'])}, {number(entry['high'])}]"
