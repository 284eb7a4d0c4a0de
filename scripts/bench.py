"""How fast and in how much memory: each figure beside one measured in the same run.

Usage: make bench. Runs each command three times, in turn, and prints medians and ratios.
"""

from __future__ import annotations

import bz2
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("WIKIBIAS_SHARED", ROOT.parent / "shared" / "data"))
SAMPLE = ROOT / "samples" / "demofrwiki-20260101-pages-meta-history.xml.bz2"
RUNS = 3

NAIVE = """
import sys, mwxml
from wikibias.dumps.streams import open_part
with open_part(sys.argv[1]) as (stream, _):
    print(sum(1 for page in mwxml.Dump.from_file(stream) for revision in page))
"""
UNPACK = """
import sys
from wikibias.dumps.streams import open_part
with open_part(sys.argv[1]) as (stream, _):
    while stream.read(1 << 18):
        pass
"""


@dataclass(frozen=True)
class Cost:
    """CPU seconds, user and system, and peak memory in MB of one run."""

    cpu: float
    memory: float


def measure(command: list[str]) -> Cost:
    """Run a command and return what it cost, as the operating system counts it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def dumps(folder: Path) -> dict[str, Path]:
    """Return the dumps to measure: real ones where they are, else the sample, repeated."""
    real = {
        "Anarchism, full history, 7z": SHARED / "dumps" / "enwiki-anarchism-full-history.xml.7z",
        "Anarchism, 600 revisions, bz2": SHARED
        / "dumps"
        / "enwiki-anarchism-600-revisions.xml.bz2",
    }
    found = {name: path for name, path in real.items() if path.is_file()}
    if found:
        return found
    head, pages = bz2.decompress(SAMPLE.read_bytes()).split(b"</siteinfo>", 1)
    body = pages.rsplit(b"</mediawiki>", 1)[0]
    path = folder / "repeated.xml"
    path.write_bytes(head + b"</siteinfo>" + body * 100 + b"</mediawiki>")
    return {"sample, a hundred times over, plain XML": path}


def main() -> None:
    """Print one table a dump, in Markdown."""
    with tempfile.TemporaryDirectory() as scratch:
        for title, dump in dumps(Path(scratch)).items():
            show(title, compare(dump, Path(scratch) / "out"))
    print()
    classify = [sys.executable, str(ROOT / "scripts" / "bench_classify.py")]
    sys.exit(subprocess.run(classify, check=False).returncode)


def compare(dump: Path, out: Path) -> dict[str, list[Cost]]:
    """Run each command on a dump several times, in turn, so that all see the same noise."""
    wikibias = [sys.executable, "-m", "wikibias"]
    where = ["--lang", "en", "-q", "--restart", "-o", str(out), str(dump)]
    commands = {
        "unpacking alone": [sys.executable, "-c", UNPACK, str(dump)],
        "a loop over mwxml": [sys.executable, "-c", NAIVE, str(dump)],
        "wikibias detect": [*wikibias, "detect", *where],
        "wikibias extract": [*wikibias, "extract", *where],
    }
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, command in commands.items():
            costs[name].append(measure(command))
    shutil.rmtree(out, ignore_errors=True)
    return costs


def show(title: str, costs: dict[str, list[Cost]]) -> None:
    """Print medians, as ratios to the loop over mwxml."""
    base = statistics.median(c.cpu for c in costs["a loop over mwxml"])
    print(f"\n{title}: median of {RUNS} runs\n")
    print("| command | CPU, against a loop over mwxml | peak memory, MB |")
    print("| --- | ---: | ---: |")
    for name, runs in costs.items():
        cpu = statistics.median(c.cpu for c in runs)
        memory = statistics.median(c.memory for c in runs)
        print(f"| {name} | {cpu / base:.2f} | {memory:.0f} |")


if __name__ == "__main__":
    main()
