"""An array holds the cells that it was made of."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from wikibias.storage.arrow_arrays import ARROW, arrow_array
from wikibias.storage.schemas import ColumnType

CELLS: dict[ColumnType, list[Any]] = {
    "string": ["a", "", "né"],
    "strings": [["a", "bé"], [], [""]],
    "bools": [[True, False], []],
    "doubles": [[0.5, -1.0], []],
    "ints": [[1, -2], [], [3]],
    "int32": [0, -(2**31), 2**31 - 1],
    "int64": [0, -(2**63), 2**63 - 1],
    "double": [0.0, 1e300],
    "bool": [True, False] * 9,
    "time": [datetime(2006, 3, 1, 12, 30, 5, tzinfo=UTC), datetime(1969, 12, 31, tzinfo=UTC)],
}


@pytest.mark.parametrize("kind", ARROW)
@pytest.mark.parametrize("gap", [[], [None]])
def test_the_cells_come_back(kind: ColumnType, gap: list[None]) -> None:
    cells = [*gap, *CELLS[kind], *gap]
    made = arrow_array(kind, _stored(cells))
    made.validate(full=True)
    assert made.type == ARROW[kind]
    assert made.to_pylist() == cells


def _stored(cells: list[Any]) -> list[Any]:
    """Return cells with texts in UTF-8, as a writer keeps them."""
    return [
        cell.encode()
        if isinstance(cell, str)
        else [each.encode() if isinstance(each, str) else each for each in cell]
        if isinstance(cell, list)
        else cell
        for cell in cells
    ]
