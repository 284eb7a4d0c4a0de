"""Measures the CPU, time and memory of wikibias, and compares them with baselines in the same run.

Runs all commands in turn, several times, and prints medians as Markdown for docs/performance.md.
Progress goes to standard error.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench_dumps import ROOT, SCRIPTS, Bench, missing_tools, title
from bench_extract import extract, memory
from bench_reading import reading, start_up
from command_costs import table

_FAST = ("re2", "rapidgzip", "isal")


def machine() -> str:
    """Describe this machine and its load."""
    found = [name for name in _FAST if importlib.util.find_spec(name)]
    model = platform.processor() or platform.machine()
    for line in _cpuinfo():
        if line.startswith("model name"):
            model = line.partition(": ")[2]
            break
    missing = ", ".join(missing_tools()) or "none"
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return (
        f"{os.cpu_count()} cores ({model}), {platform.system()}, Python "
        f"{platform.python_version()}, with {', '.join(found) or 'nothing of [fast]'}. Tools not "
        f"installed: {missing}. Load before the run: {loads}."
    )


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def shares(bench: Bench, *dumps: Path) -> None:
    """Print the share of each step in the CPU of a whole `extract`."""
    print("## Shares of a whole `extract --workers 1`\n", flush=True)
    for dump in dumps or (*bench.real()[:1], bench.synthetic("7z")):
        print(f"### {title(dump)}\n", flush=True)
        _script("bench_cpu_shares.py", dump, "--rounds", bench.rounds)


def size(bench: Bench) -> None:
    """Draw the CPU against the size of the dump."""
    target = (bench.data if bench.small else ROOT / "docs" / "figures") / "cost.svg"
    print("## Cost against size\n", flush=True)
    _script("bench_size.py", target, "--rounds", bench.rounds, *["--small"] * bench.small)


def manifest(bench: Bench) -> None:
    """Print the cost of the manifest by number of parts."""
    print("## Manifest of a run with many parts\n", flush=True)
    _script("bench_manifest.py", *["--small"] * bench.small)


def many(bench: Bench) -> None:
    """Print the cost of many parts, of many revisions of a page, and of many pages."""
    for what, script in (("Many parts", "bench_parts.py"), ("Many revisions", "bench_many.py")):
        print(f"## {what}\n", flush=True)
        _script(script, *["--small"] * bench.small)


def classify(bench: Bench) -> None:
    """Print the cost of the classifiers' grid search."""
    print("## Grid search\n", flush=True)
    if not bench.small:
        _script("bench_classify.py")


def _script(name: str, *arguments: object) -> None:
    """Run another script in its own process, because its imports take memory."""
    subprocess.run([sys.executable, str(SCRIPTS / name), *map(str, arguments)], check=True)
    print(flush=True)


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "start-up": start_up,
    "reading": reading,
    "extract": extract,
    "shares": shares,
    "size": size,
    "memory": memory,
    "manifest": manifest,
    "many": many,
    "classify": classify,
}


def main() -> None:
    """Run the sections of the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help=f"{', '.join(SECTIONS)}; default: all"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one round on small dumps, as a test")
    parser.add_argument("--shares", type=Path, help="only print the CPU shares for this dump")
    parser.add_argument("--data", type=Path, default=ROOT / "bench-data", help="folder for dumps")
    options = parser.parse_args()
    if unknown := set(options.sections) - set(SECTIONS):
        parser.error(f"unknown section {', '.join(sorted(unknown))}")
    options.data.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}\n")
    with tempfile.TemporaryDirectory() as scratch:
        rounds = 1 if options.quick else options.rounds
        bench = Bench(options.data, Path(scratch) / "out", rounds, options.quick)
        if options.shares:
            shares(bench, options.shares)
            return
        for name in options.sections or SECTIONS:
            SECTIONS[name](bench)
    if bench.goals:
        print("## Goals\n")
        print(table(["", "goal", "reached"], bench.goals))


if __name__ == "__main__":
    main()
