"""Draws a sample of a stream whose length nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def drawn(items: Iterable[T], most: int, seed: int) -> tuple[list[T], int]:
    """Return at most so many items, each as likely as any other, and how many there were.

    They come in their order. Memory holds no more than are drawn (Vitter's algorithm R).
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    kept: list[tuple[int, T]] = []
    number = 0
    for number, item in enumerate(items, 1):
        if len(kept) < most:
            kept.append((number, item))
        elif (place := int(rng.random() * number)) < most:
            kept[place] = (number, item)
    return [item for _, item in sorted(kept, key=lambda each: each[0])], number
