"""Arrow arrays of the cells of a column: their types, and how they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wikibias.storage.schemas import ColumnType

ARROW: Mapping[ColumnType, pa.DataType] = {
    "string": pa.string(),
    "strings": pa.list_(pa.string()),
    "bools": pa.list_(pa.bool_()),
    "doubles": pa.list_(pa.float64()),
    "ints": pa.list_(pa.int64()),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "time": pa.timestamp("s", tz="UTC"),
}
_ITEMS: Mapping[ColumnType, ColumnType] = {
    "strings": "string",
    "bools": "bool",
    "doubles": "double",
    "ints": "int64",
}
_NUMPY: Mapping[ColumnType, type[np.generic]] = {
    "int32": np.int32,
    "int64": np.int64,
    "double": np.float64,
    "time": np.int64,
}


def arrow_array(kind: ColumnType, cells: Sequence[Any]) -> Any:
    """Return the cells of a column as an Arrow array, made of its buffers.

    pyarrow's own way from Python objects imports pandas, to see whether it was given some: that
    takes as long as reading 300 MB of a dump, and 50 MB of memory.
    """
    valid = _bits([cell is not None for cell in cells]) if None in cells else None
    if kind in _ITEMS:
        inner = arrow_array(_ITEMS[kind], list(chain.from_iterable(cell or () for cell in cells)))
        buffers, children = [valid, _offsets([cell or () for cell in cells])], [inner]
        return pa.Array.from_buffers(ARROW[kind], len(cells), buffers, children=children)
    if kind == "string":
        encoded = cells if valid is None else [cell or b"" for cell in cells]
        buffers = [valid, _offsets(encoded), pa.py_buffer(b"".join(encoded))]
    elif kind == "bool":
        buffers = [valid, _bits([bool(cell) for cell in cells])]
    else:
        if kind == "time":
            cells = [None if cell is None else int(cell.timestamp()) for cell in cells]
        numbers = np.array([cell or 0 for cell in cells], _NUMPY[kind])
        buffers = [valid, _buffer(numbers)]
    return pa.Array.from_buffers(ARROW[kind], len(cells), buffers)


def _bits(flags: Sequence[bool]) -> pa.Buffer:
    return _buffer(np.packbits(np.array(flags, np.bool_), bitorder="little"))


def _offsets(cells: Sequence[Any]) -> pa.Buffer:
    """Return where each cell begins, and where the last one ends."""
    ends = np.zeros(len(cells) + 1, np.int32)
    np.cumsum(np.fromiter(map(len, cells), np.int32, len(cells)), dtype=np.int32, out=ends[1:])
    return _buffer(ends)


def _buffer(numbers: NDArray[Any]) -> pa.Buffer:
    return pa.py_buffer(numbers.data)
