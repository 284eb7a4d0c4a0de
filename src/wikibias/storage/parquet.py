"""Parquet files: streams of rows in and out.

The only module that knows pyarrow. A file carries, as metadata, what made it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.json as pj
import pyarrow.parquet as pq

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.storage.atomic import whole_file

# Arrow's own allocator keeps what it once had, 40 MB on our tables.
pa.set_memory_pool(pa.system_memory_pool())

Row = dict[str, Any]
Columns = list[tuple[str, pa.DataType]]
TEXT, TEXTS, BOOL = pa.string(), pa.list_(pa.string()), pa.bool_()
INT32, INT64, FLOAT64 = pa.int32(), pa.int64(), pa.float64()
TIME = pa.timestamp("s", tz="UTC")
_EDITOR: tuple[str, pa.DataType] = ("editor", TEXT)
_META = "wikibias"
# Rows of wikitext are large; a row group is closed at whichever comes first.
_GROUP_ROWS = 2000
_GROUP_CHARS = 2_000_000
_READ_ROWS = 16
# Parquet knows no whole seconds and writes them as thousandths.
_PER_SECOND = {"s": 1, "ms": 1000}


class TableWriter:
    """Writes rows to one Parquet file in groups, so that memory stays flat."""

    def __init__(self, path: Path, columns: Columns, *, with_editors: bool) -> None:
        self._schema = pa.schema([*columns, _EDITOR] if with_editors else columns)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[Row] = []
        self._chars = 0

    def write(self, row: Row) -> None:
        """Take one row; columns that the table lacks are left out."""
        self._rows.append(row)
        self._chars += sum(map(_chars, row.values()))
        if len(self._rows) >= _GROUP_ROWS or self._chars >= _GROUP_CHARS:
            self._flush()

    def close(self, meta: Mapping[str, Any]) -> None:
        """Write what is left, and `meta` into the file's metadata."""
        self._flush()
        self._writer.add_key_value_metadata({_META: json.dumps(meta)})
        self._writer.close()

    def abandon(self) -> None:
        """Close the file without completing it."""
        self._rows.clear()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(_table(self._rows, self._schema))
        self._rows.clear()
        self._chars = 0


def _chars(value: object) -> int:
    """Return the length of a cell of text, or of a list of texts."""
    if isinstance(value, tuple):
        return sum(map(len, value))
    return len(value) if isinstance(value, str) else 0


def _table(rows: Iterable[Row], schema: pa.Schema) -> pa.Table:
    """Return rows as a table, by way of JSON.

    pyarrow's own way from Python imports pandas, to see whether it was given some: that takes as
    long as reading 300 MB of a dump, and 50 MB of memory.
    """
    names = schema.names
    raw = b"\n".join(
        json.dumps(
            {name: row.get(name) for name in names}, ensure_ascii=False, default=_iso
        ).encode()
        for row in rows
    )
    return pj.read_json(
        io.BytesIO(raw),
        read_options=pj.ReadOptions(use_threads=False, block_size=len(raw) + 1),
        parse_options=pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )


def _iso(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def writing(
    path: Path,
    columns: Columns,
    meta: Callable[[], Mapping[str, Any]],
    *,
    with_editors: bool,
) -> Iterator[TableWriter]:
    """Give a writer of a Parquet file, which is there once the `with` block has ended well.

    `meta` is asked at the end.

    Raises:
        DiskError: the file cannot be written.
    """
    with whole_file(path) as temporary:
        writer = TableWriter(temporary, columns, with_editors=with_editors)
        try:
            yield writer
            writer.close(meta())
        except BaseException:
            writer.abandon()
            raise


def write_table(
    path: Path,
    columns: Columns,
    rows: Iterable[Row],
    meta: Callable[[], Mapping[str, Any]],
    *,
    with_editors: bool,
) -> None:
    """Write a whole Parquet file from a stream of rows; see `writing`."""
    with writing(path, columns, meta, with_editors=with_editors) as writer:
        for row in rows:
            writer.write(row)


def arrow_table(columns: Columns, rows: Iterable[Row]) -> pa.Table:
    """Return rows as a table in memory, with the types that reading a file of them gives."""
    schema, left = pa.schema(columns), iter(rows)
    groups = iter(lambda: list(islice(left, _GROUP_ROWS)), [])
    table = pa.concat_tables([schema.empty_table(), *(_table(group, schema) for group in groups)])
    read = {TIME: pa.timestamp("ms", tz="UTC")}
    return table.cast(
        pa.schema([(field.name, read.get(field.type, field.type)) for field in schema])
    )


def read_arrow(paths: Sequence[Path], columns: Sequence[str] | None = None) -> pa.Table:
    """Read Parquet files of one schema, or some columns of them, as one table.

    Raises:
        UsageError: a file has no such column; the message names the nearest.
        WikibiasError: a file cannot be read.
    """
    tables = []
    for path in paths:
        with _open(path) as file:
            names = file.schema_arrow.names
            for column in columns or ():
                if column not in names:
                    raise UsageError(f"{path}: unknown column {column!r}{nearest(column, names)}")
            tables.append(file.read(columns=None if columns is None else list(columns)))
    return pa.concat_tables(tables, promote_options="default").replace_schema_metadata(None)


def read_table(path: Path) -> Iterator[Row]:
    """Yield the rows of a Parquet file, a few at a time in memory."""
    with _open(path) as file:
        for batch in file.iter_batches(batch_size=_READ_ROWS):
            columns = map(_values, batch.columns)
            for values in zip(*columns, strict=True):
                yield dict(zip(batch.schema.names, values, strict=True))


def _values(column: Any) -> list[Any]:
    """Return a column as a list; times by way of numbers, as pyarrow's own way imports pandas."""
    if not pa.types.is_timestamp(column.type):
        return list(column.to_pylist())
    per_second = _PER_SECOND[column.type.unit]
    times = column.view(pa.int64()).to_pylist()
    return [None if t is None else datetime.fromtimestamp(t // per_second, UTC) for t in times]


def read_meta(path: Path) -> dict[str, Any] | None:
    """Return the metadata written with a file, or None when there is no whole file."""
    if not path.is_file():
        return None
    stat = path.stat()
    raw = _raw_meta(path, stat.st_ino, stat.st_mtime_ns, stat.st_size)
    return json.loads(raw) if raw else None


@lru_cache(64)
def _raw_meta(path: Path, inode: int, mtime_ns: int, size: int) -> bytes | None:
    """Return a file's metadata; remembered, because a run asks again when a part is done."""
    with _open(path) as file:
        return (file.metadata.metadata or {}).get(_META.encode())


def _open(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise WikibiasError(f"{path} cannot be read ({error}); run again with --restart") from error
