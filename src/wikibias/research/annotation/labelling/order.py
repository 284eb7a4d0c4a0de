"""The order in which an annotator sees the items: his own, and the same each time."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from wikibias.research.annotation.tasks import Task

_FULL = 2**64
# A repeat comes this share of a round after what it repeats, at the least and at the most, so that
# either way round about a third of all items lies between the two.
_NEAREST, _FARTHEST = 1 / 3, 2 / 3


def ordered(tasks: Sequence[Task], annotator: str, seed: int) -> list[Task]:
    """Return practice items as they stand, then his others in an order of the annotator's own.

    The place of an item depends on nothing but its name, so that items which are added later change
    the order of no others. A repeat never stands near what it repeats.
    """
    his = [task for task in tasks if not task.annotators or annotator in task.annotators]
    practice = [task for task in his if task.kind == "practice"]
    others = [task for task in his if task.kind != "practice"]
    known = {task.item for task in others}

    def place(task: Task) -> tuple[float, str]:
        if task.repeat_of is None or task.repeat_of not in known:
            return _share(annotator, task.item, seed), task.item
        gap = _NEAREST + (_FARTHEST - _NEAREST) * _share(annotator, task.item, seed)
        return (_share(annotator, task.repeat_of, seed) + gap) % 1, task.item

    return [*practice, *sorted(others, key=place)]


def _share(annotator: str, item: str, seed: int) -> float:
    """Return a number from 0 to below 1, drawn by names."""
    drawn = sha256(f"{seed}\0{annotator}\0{item}".encode(errors="surrogatepass")).digest()
    return int.from_bytes(drawn[:8]) / _FULL
