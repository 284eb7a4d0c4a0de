"""Wikitexts of any size that try to take all the time, memory or stack, and how that time grows."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf
from time import process_time

from paths import CASES


@dataclass(frozen=True)
class Kind:
    """A kind of hostile text: `before`, `open` and `close` repeated as often, `after`."""

    name: str
    open: str
    before: str = ""
    close: str = ""
    after: str = ""

    def text(self, size: int) -> str:
        """Return a text of about `size` characters, with at least one repetition."""
        room = size - len(self.before) - len(self.after)
        # The number that stands for "§" is as long as the last one, with a leading "1".
        width = len(str(room))
        times = max(1, room // len((self.open + self.close).replace("§", "1" * width)))
        middle = (_repeated(part, times, width) for part in (self.open, self.close))
        return "".join((self.before, *middle, self.after))


def _repeated(part: str, times: int, width: int) -> str:
    if "§" not in part:
        return part * times
    first = 10 ** (width - 1)
    return "".join(part.replace("§", str(first + number)) for number in range(times))


def kinds() -> list[Kind]:
    """Return all kinds of tests/cases/hostile_texts.toml."""
    table = tomllib.loads((CASES / "hostile_texts.toml").read_text(encoding="utf-8"))
    return [
        Kind(f"{group}: {name}", **parts)
        for group, members in table.items()
        for name, parts in members.items()
    ]


def hostile_texts(size: int) -> Iterator[tuple[str, str]]:
    """Yield the name of each kind and its text of about `size` characters."""
    for kind in kinds():
        yield kind.name, kind.text(size)


# In CPU seconds. What takes less is quick, however it grows: to measure it would need longer texts.
_QUICK = 0.05
_TIMES = 4
# A straight line gives 4, a square 16.
_MOST = 9
_TRIES = 4


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
        small, large = kind.text(size), kind.text(_TIMES * size)
        least, seconds = inf, _once(function, large)
        # A busy machine slows some of the runs: the best of several counts.
        for _ in range(_TRIES):
            if seconds <= _QUICK:
                break
            least, seconds = min(least, cost(function, small)), min(seconds, _once(function, large))
            if seconds <= _MOST * least:
                break
        else:
            found[kind.name] = (least, seconds)
    return found
