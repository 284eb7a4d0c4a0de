"""How the time that a function takes grows with its text, for tests."""

from collections.abc import Callable, Iterable
from time import process_time

from hostile_texts import Kind

# In CPU seconds. What takes less is quick, however it grows: to measure it would need longer texts.
_QUICK = 0.05
_TIMES = 4
# A straight line gives 4, a square 16.
_MOST = 9


def cost(function: Callable[[str], object], text: str) -> float:
    """Return the CPU seconds that a function takes for a text, the least of two runs."""
    return min(_once(function, text), _once(function, text))


def _once(function: Callable[[str], object], text: str) -> float:
    begin = process_time()
    function(text)
    return process_time() - begin


def slow(
    function: Callable[[str], object], kinds: Iterable[Kind], size: int = 2500
) -> dict[str, tuple[float, float]]:
    """Return the kinds of text for which the time grows faster than in a straight line.

    With each, the CPU seconds for a text of `size` characters and for one of four times the size.
    """
    found = {}
    for kind in kinds:
        seconds = _once(function, kind.text(_TIMES * size))
        if seconds > _QUICK:
            least = cost(function, kind.text(size))
            seconds = min(seconds, _once(function, kind.text(_TIMES * size)))
            if seconds > max(_QUICK, _MOST * least):
                found[kind.name] = (least, seconds)
    return found
