"""Compares the costs of this version and of an earlier commit: `bench.py --against COMMIT`.

A round runs each command of the earlier version, then that of this one twice. The ratio of a round
is that of this version (the mean of its two runs) to the earlier one. Noise is by how much the two
runs of this version differ, in the round where they differ most; at least the median of that over
all commands, and at least 2 %. A command got slower if the median of its ratios is greater than 1
by more than the noise, no round says otherwise, and it takes a hundredth of a second more. Memory
is judged in the same way, from 5 MB more on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from bench_cases import Case, cases, run
from bench_dumps import MOST_MB, ROOT, Bench
from command_costs import Cost, clock, cpu, memory, middle, span, table
from earlier_version import compiled, describe, earlier_version, is_changed

_LEAST_NOISE = 0.02
_LEAST_SECONDS = 0.01
_LEAST_MB = 5.0
_HEAD = ["", "CPU before, s", "after, s", "after ÷ before", "noise", "clock before, s", "after, s",
         "memory before, MB", "after, MB", ""]  # fmt: skip
_NOTES = """A ratio is the median of the rounds, here {rounds}; in brackets are the
least and the greatest. Noise is by how much two runs of the later version differ within a round.
CPU is that of the process and its children, memory that of the largest process."""

What = Callable[[Cost], float]


@dataclass(frozen=True, slots=True)
class Change:
    """How one figure of a command changed: the ratios of the rounds, the noise, and by how much.

    A difference of less than `least` tells nothing.
    """

    ratios: Sequence[float]
    noise: float
    difference: float
    least: float

    @property
    def verdict(self) -> int:
        """1 if it grew beyond noise, -1 if it shrank, 0 if neither can be said."""
        middle_ratio = median(self.ratios)
        if abs(self.difference) < self.least:
            return 0
        if middle_ratio > 1 + self.noise and min(self.ratios) > 1:
            return 1
        return -1 if middle_ratio < 1 / (1 + self.noise) and max(self.ratios) < 1 else 0


def against(bench: Bench, commit: str, worse: list[str]) -> None:
    """Print the comparison, and add to `worse` what got slower or larger, a line for each."""
    name = describe(commit)
    found = cases(bench)
    with earlier_version(commit, bench.data) as before:
        after = compiled(Path(sys.executable), ROOT)
        run(found, before, after, bench.out.parent, bench.rounds)
    now = describe("HEAD") + (" with changes that are not committed" if is_changed() else "")
    print(f"## Before and after\n\nBefore is {name}, after is {now}. ", end="")
    print(_NOTES.format(rounds=bench.rounds), end="\n\n")
    worse += report(found)


def report(found: Sequence[Case]) -> list[str]:
    """Print the table and what it says in words; return what got worse."""
    compared = [case for case in found if not case.failed]
    spent = {case.name: change(case, compared, cpu, _LEAST_SECONDS) for case in compared}
    held = {case.name: change(case, compared, memory, _LEAST_MB) for case in compared}
    print(table(_HEAD, (_row(case, spent[case.name], held[case.name]) for case in compared)))
    slower = [f"{name}: {_said(each)} the CPU" for name, each in spent.items() if each.verdict > 0]
    larger = [
        f"{name}: {_said(each)} the memory" for name, each in held.items() if each.verdict > 0
    ]
    broken = [f"{case.name}: {case.failed}" for case in found if case.broken]
    left_out = [case.name for case in found if case.failed and not case.broken]
    _list("Slower beyond noise", slower)
    _list("Larger beyond noise", larger)
    most = {case.name: max(map(memory, case.after)) for case in compared}
    large = [f"{name}: {peak:.0f} MB" for name, peak in most.items() if peak > MOST_MB]
    _list(f"Over {MOST_MB} MB", large)
    _list("Fails now", broken)
    _list("Left out, because the earlier version fails", left_out)
    return slower + larger + broken


def change(case: Case, compared: Sequence[Case], what: What, least: float) -> Change:
    """Return how one figure of a command changed, if by `least` or more."""
    known = [noise for each in compared if (noise := _differences(each, what)) is not None]
    usual = median(known) if known else _LEAST_NOISE
    noise = max(_differences(case, what) or 0.0, usual, _LEAST_NOISE)
    difference = middle(case.after, what) - middle(case.before, what)
    return Change(_ratios(case, what), noise, difference, least)


def _ratios(case: Case, what: What) -> list[float]:
    again: Sequence[Cost | None] = case.again or [None] * len(case.after)
    return [
        mean(what(cost) for cost in (after, more) if cost is not None) / what(before)
        for before, after, more in zip(case.before, case.after, again, strict=False)
    ]


def _differences(case: Case, what: What) -> float | None:
    """Return by what share two runs of the same version differ at most; None without such runs."""
    pairs = list(zip(case.after, case.again, strict=False))
    return max((max(what(a), what(b)) / min(what(a), what(b)) - 1 for a, b in pairs), default=None)


def _row(case: Case, spent: Change, held: Change) -> list[str]:
    figures = [
        f"{middle(case.before, cpu):.2f}",
        f"{middle(case.after, cpu):.2f}",
        f"**{median(spent.ratios):.2f}** ({span(spent.ratios)})",
        f"{spent.noise:.0%}",
        f"{middle(case.before, clock):.2f}",
        f"{middle(case.after, clock):.2f}",
        f"{middle(case.before, memory):.0f}",
        f"{middle(case.after, memory):.0f}",
    ]
    said = {1: "slower", 0: "the same", -1: "faster"}[spent.verdict]
    return [case.name, *figures, f"{said}, larger" if held.verdict > 0 else said]


def _said(changed: Change) -> str:
    return f"{median(changed.ratios):.2f} times ({span(changed.ratios)}, noise {changed.noise:.0%})"


def _list(head: str, items: Sequence[str]) -> None:
    print(f"\n{head}: {'nothing' if not items else ''}".rstrip() + ("." if not items else "\n"))
    for item in items:
        print(f"- {item}")
