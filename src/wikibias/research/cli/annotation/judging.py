"""What the commands that judge annotators share: options, and what --out may replace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import stack
from wikibias.kits.files import read_json

if TYPE_CHECKING:
    from wikibias.research.annotation.answers import WithGold

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(dir_okay=False, path_type=Path)
MADE_BY = "made_by"
"""Key of a JSON file of ours; with it a later run may replace the file."""

long_options = stack(
    click.option("--item", metavar="COLUMN", help="Long table: column that names the sentence."),
    click.option("--annotator", metavar="COLUMN", help="Long table: column of who answered."),
    click.option("--label", metavar="COLUMN", help="Long table: column of the answer."),
)
gold_option = click.option(
    "--gold",
    required=True,
    metavar="NAME",
    help="Column of the gold labels; in long tables, the annotator whose answers are gold.",
)
labels_option = click.option(
    "--labels",
    metavar="A=biased,B=neutral",
    help="What other labels mean than 1, 0, biased, neutral, yes, no, true and false.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of the draws."
)
overwrite_option = click.option("--overwrite", is_flag=True, help="Replace a file that is there.")


def with_gold(files: Sequence[Path], options: Mapping[str, Any]) -> WithGold:
    """Return the gold labels and the answers that the options of a command choose.

    Raises:
        WikibiasError: see `annotation.gold.read_with_gold`.
    """
    from wikibias.research.annotation.answers import meanings, read_with_gold

    named = {name: options[name] for name in ("gold", "columns", "item", "annotator", "label")}
    return read_with_gold(files, labels=meanings(options["labels"]), **named)


def check_table(out: Path, inputs: Iterable[Path], *, overwrite: bool) -> None:
    """Make sure that a table may be written; see `check_out`.

    Raises:
        UsageError: its name ends as that of no table, or see `check_out`.
    """
    from wikibias.kits.tables import check_ending

    check_ending(out)
    check_out(out, inputs, overwrite=overwrite)


def check_out(out: Path | None, inputs: Iterable[Path], *, overwrite: bool) -> None:
    """Make sure that a file may be written.

    Raises:
        UsageError: it is one of the inputs, or is there already, holds something and is no JSON
            file of ours.
    """
    if out is None or not out.exists():
        return
    if any(path.exists() and out.samefile(path) for path in inputs):
        raise UsageError(f"{out} is what is read; name another file to write")
    if not overwrite and not _is_ours(out):
        raise UsageError(f"{out} is there already; name another file, or add --overwrite")


def _is_ours(path: Path) -> bool:
    try:
        if not path.stat().st_size:
            return True
        if path.suffix != ".json":
            return False
        found = read_json(path)
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and MADE_BY in found
