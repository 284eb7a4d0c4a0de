"""Runs the main job on the sample dumps, into demo-output/, and shows part of the result."""

import subprocess
import sys
from pathlib import Path

from wikibias.kits import parquet
from wikibias.kits.console import show
from wikibias.kits.document import Table

ROOT = Path(__file__).parents[1]
SAMPLES = {
    "fr": "demofrwiki-20260101-pages-meta-history.xml.bz2",
    "en": "demoenwiki-20260101-pages-meta-history.xml.7z",
}
_SHOWN = 2


def main() -> None:
    """Extract both sample corpora and show some sentences of each beside their edits."""
    for lang, name in SAMPLES.items():
        out, dump = ROOT / "demo-output" / lang, ROOT / "samples" / name
        words = ["extract", "--lang", lang, "-o", str(out), "--restart", str(dump)]
        print("\n$ wikibias", *words, flush=True)
        done = subprocess.run([sys.executable, "-m", "wikibias", *words], check=False)
        if done.returncode:
            sys.exit(done.returncode)
        show(_edits(out))
    print(
        "\nThe corpora are in demo-output/fr and demo-output/en (start with their "
        "README.md).\nNext: docs/tutorial.md, or your own dump: .venv/bin/wikibias extract --help"
    )


def _edits(out: Path) -> Table:
    paths = sorted((out / "edits").glob("*.parquet"))
    rows = [row for path in paths for row in parquet.read_table(path)]
    cells = [
        ["\n".join(row[side][:_SHOWN]) for side in ("removed", "added")] for row in rows[:_SHOWN]
    ]
    return Table(["Before (biased)", "After (neutral)"], cells, 2, title="Some kept edits")


if __name__ == "__main__":
    main()
