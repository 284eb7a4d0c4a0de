"""What reading, extracting and memory cost, each figure beside a yardstick of the same run.

Every command is run in turn, several times; medians count. Prints Markdown, to be pasted into
docs/performance.md, and what it is at to standard error.
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
    """Return what this machine is, and how busy."""
    found = [name for name in _FAST if importlib.util.find_spec(name)]
    model = platform.processor() or platform.machine()
    for line in _cpuinfo():
        if line.startswith("model name"):
            model = line.partition(": ")[2]
            break
    missing = ", ".join(missing_tools()) or "no tool"
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return (
        f"{os.cpu_count()} cores ({model}), {platform.system()}, Python "
        f"{platform.python_version()}, with {', '.join(found) or 'nothing of [fast]'}. Not there, "
        f"and so left out: {missing}. Load before the run: {loads}."
    )


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def shares(bench: Bench, *dumps: Path) -> None:
    """Print what share of a whole `extract` each step takes."""
    print("## Shares of a whole `extract --workers 1`\n", flush=True)
    for dump in dumps or (*bench.real()[:1], bench.made_up("7z")):
        print(f"### {title(dump)}\n", flush=True)
        _script("bench_cpu_shares.py", dump, "--rounds", bench.rounds)


def size(bench: Bench) -> None:
    """Draw cost against size."""
    target = (bench.data if bench.small else ROOT / "docs" / "figures") / "cost.svg"
    print("## Cost against size\n", flush=True)
    _script("bench_size.py", target, "--rounds", bench.rounds, *["--small"] * bench.small)


def manifest(bench: Bench) -> None:
    """Print what the manifest costs, by the number of parts."""
    print("## The manifest of a run of many parts\n", flush=True)
    _script("bench_manifest.py", *["--small"] * bench.small)


def classify(bench: Bench) -> None:
    """Print what the grid search of the classifiers costs."""
    print("## Grid search\n", flush=True)
    if not bench.small:
        _script("bench_classify.py")


def _script(name: str, *arguments: object) -> None:
    """Run another script, in a process of its own: what it imports takes memory."""
    subprocess.run([sys.executable, str(SCRIPTS / name), *map(str, arguments)], check=True)
    print(flush=True)


PARTS: dict[str, Callable[[Bench], None]] = {
    "start-up": start_up,
    "reading": reading,
    "extract": extract,
    "shares": shares,
    "size": size,
    "memory": memory,
    "manifest": manifest,
    "classify": classify,
}


def main() -> None:
    """Run the parts of the bench that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"{', '.join(PARTS)}; all without any")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="small dumps, once: does it work?")
    parser.add_argument("--shares", type=Path, help="only the shares of extracting this dump")
    parser.add_argument("--data", type=Path, default=ROOT / "bench-data", help="keeps the dumps")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}")
    asked.data.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}\n")
    with tempfile.TemporaryDirectory() as scratch:
        rounds = 1 if asked.quick else asked.rounds
        bench = Bench(asked.data, Path(scratch) / "out", rounds, asked.quick)
        if asked.shares:
            shares(bench, asked.shares)
            return
        for name in asked.parts or PARTS:
            PARTS[name](bench)
    if bench.goals:
        print("## Goals\n")
        print(table(["", "wanted", "reached"], bench.goals))


if __name__ == "__main__":
    main()
