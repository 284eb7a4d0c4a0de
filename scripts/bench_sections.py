"""Runs the sections of the benchmark that are scripts of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench_dumps import ROOT, SCRIPTS, Bench, title

_MANY = (
    ("Many parts", "bench_parts.py", 400),
    ("Many revisions", "bench_many.py", 200_000),
)


def shares(bench: Bench, *dumps: Path) -> None:
    """Print the share of each step in the CPU of a whole `extract`."""
    print("## Shares of a whole `extract --workers 1`\n", flush=True)
    for dump in dumps or (*bench.real("Anarchism"), bench.synthetic("7z")):
        print(f"### {title(dump)}\n", flush=True)
        _script("bench_cpu_shares.py", dump, "--rounds", bench.rounds)


def dumps(bench: Bench) -> None:
    """Print what the real dump and the synthetic one are made of."""
    print("## What the dumps are made of\n", flush=True)
    _script("dump_shares.py", *bench.real("Shinto wiki"), bench.synthetic("7z"))


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
    """Print the cost of many parts, of many revisions of a page, and of many pages.

    Fewer than the scripts measure by themselves, which takes a quarter of an hour.
    """
    for what, script, most in _MANY:
        print(f"## {what}\n", flush=True)
        _script(script, *(["--small"] if bench.small else ["--most", most]))


def classify(bench: Bench) -> None:
    """Print the cost of the classifiers' grid search."""
    print("## Grid search\n", flush=True)
    if not bench.small:
        _script("bench_classify.py")
        _script("bench_models.py")


def _script(name: str, *arguments: object) -> None:
    """Run another script in its own process, because its imports take memory."""
    words = [sys.executable, str(SCRIPTS / name), *map(str, arguments)]
    print(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout, flush=True)
