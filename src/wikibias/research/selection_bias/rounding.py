"""Numbers as results hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

DECIMALS = 6
"""More would differ from one machine to the next."""


def rounded(value: Any) -> Any:
    """Return what JSON holds of a result: numbers of few decimals, None for not a number."""
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, DECIMALS) + 0.0
    return value
