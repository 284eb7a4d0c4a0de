"""Measures a page of very many revisions and a wiki of very many pages: a section of `make bench`.

Usage: python scripts/bench_many.py [--small] [--most 1000000]

The texts have about 200 bytes, and tags come and go. Each dump has twice the size of the one before
it, so the CPU should double and the memory stay. The dumps lie in a temporary folder, 300 MB.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_dumps import make
from command_costs import Command, measure, table

_STUBS = ("--stubs", "--fixed", "--size", 200)
# What grows, and the other options.
_SERIES = {
    "revisions of one page": ("--revisions", ("--pages", 1, "--tagged", 1)),
    "pages of two revisions": ("--pages", ("--revisions", 2, "--tagged", 0.02)),
}
_COMMANDS = {
    "detect": ["detect", "--lang", "en"],
    "extract": ["extract", "--lang", "en"],
    "tags count": ["tags", "count"],
}
_HEAD = ["", "CPU, s", "microseconds for each", "clock, s", "memory, MB"]


def rows(folder: Path, name: str, number: int, commands: list[str]) -> list[list[str]]:
    """Measure the commands on one dump."""
    dump, found = folder / "dump.xml.zst", []
    grows, others = _SERIES[name]
    subprocess.run(make(*_STUBS, *others, grows, number, "-o", dump), check=True)
    for command in commands:
        with tempfile.TemporaryDirectory(dir=folder) as out:
            words = [*_COMMANDS[command], "--workers", "1", "-q", "-o", f"{out}/out", str(dump)]
            cost = measure(Command([sys.executable, "-m", "wikibias", *words]))
        figures = [f"{cost.cpu:.1f}", f"{1_000_000 * cost.cpu / number:.0f}"]
        figures += [f"{cost.clock:.1f}", f"{cost.memory:.0f}"]
        found.append([f"`{command}`, {number:,} {name}", *figures])
        print(found[-1], file=sys.stderr, flush=True)
    dump.unlink()
    return found


def main() -> None:
    """Print the costs of both series."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--small", action="store_true", help="small dumps, as a test")
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--series", nargs="+", choices=_SERIES, default=[*_SERIES])
    parser.add_argument("--commands", nargs="+", choices=_COMMANDS, default=[*_COMMANDS])
    asked = parser.parse_args()
    sizes = [asked.most // 4, asked.most // 2, asked.most]
    if asked.small:
        sizes, asked.commands = [200, 400], ["detect"]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.series:
            for number in sizes:
                found += rows(Path(folder), name, number, asked.commands)
    print(table(_HEAD, sorted(found, key=lambda row: row[0].split()[0])))


if __name__ == "__main__":
    main()
