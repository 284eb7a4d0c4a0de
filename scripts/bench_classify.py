"""Compares the CPU of the grid search, which shares its matrices, with that of a plain search.

Both try the paper's 72 parameter combinations for SGD on the published Bulgarian corpus, in turn,
in one process. Prints the ratio of the medians. The exit code is 1 if the ratio is under 3 or the
two searches choose different parameters. A section of `make bench`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from wikibias.config.languages import load_language
from wikibias.models.constants import CHOICES
from wikibias.models.search.grid_search import plain_search, search, winner
from wikibias.models.search.journal import Row
from wikibias.models.search.space import read_grid
from wikibias.models.sentence_lines import parse_labels, read_lines

SHARED = Path(
    os.environ.get("WIKIBIAS_SHARED", Path(__file__).resolve().parents[2] / "shared" / "data")
)
RUNS = 3
WANTED = 3.0


def main() -> int:
    """Run the benchmark and return the exit code."""
    folder = SHARED / "wiki-bias"
    if not folder.is_dir():
        print(f"grid search: skipped, no data at {folder} (set WIKIBIAS_SHARED)")
        return 0
    labels = parse_labels("rem=biased,add=neutral")
    train, dev = (read_lines(folder / f"BG-xx-{name}.txt", labels) for name in ("train", "dev"))
    grid, stopwords = read_grid("sgd"), load_language("bg").stopwords
    combinations = grid.combinations()

    def shared() -> list[Row]:
        found = search(grid, combinations, train, dev, stopwords=stopwords, jobs=1)
        return sorted((row for rows in found for row in rows), key=lambda row: int(row["n"]))

    def plain() -> list[Row]:
        return plain_search(grid, combinations, train, dev, stopwords=stopwords)

    spent: dict[str, list[float]] = {"shared": [], "plain": []}
    rows: dict[str, list[Row]] = {}
    for _ in range(RUNS):
        for name, run in (("shared", shared), ("plain", plain)):
            rows[name], seconds = timed(run)
            spent[name].append(seconds)
    ratio = median(spent["plain"]) / median(spent["shared"])
    same = all(winner(rows["shared"], c) == winner(rows["plain"], c) for c in CHOICES)
    print(
        f"grid search, {len(combinations)} combinations for sgd, CPU seconds, median of {RUNS}: "
        f"plain {median(spent['plain']):.1f}, shared {median(spent['shared']):.1f}, "
        f"{ratio:.1f} times less (goal {WANTED:g}); "
        f"{'the same winner' if same else 'DIFFERENT winners'} by each of {', '.join(CHOICES)}"
    )
    return 0 if same and ratio >= WANTED else 1


def timed(run: Callable[[], list[Row]]) -> tuple[list[Row], float]:
    """Return the result of a call and its CPU seconds."""
    start = time.process_time()
    result = run()
    return result, time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
