"""Sentence pairs of a folder that `wikibias pairs` made, or of anybody's table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE
from wikibias.kits.tables import Columns, Tally, column_names_of, form_of, read_rows
from wikibias.messages import nearest
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
_KNOWN = {name for pair in SIDES for name in pair}
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
    header, quoted = True, None
    if form_of(path) in (".tsv", ".csv"):
        cells = list(next(read_rows(path, header=False), (0, {}))[1].values())
        header = is_header(cells, (source, target, group))
        quoted = cells[: len(_OURS)] == _OURS or None
        names = cells if header else [str(number) for number in range(1, len(cells) + 1)]
        # Two sentences and nothing else; a label or a number has no space.
        if (
            not header
            and source is None
            and len(cells) == 2
            and all(" " in c.strip() for c in cells)
        ):
            source, target = names
    else:
        names = column_names_of(path)
    if not names:
        raise WikibiasError(f"{path}: no pair in it; give a source and a target a line")
    columns = columns_of(path, names, source, target, group, header=header)
    return read_rows(path, Columns(**columns), header=header, quoted=quoted)


def is_header(cells: Sequence[str], wanted: Sequence[str | None]) -> bool:
    """Return whether the first line of a file names its columns.

    It does where a wanted column is one of its names, or the cells at the wanted places are known
    as names, or, with nothing wanted, a known pair of names is among them.
    """
    names = [_plain(cell) for cell in cells]
    given = [each for each in wanted if each is not None]
    if any(each in map(str.strip, cells) for each in given):
        return True
    if given and all(map(str.isdecimal, given)):
        places = [int(each) - 1 for each in given]
        return any(0 <= place < len(names) and names[place] in _KNOWN for place in places)
    return bool(_known_sides(names))


def columns_of(
    path: Path,
    names: Sequence[str],
    source: str | None,
    target: str | None,
    group: str | None,
    *,
    header: bool = True,
) -> dict[str, str]:
    """Return the name in the file of each column to read.

    Args:
        path: the file, for messages.
        names: of its columns; their numbers where it has no header.
        source: name or number, from 1, of the column with the biased sentences; None to find it.
        target: that with the neutral ones.
        group: that with what keeps pairs together, such as the revision.
        header: whether the file names its columns.

    Raises:
        UsageError: a column is not there, or the sides cannot be told without being named.
    """
    if (source is None) != (target is None):
        raise UsageError("give both --source and --target, or neither")
    plain = [_plain(name) for name in names]
    if source is None or target is None:
        sides = _known_sides(plain)
        if len(sides) != 1:
            listed = ", ".join(name.strip()[:30] for name in names[:12])
            why = f"its columns are {listed}" if header else "it has no header"
            raise UsageError(
                f"{path}: which columns hold the pairs? {why}; "
                "give --source and --target, by name or number from 1"
            )
        places = dict(zip(("source", "target"), sides[0], strict=True))
    else:
        places = {
            "source": _place(path, names, source, header=header),
            "target": _place(path, names, target, header=header),
        }
    if places["source"] == places["target"]:
        raise UsageError(f"{path}: --source and --target are the same column")
    for column, known in _OTHERS.items():
        if place := next((name for name in known if name in plain), None):
            places[column] = plain.index(place)
    if group is not None:
        places["group"] = _place(path, names, group, header=header)
    return {column: names[place].strip() for column, place in places.items()}


def _plain(name: str) -> str:
    return name.strip().lower()


def _known_sides(names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the known pairs of names; none where two pairs fit."""
    return [(names.index(a), names.index(b)) for a, b in SIDES if a in names and b in names]


def _place(path: Path, names: Sequence[str], wanted: str, *, header: bool) -> int:
    """Return the place of a column that is given by name or by number."""
    known = [name.strip() for name in names]
    if wanted in known:
        return known.index(wanted)
    if wanted.isdecimal() and int(wanted) > 0:
        if int(wanted) > len(known):
            raise UsageError(f"{path}: no column {wanted}; it has {len(known)}")
        return int(wanted) - 1
    if not header:
        raise UsageError(f"{path}: no header with a column {wanted!r}; give its number, from 1")
    raise UsageError(f"{path}: unknown column {wanted!r}{nearest(wanted, known)}")
