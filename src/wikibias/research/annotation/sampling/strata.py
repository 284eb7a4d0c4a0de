"""Strata of a sample: bins of edits by how many sentences they removed, and what parts them more.

The bins of the 2019 paper (section 4.1) hold about as many edits each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wikibias.errors import UsageError

PAPER_BINS = "1-2,3-6,7-15,16-"
_BIN = re.compile(r"\s*(\d{1,9})(?:\s*(-)\s*(\d{1,9})?)?\s*")


@dataclass(frozen=True, slots=True)
class Bin:
    """Edits that removed so many sentences; no `last` means no limit."""

    name: str
    first: int
    last: int | None

    def holds(self, removed: int) -> bool:
        """Return whether an edit that removed so many is in it."""
        return self.first <= removed and (self.last is None or removed <= self.last)


def read_bins(text: str) -> tuple[Bin, ...]:
    """Return the bins that `1-2,3-6,7-15,16-` names.

    Raises:
        UsageError: a part is no range, or two bins share a number.
    """
    bins = []
    for part in text.split(","):
        found = _BIN.fullmatch(part)
        if found is None:
            raise UsageError(f"--bins: {part!r} is no range; write {PAPER_BINS}, or 1- for one bin")
        first = int(found[1])
        last = None if found[2] and not found[3] else int(found[3] or found[1])
        if first < 1 or (last is not None and last < first):
            raise UsageError(f"--bins: {part.strip()} holds no number; the smaller comes first")
        name = f"{first}-" if last is None else f"{first}-{last}" if last > first else str(first)
        bins.append(Bin(name, first, last))
    in_order = sorted(bins, key=lambda each: each.first)
    for one, other in pairwise(in_order):
        if one.last is None or one.last >= other.first:
            raise UsageError(f"--bins: {one.name} and {other.name} share a number; part them")
    return tuple(in_order)


def bin_of(removed: int | None, bins: Sequence[Bin]) -> Bin | None:
    """Return the bin of an edit that removed so many sentences; None where none holds it."""
    if removed is None:
        return None
    return next((each for each in bins if each.holds(removed)), None)


def stratum_name(of: Bin, values: Mapping[str, str]) -> str:
    """Return the name of a stratum, such as `bin=3-6 tag=POV`."""
    return " ".join([f"bin={of.name}", *(f"{name}={value}" for name, value in values.items())])


def bin_name(stratum: str | None) -> str | None:
    """Return the name of the bin in that of a stratum; None where there is none."""
    first = (stratum or "").partition(" ")[0]
    return first.removeprefix("bin=") if first.startswith("bin=") else None


def allocated(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Return how many sentences to draw of each stratum: as many of each as can be.

    What a small stratum lacks the others give; what does not divide goes to the first ones.

    Args:
        sizes: how many sentences each has, in order.
        wanted: how many to draw in all.

    Raises:
        UsageError: there are fewer than strata, so that one would stand for nothing.
    """
    drawn = dict.fromkeys(sizes, 0)
    left = min(wanted, sum(sizes.values()))
    if wanted < len([name for name, size in sizes.items() if size]):
        raise UsageError(
            f"-n {wanted} is fewer than the {len(sizes)} strata, some of which nothing would stand "
            "for; draw more, or part them less (--bins, --by)"
        )
    while left:
        open_ = [name for name, size in sizes.items() if drawn[name] < size]
        each = max(1, left // len(open_))
        for name in open_[:left]:
            taken = min(each, sizes[name] - drawn[name])
            drawn[name] += taken
            left -= taken
    return drawn
