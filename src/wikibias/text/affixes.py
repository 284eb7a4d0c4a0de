"""Where two long texts, nearly the same, differ."""

from __future__ import annotations

from typing import AnyStr


def changed(old: AnyStr, new: AnyStr) -> tuple[int, int]:
    """Return where two texts begin to differ, and where, in the new one, they cease to.

    From there on the old one, too, has as much left as the new one. By halving, as comparing is
    a hundred times as fast as looking at each letter.
    """
    start, most = 0, min(len(old), len(new))
    while start < most:
        middle = (start + most + 1) // 2
        if old.startswith(new[start:middle], start):
            start = middle
        else:
            most = middle - 1
    least, tail = 0, min(len(old), len(new)) - start
    while least < tail:
        middle = (least + tail + 1) // 2
        if old.endswith(new[len(new) - middle : len(new) - least], 0, len(old) - least):
            least = middle
        else:
            tail = middle - 1
    return start, len(new) - least
