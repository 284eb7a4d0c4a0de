#!/usr/bin/env python3
"""Measures what cleaning takes on each kind of hostile wikitext, by size.

The kinds are those of tests/cases/hostile_texts.toml. Each is cleaned by a process of its own,
under limits, so that one that falls costs one line of the table. Prints a table in Markdown: the
CPU seconds of `visible_text` at each size and how they grow, what came out, and the CPU seconds of
`plain_visible_text`, which takes over what cannot be parsed. Ends with 1 if a text took longer than
two seconds for 100 KB, 8 more for a further megabyte, 10 for any, or ended the process.

    .venv/bin/python scripts/text_costs.py --sizes 20000 200000 --kinds template link
"""

import argparse
import itertools
import json
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "kit"), str(ROOT / "scripts")]

from hostile_texts import kinds  # noqa: E402 (lies in tests/)
from wikibias.execution.processes import Isolated, IsolationError  # noqa: E402
from wikibias.text import cleaning  # noqa: E402
from wikis import plain_visible_text, rules, visible_text  # noqa: E402 (lies in tests/)

# What this machine's day may add to what the budgets of cleaning promise.
LIMIT_SECONDS = 120


@dataclass(frozen=True)
class Measured:
    """One kind at one size: CPU seconds, and what came out."""

    kind: str
    size: int
    seconds: float
    plain_seconds: float
    outcome: str

    @property
    def held(self) -> bool:
        """Return whether it took no more than promised."""
        allowed = min(10, 2 + 8 * max(0, self.size - 100_000) / 1_000_000)
        return max(self.seconds, self.plain_seconds) <= allowed and self.outcome != "fell"


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def clean_one(request: bytes) -> bytes:
    """Clean one text here, twice; called in a process of its own."""
    name, size = json.loads(request)
    text = next(kind for kind in kinds() if kind.name == name).text(size)
    lang = "zh" if name.startswith("variants") else "en"
    visible_text("warm [[up]] {{once}}", rules(lang))
    begin = cpu()
    try:
        length = len(visible_text(text, rules(lang)).encode())
        outcome = f"{length:,} bytes"
    except cleaning.UnreadableError as error:
        outcome = str(error)
    cleaning.stop_parser()
    between = cpu()
    plain_visible_text(text, rules(lang)).encode()
    return json.dumps([between - begin, cpu() - between, outcome]).encode()


def measured(names: list[str], sizes: list[int]) -> Iterator[Measured]:
    """Yield what each kind takes at each size."""
    apart = Isolated(
        "text_costs:clean_one",
        cpu_seconds=LIMIT_SECONDS,
        seconds=10 * LIMIT_SECONDS,
        memory=8 << 30,
    )
    for kind in kinds():
        if names and not any(name in kind.name for name in names):
            continue
        for size in sizes:
            begin = time.monotonic()
            try:
                seconds, plain, outcome = json.loads(apart(json.dumps([kind.name, size]).encode()))
            except IsolationError:
                seconds, plain, outcome = time.monotonic() - begin, 0.0, "fell"
            yield Measured(kind.name, size, seconds, plain, outcome)
    apart.stop()


def head(sizes: list[int]) -> str:
    """Return the first lines of the table."""
    columns = " | ".join(f"{size // 1000:,} KB" for size in sizes)
    marks = " ---: |" * (len(sizes) + 2)
    return f"| kind | {columns} | growth | plain | what came out |\n| --- |{marks} --- |"


def row(found: list[Measured]) -> str:
    """Return the line of one kind, measured at each size."""
    times = " | ".join(f"{one.seconds:.2f}" for one in found)
    pairs = itertools.pairwise(found)
    growth = ", ".join(f"{b.seconds / max(a.seconds, 0.001):.1f}" for a, b in pairs) or "-"
    last = found[-1]
    note = "" if all(one.held for one in found) else " **too long**"
    return f"| {last.kind} | {times} | {growth} | {last.plain_seconds:.2f} | {last.outcome}{note} |"


def main() -> int:
    """Measure, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", nargs="+", type=int, default=[20_000, 200_000, 2_000_000])
    parser.add_argument("--kinds", nargs="*", default=[], help="parts of names; default: all")
    arguments = parser.parse_args()
    found: list[Measured] = []
    print(head(arguments.sizes))
    for one in measured(arguments.kinds, arguments.sizes):
        found.append(one)
        if len(found) % len(arguments.sizes) == 0:
            print(row(found[-len(arguments.sizes) :]), flush=True)
    fell = sum(not one.held for one in found)
    print(f"\n{len(found)} texts of {len(found) // len(arguments.sizes)} kinds; {fell} too long.")
    return 1 if fell else 0


if __name__ == "__main__":
    sys.exit(main())
