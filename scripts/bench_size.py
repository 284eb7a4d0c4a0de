"""Draws the CPU of `detect` against the size of a dump: a section of `make bench`.

Usage: python scripts/bench_size.py docs/figures/cost.svg [--rounds 3] [--small]

Uses synthetic dumps that grow in pages, in revisions per page, and in the length of a revision. A
tenth of the pages have tags. The other sizes are fixed, so each curve should be a straight line.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation, linear_regression, median

from bench_dumps import make
from command_costs import Command, in_turn, table


@dataclass(frozen=True, slots=True)
class Series:
    """Dumps that grow in one option of the generator by `step`, with the other options fixed.

    `unit` divides the sizes in the figure; `fixed` describes the other options in words.
    """

    name: str
    option: str
    step: int
    others: tuple[tuple[str, int], ...]
    fixed: str
    unit: int = 1


SERIES = (
    Series(
        "pages",
        "--pages",
        200,
        (("--revisions", 40), ("--size", 10_000)),
        "40 revisions a page, of 10 KB",
    ),
    Series(
        "revisions a page",
        "--revisions",
        800,
        (("--pages", 10), ("--size", 10_000)),
        "10 pages, revisions of 10 KB",
    ),
    Series(
        "length of a revision, KB",
        "--size",
        200_000,
        (("--pages", 10), ("--revisions", 40)),
        "10 pages of 40 revisions",
        1000,
    ),
)
STEPS = (1, 2, 3, 4, 5)
_SMALL_STEPS = (1, 3, 5)
_STRAIGHT = 0.98


@dataclass(frozen=True, slots=True)
class Line:
    """The measurements of one series, and the straight line through the medians."""

    series: Series
    sizes: list[float]
    rounds: list[list[float]]  # CPU seconds, a list for each size

    @property
    def medians(self) -> list[float]:
        """The CPU seconds of each size."""
        return [median(each) for each in self.rounds]

    @property
    def fit(self) -> tuple[float, float, float]:
        """Slope, intercept and R² of the line through the medians."""
        slope, start = linear_regression(self.sizes, self.medians)
        return slope, start, correlation(self.sizes, self.medians) ** 2


def measured(rounds: int, *, small: bool) -> list[Line]:
    """Measure all series in turn, on dumps that are piped from the generator."""
    divided_by, wanted = (20, _SMALL_STEPS) if small else (1, STEPS)
    steps = [(each, step * each.step // divided_by) for each in SERIES for step in wanted]
    with tempfile.TemporaryDirectory() as out:
        commands = {
            f"{series.name} {size}": _detect(out, {series.option: size} | dict(series.others))
            for series, size in steps
        }
        costs = in_turn(commands, rounds)
    found = []
    for series in SERIES:
        sizes = [size for each, size in steps if each is series]
        spent = [[cost.cpu for cost in costs[f"{series.name} {size}"]] for size in sizes]
        found.append(Line(series, [size / series.unit for size in sizes], spent))
    return found


def _detect(out: str, sizes: Mapping[str, int]) -> Command:
    options = [word for size in sizes.items() for word in size]
    words = ["detect", "--lang", "en", "-q", "--restart", "--workers", "1", "-o", out, "-"]
    return Command(
        [sys.executable, "-m", "wikibias", *words],
        input_from=make("--fixed", *options, "--tagged", 0.1),
    )


def draw(lines: Sequence[Line], target: Path) -> None:
    """Draw one panel per series: a dot for each round, and the line through the medians."""
    import matplotlib as mpl  # noqa: PLC0415 (after the measurements, because it takes memory)

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "wikibias"
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, panels = plt.subplots(1, len(lines), figsize=(10, 3.4), sharey=True)
    for axes, line in zip(panels, lines, strict=True):
        slope, start, straight = line.fit
        for size, seconds in zip(line.sizes, line.rounds, strict=True):
            axes.plot([size] * len(seconds), seconds, "o", color="#4878a8", ms=5, alpha=0.6)
        ends = [0, line.sizes[-1]]
        axes.plot(ends, [start + slope * end for end in ends], color="#d1813b", lw=1.5)
        axes.set(xlabel=line.series.name, xlim=(0, None))
        axes.set_title(f"{line.series.fixed}\nR² = {straight:.4f}", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
    # The panels share this axis, so its range is known only now.
    panels[0].set_ylim(0, 1.05 * max(max(each) for line in lines for each in line.rounds))
    panels[0].set_ylabel("CPU of detect, s")
    figure.tight_layout()
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None, dpi=150)


def main() -> None:
    """Measure the series, print the lines in words, and draw them."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--small", action="store_true")
    asked = parser.parse_args()
    lines = measured(asked.rounds, small=asked.small)
    rows = []
    for line in lines:
        slope, start, straight = line.fit
        last = line.sizes[-1]
        rows.append(
            [
                f"{line.series.name} ({line.series.fixed})",
                f"{line.sizes[0]:,g} to {last:,g}",
                f"{start:.2f} s + {slope * last:.2f} s at {last:,g}",
                f"{straight:.4f}",
            ]
        )
    print(table(["what grows", "from, to", "line", "R²"], rows))
    draw(lines, asked.target)
    least = min(line.fit[2] for line in lines)
    verdict = "All three are straight" if least >= _STRAIGHT else "Not all three are straight"
    print(f"\n{verdict}: the least R² is {least:.4f}.")
    print(f"\n![CPU of detect against the size of the dump](figures/{asked.target.name})")


if __name__ == "__main__":
    main()
