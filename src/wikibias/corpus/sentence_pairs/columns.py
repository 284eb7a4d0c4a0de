"""Which columns of a table hold the two sides of a sentence pair, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wikibias.errors import UsageError
from wikibias.messages import nearest

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
_IDS = ("pair_id", "id", "row")
# Pages rather than revisions: two edits of one page are no strangers.
_GROUPS = ("page_id", "group", "revision", "rev_id", "after_rev_id")


@dataclass(frozen=True, slots=True)
class PairColumns:
    """The places of the columns of a table, from 0; None where it has no such column."""

    source: int
    target: int
    group: int | None
    split: int | None = None
    label: int | None = None
    pair_id: int | None = None


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
    names: Sequence[str] | None,
    source: str | None,
    target: str | None,
    group: str | None,
) -> PairColumns:
    """Return which columns to read.

    Args:
        path: the file, for messages.
        names: of its columns; None where it has no header.
        source: name or number, from 1, of the column with the biased sentences; None to find it.
        target: that with the neutral ones.
        group: that with what keeps pairs together, such as the revision.

    Raises:
        UsageError: a column is not there, or the sides cannot be told without being named.
    """
    if (source is None) != (target is None):
        raise UsageError("give both --source and --target, or neither")
    found = names or []
    if source is None or target is None:
        sides = _known_sides([_plain(name) for name in found])
        if len(sides) != 1:
            why = f"its columns are {_listed(found)}" if found else "it has no header"
            raise UsageError(
                f"{path}: which columns hold the pairs? {why}; "
                "give --source and --target, by name or number from 1"
            )
        first, second = sides[0]
    else:
        first, second = _place(path, names, source), _place(path, names, target)
    if first == second:
        raise UsageError(f"{path}: --source and --target are the same column")
    return PairColumns(
        first,
        second,
        _first(found, _GROUPS) if group is None else _place(path, names, group),
        split=_first(found, ("split",)),
        label=_first(found, ("label",)),
        pair_id=_first(found, _IDS),
    )


def _plain(name: str) -> str:
    return name.strip().lower()


def _known_sides(names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the known pairs of names; none where two pairs fit."""
    return [(names.index(a), names.index(b)) for a, b in SIDES if a in names and b in names]


def _first(names: Sequence[str], known: Sequence[str]) -> int | None:
    plain = [_plain(name) for name in names]
    return next((plain.index(name) for name in known if name in plain), None)


def _place(path: Path, names: Sequence[str] | None, wanted: str) -> int:
    """Return the place of a column that is given by name or by number."""
    known = [name.strip() for name in names or ()]
    if wanted in known:
        return known.index(wanted)
    if wanted.isdecimal() and int(wanted) > 0:
        if names is not None and int(wanted) > len(known):
            raise UsageError(f"{path}: no column {wanted}; it has {len(known)}")
        return int(wanted) - 1
    if names is None:
        raise UsageError(f"{path}: no header with a column {wanted!r}; give its number, from 1")
    raise UsageError(f"{path}: unknown column {wanted!r}{nearest(wanted, known)}")


def _listed(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(name.strip()[:30] for name in names[:most])
    return shown + (", ..." if len(names) > most else "")
