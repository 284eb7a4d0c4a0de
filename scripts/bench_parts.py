"""Measures `detect` and `extract` by number of tiny parts: a section of `make bench`.

Usage: python scripts/bench_parts.py [--least 100] [--most 1600] [--stages extract] [--workers 1]

Each part is a page whose tag comes and goes, so the cost of a part is that of wikibias alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_dumps import make
from command_costs import Command, measure, table

_PART = ("--stubs", "--fixed", "--pages", 1, "--revisions", 12, "--size", 600, "--tagged", 1)


def parts(folder: Path, number: int) -> Path:
    """Write so many tiny parts into a folder, and return it."""
    folder.mkdir()
    xml = subprocess.run(make(*_PART), capture_output=True, check=True).stdout
    for each in range(1, number + 1):
        (folder / f"part{each}.xml").write_bytes(xml)
    return folder


def row(stage: str, number: int, workers: int) -> list[str]:
    """Measure one command on so many parts."""
    with tempfile.TemporaryDirectory() as name:
        dumps, out = parts(Path(name) / "parts", number), Path(name) / "out"
        words = [stage, "--lang", "en", "-q", "--workers", str(workers), "-o", str(out), str(dumps)]
        cost = measure(Command([sys.executable, "-m", "wikibias", *words]))
    each = 1000 * cost.cpu / number
    figures = [f"{cost.cpu:.1f}", f"{each:.1f}", f"{cost.clock:.1f}", f"{cost.memory:.0f}"]
    return [f"`{stage} --workers {workers}`, {number:,} parts", *figures]


def main() -> None:
    """Print the cost of each number of parts, doubled from row to row."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--small", action="store_true", help="few parts, as a test")
    parser.add_argument("--least", type=int, default=100)
    parser.add_argument("--most", type=int, default=1600)
    parser.add_argument("--stages", nargs="+", default=["detect", "extract"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    asked = parser.parse_args()
    if asked.small:
        asked.least, asked.most, asked.stages, asked.workers = 2, 4, ["extract"], [1]
    numbers = [asked.least]
    while 2 * numbers[-1] <= asked.most:
        numbers.append(2 * numbers[-1])
    rows = []
    for stage in asked.stages:
        for workers in asked.workers:
            for number in numbers:
                rows.append(row(stage, number, workers))
                print(rows[-1], file=sys.stderr, flush=True)
    print(table(["", "CPU, s", "ms per part", "clock, s", "memory, MB"], rows))


if __name__ == "__main__":
    main()
