"""Prints what dumps are made of, side by side: shares of edits, markup, scripts and editors.

Usage: python scripts/dump_shares.py DUMP [DUMP ...] [--pages 200]

With two dumps, the last column is the second divided by the first. It tells how near a synthetic
dump is to a real one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, quantiles

from bench_dumps import title
from command_costs import table
from dump_measures import Measures, measures

_SCRIPTS = ("other Latin", "Han", "kana", "other scripts")


def figures(found: Measures) -> Iterator[tuple[str, float]]:
    """Yield the name and the value of each figure of a dump; shares in percent."""
    counts, revisions = found.counts, max(1, sum(found.revisions))
    kilobytes = max(1, sum(found.sizes)) / 1000
    yield "pages", len(found.revisions)
    yield "revisions", sum(found.revisions)
    yield from _spread("revisions of a page", found.revisions)
    yield from _spread("bytes of a revision", found.sizes)
    yield from _spread("changed bytes of a revision", found.changes)
    yield "compressed, bytes of text for one of the file", sum(found.sizes) / found.file_bytes
    for name in ("calls", "links", "references", "sections"):
        yield f"{name} in a revision", counts[name] / revisions
    yield "calls with a name not in ASCII, in a revision", counts["odd calls"] / revisions
    yield "calls in a KB", counts["calls"] / kilobytes
    yield "template names in a page", mean(found.names_of_page or [0])
    yield "different template names, for 1,000 revisions", 1000 * len(found.names) / revisions
    letters = max(1, sum(number for script, number in found.letters.items() if script))
    for script in _SCRIPTS:
        yield f"letters: {script}, %", 100 * found.letters[script] / letters
    for name in ("same as before", "reverts", "other parent", "minor", "anonymous", "bots"):
        yield f"{_REVISIONS[name]}, %", 100 * counts[name] / revisions
    for name in ("redirects", "not articles", "tagged"):
        yield f"pages: {name}, %", 100 * counts[name] / max(1, len(found.revisions))


_REVISIONS = {
    "same as before": "revisions: the text of the one before",
    "reverts": "revisions: the text of an earlier one",
    "other parent": "revisions: the parent is not the one before",
    "minor": "revisions: minor",
    "anonymous": "revisions: by anonymous editors",
    "bots": "revisions: by bots",
}


def _spread(name: str, values: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Yield the median, the mean, the ninth decile and the maximum."""
    tenths = quantiles(values, n=10) if len(values) > 1 else [0.0] * 9
    yield f"{name}: median", tenths[4]
    yield f"{name}: mean", mean(values or [0])
    yield f"{name}: 90 %", tenths[8]
    yield f"{name}: most", max(values, default=0)


def rows(found: Sequence[Measures]) -> Iterator[list[str]]:
    """Yield the rows of the table."""
    for each in zip(*map(figures, found), strict=True):
        values = [value for _, value in each]
        ratio = [f"{values[1] / values[0]:.2f}" if values[0] else ""] if len(values) == 2 else []
        yield [each[0][0], *map(_written, values), *ratio]


def _written(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    """Measure the dumps and print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("dumps", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, help="only so many pages of each")
    asked = parser.parse_args()
    found = [measures(dump, asked.pages) for dump in asked.dumps]
    head = ["", *map(title, asked.dumps), *["ratio"] * (len(found) == 2)]
    print(table(head, rows(found)))


if __name__ == "__main__":
    main()
