"""Runs the main job on the sample dumps, into demo-output/, and shows part of the result."""

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wikibias.cli import cli
from wikibias.kits import parquet

ROOT = Path(__file__).parents[1]
OUT = ROOT / "demo-output"
SAMPLES = {
    "fr": "demofrwiki-20260101-pages-meta-history.xml.bz2",
    "en": "demoenwiki-20260101-pages-meta-history.xml.7z",
}
_SHOWN = 2


def main() -> None:
    """Extract both sample corpora and show some sentences of each beside their edits."""
    console = Console(highlight=False)
    for lang, name in SAMPLES.items():
        dump, out = ROOT / "samples" / name, OUT / lang
        shown = [str(path.relative_to(ROOT)) for path in (out, dump)]
        console.print(f"\n$ wikibias extract --lang {lang} -o {shown[0]} {shown[1]}", markup=False)
        words = ["extract", "--lang", lang, "-o", str(out), "--restart", str(dump)]
        if status := cli.main(words, standalone_mode=False, obj={"arguments": words}):
            sys.exit(status)
        console.print(_edits(out))
    console.print(
        "\nThe corpora are in demo-output/fr/corpus and demo-output/en/corpus (start with their "
        "README.md).\nNext: docs/tutorial.md, or your own dump: .venv/bin/wikibias extract --help"
    )


def _edits(out: Path) -> Table:
    table = Table("Before (biased)", "After (neutral)", title="Some kept edits", show_lines=True)
    paths = sorted((out / "edits").glob("*.parquet"))
    rows = [row for path in paths for row in parquet.read_table(path)]
    for row in rows[:_SHOWN]:
        # As plain text, so that text from a wiki is not interpreted as markup.
        table.add_row(*(Text("\n".join(row[side][:_SHOWN])) for side in ("removed", "added")))
    return table


if __name__ == "__main__":
    main()
