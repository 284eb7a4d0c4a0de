"""Sentence pairs of a folder that `wikibias pairs` made, or of anybody's table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE
from wikibias.kits.tables import Columns, Tally, column_names_of, form_of, read_rows
from wikibias.records import Label

Warn = Callable[[str], None]
SIDES = (
    ("source", "target"),
    ("src", "tgt"),
    ("src", "ref"),
    ("src_raw", "tgt_raw"),
    ("removed", "added"),
    ("biased", "neutral"),
    ("text", "neutral"),
    ("before", "after"),
)
"""Names of two columns that are known for the sides of a pair."""
TASK_COLUMNS = frozenset({"item", "kind", "counterpart"})
"""What a task file of `annotate sample` has; of its sides not one is a sentence."""
_OTHERS = {
    "split": ("split",),
    "label": ("label",),
    "pair_id": ("pair_id", "id", "row"),
    # Pages rather than revisions: two edits of one page are no strangers.
    "group": ("page_id", "group", "revision", "rev_id", "after_rev_id"),
}
_OURS = ["split", "label", "tier"]  # how the header of our readable table begins


@dataclass(frozen=True, slots=True)
class PairText:
    """A sentence pair of any file.

    Attributes:
        pair_id: names it; the number of its row where the file has no column of ids.
        source: the biased sentence.
        target: the neutral one; the same where the label is neutral.
        split: that the file puts it into.
        group: what it must share a fold with: its page or its revision.
        row: its line, object or row in the file, from 1.
        label: neutral for a sentence that an edit for neutrality left alone.
    """

    pair_id: str
    source: str
    target: str
    split: str | None
    group: str | None
    row: int
    label: Label = "biased"


def read_pairs(
    path: Path,
    *,
    source: str | None = None,
    target: str | None = None,
    group: str | None = None,
    neutral: bool = False,
    warn: Warn | None = None,
) -> Iterator[PairText]:
    """Yield the pairs of a file, in its order; only one row of it is in memory at a time.

    Args:
        path: a folder that `wikibias pairs` made, or a table; see `kits.tables`.
        source: the column of the biased sentences, by name or number from 1; found by itself where
            the header has names that are known, or there are two columns and no header.
        target: that of the neutral ones.
        group: that of the pages or revisions.
        neutral: whether to yield the pairs labelled neutral, too.
        warn: takes one line that says how many rows had no pair, and where the first was.

    Raises:
        UsageError: the file is not there, or has no such column.
        WikibiasError: a row cannot be read; the line names file and row.
    """
    file = path / SENTENCE_PAIRS_FILE if path.is_dir() else path
    if not file.is_file():
        where = f"{SENTENCE_PAIRS_FILE} in it; `wikibias pairs` makes one"
        raise UsageError(f"{path}: no {where if path.is_dir() else 'file'}")
    left_out = Tally(file, warn or (lambda _: None))
    for number, row in _rows(file, source, target, group):
        cells = {name: None if cell in (None, "") else str(cell) for name, cell in row.items()}
        first, second = cells.get("source"), cells.get("target")
        if not (first and second and first.strip() and second.strip()):
            left_out.add("without a pair", number)
            continue
        # Others have numbers there, of which nobody says what they mean.
        label: Label = "neutral" if cells.get("label") == "neutral" else "biased"
        if neutral or label == "biased":
            named = cells.get("pair_id") or str(number)
            yield PairText(
                named, first, second, cells.get("split"), cells.get("group"), number, label
            )
    left_out.report()


def is_pairs_folder(folder: Path) -> bool:
    """Return whether a folder is one that `wikibias pairs` made."""
    return (folder / SENTENCE_PAIRS_FILE).is_file()


def holds_pairs(path: Path) -> bool:
    """Return whether a file or folder holds pairs that are found without naming columns."""
    try:
        next(read_pairs(path), None)
    except WikibiasError:
        return False
    return True


def _rows(
    path: Path, source: str | None, target: str | None, group: str | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the rows of a file with their numbers, and the cells of the columns that it has."""
    if (source is None) != (target is None):
        raise UsageError("give both --source and --target, or neither")
    if source is not None and source == target:
        raise UsageError(f"{path}: --source and --target are the same column")
    is_delimited = form_of(path) in (".tsv", ".csv")
    if is_delimited:
        cells = list(next(read_rows(path, header=False), (0, {}))[1].values())
    else:
        cells = column_names_of(path)
    if not cells:
        raise WikibiasError(f"{path}: no pair in it; give a source and a target a line")
    names = {cell.strip().lower(): cell.strip() for cell in reversed(cells)}
    header: bool | None = None
    if source is None or target is None:
        if names.keys() >= TASK_COLUMNS:
            raise UsageError(
                f"{path} holds tasks, which `wikibias annotate serve` takes; make pairs of the "
                "folder that they were drawn from"
            )
        sides = [(names[a], names[b]) for a, b in SIDES if a in names and b in names]
        # Two sentences and nothing else; a label or a number has no space.
        if not sides and is_delimited and len(cells) == 2 and all(" " in c.strip() for c in cells):
            header, sides = False, [("1", "2")]
        if len(sides) != 1:
            listed = ", ".join(cell.strip()[:30] for cell in cells[:12])
            raise UsageError(
                f"{path}: which columns hold the pairs? its columns are {listed}; give --source "
                "and --target, by name or number from 1"
            )
        source, target = sides[0]
    others = {
        column: next((names[name] for name in known if name in names), None)
        for column, known in _OTHERS.items()
    }
    needed = ("source", "target") if group is None else ("source", "target", "group")
    given = {"source": source, "target": target, "group": group or others.pop("group")}
    columns = Columns(needed=needed, **{**others, **given})
    quoted = cells[: len(_OURS)] == _OURS or None
    return read_rows(path, columns, header=header, quoted=quoted)
