"""What a check is: it tries hostile input on the real command line, and says what came out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# So many of those that fell in the same way are named in a row.
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Try:
    """One thing that was tried: what, what came out in a few words, and whether that is right."""

    what: str
    came: str
    held: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a check works: an empty folder. `quick`: take few and small inputs."""

    folder: Path
    quick: bool
    seed: int = 0
    damages: int = 150
    kills: int = 20

    def below(self, name: str) -> Place:
        """Return the same with an empty folder of its own."""
        folder = self.folder / name
        folder.mkdir()
        return Place(folder, self.quick, self.seed, self.damages, self.kills)


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the table. `quick`: it has a short form."""

    topic: str
    name: str
    run: Callable[[Place], Iterable[Try]]
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """What came out of one check."""

    check: Check
    tries: Sequence[Try]
    seconds: float

    @property
    def fallen(self) -> list[Try]:
        """The tries that did not hold."""
        return [each for each in self.tries if not each.held]

    def cells(self) -> list[str]:
        """Return the cells of the row; of what came out, what fell first."""
        fell: dict[str, list[str]] = {}
        for each in self.fallen:
            fell.setdefault(each.came, []).append(each.what)
        held = Counter(each.came for each in self.tries if each.held)
        came = [f"**fell**: {came} ({_some(names)})" for came, names in fell.items()]
        came += [f"{came} ({number})" for came, number in held.most_common()]
        name = f"{self.check.topic} | {self.check.name}"
        figures = str(len(self.tries)), str(held.total())
        return [name, *figures, _cell("; ".join(came)), f"{self.seconds:.0f}"]


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _cell(text: str) -> str:
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return shown.replace("|", "\\|")


def rows(checks: Iterable[Check], place: Place) -> Iterator[Row]:
    """Do the checks one after the other.

    One that breaks has fallen, and so has one that tries nothing.
    """
    for number, check in enumerate(checks):
        tries, began = list[Try](), time.monotonic()
        try:
            for each in check.run(place.below(str(number))):
                tries.append(each)
            if not tries:
                tries.append(Try(check.name, "nothing was tried", held=False))
        except Exception as error:  # whatever a check may raise
            tries.append(Try(check.name, f"{type(error).__name__}: {error}", held=False))
        yield Row(check, tries, time.monotonic() - began)


def table(found: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| topic | check | tried | held | what came out | seconds |"
    yield "| --- | --- | ---: | ---: | --- | ---: |"
    for row in found:
        yield f"| {' | '.join(row.cells())} |"
