"""Measures CPU and memory of the classifiers' commands against the number of sentences.

Makes corpora of several sizes (`make_synthetic_corpus.py`), trains models, audits the splits and
predicts every line. Prints a Markdown table: CPU as a multiple of a plain loop over the lines of
the largest corpus in the same run, memory of the largest process in MB, and the exponent of growth
between the last two sizes (1 is a straight line; start-up, the cost for a tenth of the smallest
size, is left out).
A section of `make bench`.

    scripts/bench_models.py --sizes 10000,100000,1000000 --models nb-lr,fasttext
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from command_costs import Command, Cost, measure, table
from make_synthetic_corpus import SHARED, sources, write

_LOOP = "import sys\nfor line in open(sys.argv[1], encoding='utf-8'): line.split()"
_MODELS = ("lr", "sgd", "char-lr", "nb-lr", "fasttext")
Costs = dict[str, list[Cost]]
"""Command -> its cost at each size."""


def main() -> int:
    """Run the benchmark and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sizes", default="10000,100000", help="numbers of sentences, rising")
    parser.add_argument("--models", default=",".join(_MODELS))
    parser.add_argument("--data", type=Path, help="folder for the corpora, kept; default: none")
    options = parser.parse_args()
    found = sources(SHARED)
    if not found:
        print(f"models at scale: skipped, no data at {SHARED} (set WIKIBIAS_SHARED)")
        return 0
    sizes, models = [int(size) for size in options.sizes.split(",")], options.models.split(",")
    costs: Costs = {}
    with tempfile.TemporaryDirectory() as scratch:
        for size in (sizes[0] // 10, *sizes):
            folder = (options.data or Path(scratch)) / f"{size}-sentences"
            if not (folder / "test.tsv").exists():
                write(folder, found, size, seed=0)
            for name, command in commands(folder, models).items():
                costs.setdefault(name, []).append(cost := measure(command))
                print(f"{size:,} {name}: {cost.cpu:.1f} s", file=sys.stderr, flush=True)
    head = ["", *(f"{size:,}: CPU, MB" for size in sizes), "growth"]
    print(table(head, rows(costs, sizes)))
    return 0


def commands(folder: Path, models: Sequence[str]) -> Mapping[str, Command]:
    """Return what is measured on a corpus, in order: predicting needs a trained model."""
    wikibias = [sys.executable, "-m", "wikibias"]
    splits = [str(folder / f"{name}.tsv") for name in ("train", "dev", "test")]
    files = ["--train", splits[0], "--dev", splits[1], "--test", splits[2]]
    found = {"loop": Command([sys.executable, "-c", _LOOP, str(folder / "sentences.txt")])}
    for name in models:
        out = ["-o", str(folder / name)]
        found[f"classify --model {name}"] = Command(
            [*wikibias, "classify", "--model", name, *files, *out]
        )
    for name in models:
        for workers in ("1", "2") if name == "nb-lr" else ("1",):
            words = ["predict", str(folder / name), str(folder / "sentences.txt")]
            found[f"predict, {name}, --workers {workers}"] = Command(
                [*wikibias, *words, "--workers", workers]
            )
    found["audit-split"] = Command([*wikibias, "audit-split", *splits])
    return found


def rows(costs: Costs, sizes: Sequence[int]) -> list[list[str]]:
    """Return a row for each command; the first cost of each is that of its start-up."""
    loop = costs["loop"][-1].cpu
    found = []
    for name, (start, *measured) in costs.items():
        cells = [f"{cost.cpu / loop:.1f}, {cost.memory:,.0f}" for cost in measured]
        found.append([f"`{name}`", *cells, growth([c.cpu - start.cpu for c in measured], sizes)])
    return found


def growth(spent: Sequence[float], sizes: Sequence[int]) -> str:
    """Return the exponent of the growth between the last two sizes, or a dash."""
    if len(spent) < 2 or min(spent[-2:]) <= 0:
        return "–"
    return f"{math.log(spent[-1] / spent[-2]) / math.log(sizes[-1] / sizes[-2]):.2f}"


if __name__ == "__main__":
    sys.exit(main())
