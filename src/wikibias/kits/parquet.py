"""Parquet files: written and read as records, rows and Arrow tables, ours and those of others."""

import json
import stat
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from io import SEEK_END
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.kits.files import atomic_file
from wikibias.kits.schemas import ITEMS, Column, ColumnType, Row, Table

ARROW: dict[ColumnType, pa.DataType] = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "time": pa.timestamp("s", tz="UTC"),
}
ARROW |= {kind: pa.list_(ARROW[item]) for kind, item in ITEMS.items()}
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
    if kind in ITEMS:
        inner = arrow_array(ITEMS[kind], list(chain.from_iterable(cell or () for cell in cells)))
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


# Arrow's own allocator keeps what it once had, 40 MB on our tables.
pa.set_memory_pool(pa.system_memory_pool())

R = TypeVar("R")
_META = "wikibias"
# Rows of wikitext are large; a row group is closed at whichever comes first.
_GROUP_ROWS = 2000
_GROUP_CHARS = 4_000_000
_READ_ROWS = 16
# Columns that need neither a dictionary nor the least and the greatest value: that takes time.
_WIKITEXT = frozenset({"before_text", "after_text"})
# Parquet knows no whole seconds and writes them as thousandths.
_PER_SECOND = {"s": 1, "ms": 1000}
_BITS: Mapping[ColumnType, int] = {"int32": 31, "int64": 63}


class RowError(ValueError):
    """A record that does not fit into its table: half a character, a number out of range."""


class DamagedTableError(WikibiasError):
    """A table that is no Parquet file any more, or not the one that we wrote."""

    def __init__(self, path: Path, reason: object) -> None:
        super().__init__(
            f"{path} is damaged ({reason!s:.200}); remove it, then run the same "
            "command again: it makes only this file again"
        )
        self.path = path


class TableWriter(Generic[R]):
    """Writes records to one Parquet file in groups, so that memory stays flat.

    With `beside`, its thread compresses a group while the next one is collected; what the disk
    refuses is raised then.
    """

    def __init__(
        self, path: Path, table: Table[R], *, with_editors: bool, beside: Executor | None = None
    ) -> None:
        self._columns = [c for c in table.columns if with_editors or not c.on_request]
        self._types = [c.type for c in self._columns]
        self._schema = pa.schema([(c.name, ARROW[c.type]) for c in self._columns])
        # Its stubs know no lists.
        short: Any = [c.name for c in self._columns if c.name not in _WIKITEXT]
        self._writer = pq.ParquetWriter(
            path,
            self._schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=short,
            write_statistics=short,
        )
        self._cells: list[list[Any]] = [[] for _ in self._columns]
        self._rows = 0
        self._chars = 0
        self._beside = beside
        self._writing: Future[None] | None = None

    def write(self, record: R) -> None:
        """Take one record.

        Raises:
            RowError: it does not fit into the table, and is left out.
        """
        found = [column.value(record) for column in self._columns]
        stored = [*map(_stored, self._columns, found)]
        for kind, cell, cells, kept in zip(self._types, found, self._cells, stored, strict=True):
            cells.append(kept)
            if cell and kind in ("string", "strings"):
                self._chars += len(cell) if isinstance(cell, str) else sum(map(len, cell))
        self._rows += 1
        if self._rows >= _GROUP_ROWS or self._chars >= _GROUP_CHARS:
            self._flush()

    def close(self, meta: Mapping[str, Any]) -> None:
        """Write what is left, and `meta` into the file's metadata."""
        self._flush()
        self._wait()
        self._writer.add_key_value_metadata({_META: json.dumps(meta)})
        self._writer.close()

    def abandon(self) -> None:
        """Close the file without completing it."""
        self._clear()
        with suppress(Exception):
            self._wait()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            arrays = [*map(arrow_array, self._types, self._cells)]
            group = pa.Table.from_arrays(arrays, schema=self._schema)
            self._wait()
            if self._beside is None:
                self._writer.write_table(group)
            else:
                self._writing = self._beside.submit(self._writer.write_table, group)
        self._clear()

    def _wait(self) -> None:
        """Wait for the group that is being written."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def _clear(self) -> None:
        for cells in self._cells:
            cells.clear()
        self._rows = self._chars = 0


def _stored(column: Column, cell: Any) -> Any:
    """Return a cell as its array takes it: strings in UTF-8.

    Raises:
        RowError: it does not fit into the column.
    """
    bits = _BITS.get(column.type)
    try:
        if bits is not None and cell is not None and not -(1 << bits) <= cell < 1 << bits:
            raise RowError(f"{column.name} is out of range: {cell}")
        if column.type == "string":
            return None if cell is None else cell.encode()
        if column.type == "strings":
            return None if cell is None else [each.encode() for each in cell]
    except UnicodeEncodeError as error:
        raise RowError(f"{column.name} holds half a character ({error.reason})") from error
    return cell


@contextmanager
def writing(
    path: Path,
    table: Table[R],
    meta: Callable[[], Mapping[str, Any]],
    *,
    with_editors: bool = False,
    beside: Executor | None = None,
) -> Iterator[TableWriter[R]]:
    """Give a writer of a Parquet file, which is there once the `with` block has ended well.

    `meta` is asked at the end; for `beside` see `TableWriter`.

    Raises:
        DiskError: the file cannot be written.
    """
    with atomic_file(path) as temporary:
        writer = TableWriter(temporary, table, with_editors=with_editors, beside=beside)
        try:
            yield writer
            writer.close(meta())
        except BaseException:
            writer.abandon()
            raise


def read_records(path: Path, table: Table[R], rows: Sequence[int] | None = None) -> Iterator[R]:
    """Yield the records of a Parquet file, a few at a time in memory.

    Only the columns of `table` are read, so it may be one with fewer of them than the file has.

    Args:
        path: the file.
        table: what its rows are.
        rows: the numbers of the rows to read, in order; all by default.

    Raises:
        WikibiasError: the file cannot be read.
    """
    columns = [column.name for column in table.columns]
    for row in read_table(path, columns, rows):
        try:
            record = table.record_of(row)
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedTableError(path, f"a row has no {error}") from error
        yield record


def arrow_table(table: Table[R], records: Iterable[R]) -> pa.Table:
    """Return records as a table in memory, with the types that reading a file of them gives."""
    columns = [column for column in table.columns if not column.on_request]
    schema = pa.schema([(c.name, ARROW[c.type]) for c in columns])
    left, batches = iter(records), [schema.empty_table()]
    # Few at a time: the texts of one array may not be longer than 2 GB together.
    while group := list(islice(left, _READ_ROWS)):
        arrays = [arrow_array(c.type, [_stored(c, c.value(r)) for r in group]) for c in columns]
        batches.append(pa.Table.from_arrays(arrays, schema=schema))
    read = {ARROW["time"]: pa.timestamp("ms", tz="UTC")}
    types = pa.schema([(field.name, read.get(field.type, field.type)) for field in schema])
    return pa.concat_tables(batches).cast(types)


def read_arrow(paths: Sequence[Path], columns: Sequence[str] | None = None) -> pa.Table:
    """Read Parquet files of one schema, or some columns of them, as one table.

    Raises:
        UsageError: a file has no such column; the message names the nearest.
        WikibiasError: a file cannot be read.
    """
    tables = []
    for path in paths:
        with open_file(path) as file:
            names = file.schema_arrow.names
            for column in columns or ():
                if column not in names:
                    raise UsageError(f"{path}: unknown column {column!r}{nearest(column, names)}")
            with damage(path):
                tables.append(file.read(columns=None if columns is None else list(columns)))
    return pa.concat_tables(tables, promote_options="default").replace_schema_metadata(None)


def read_numbers(path: Path, column: str, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of a column, or of all its lists, and how many are in each row.

    Unlike pyarrow's own way it imports no pandas. No cell is null.

    Raises:
        WikibiasError: the file cannot be read, or holds more than `most` values in all.
    """
    with open_file(path) as file:
        groups = map(file.metadata.row_group, range(file.num_row_groups))
        values = sum(each.column(n).num_values for each in groups for n in range(each.num_columns))
    if values > most:
        raise DamagedTableError(path, f"it has {values} values")
    found: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    counts = [np.zeros(0, np.int64)]
    chunks: list[Any] = read_arrow([path], [column])[column].chunks  # the stubs know no lists
    for chunk in chunks:
        inner = chunk
        if pa.types.is_list(chunk.type):
            ends = np.frombuffer(chunk.buffers()[1], np.int32, len(chunk) + 1, 4 * chunk.offset)
            counts.append(np.diff(ends).astype(np.int64))
            inner = inner.flatten()
        else:
            counts.append(np.ones(len(chunk), np.int64))
        data = inner.buffers()[-1] or b""
        found.append(np.frombuffer(data, np.int64, len(inner), 8 * inner.offset))
    return np.concatenate(found), np.concatenate(counts)


def read_table(
    path: Path,
    columns: list[str] | None = None,
    rows: Sequence[int] | None = None,
    at_once: int = _READ_ROWS,
) -> Iterator[Row]:
    """Yield the rows of a Parquet file, a few (`at_once`) in memory; see `read_records`.

    Raises:
        WikibiasError: the file cannot be read.
    """
    with open_file(path) as file, damage(path):
        for first, groups in _groups(file, rows):
            start = first
            for batch in file.iter_batches(at_once, groups, columns):
                for found in [batch] if rows is None else _chosen(batch, start, rows):
                    names = found.schema.names
                    cells = [_values(column) for column in found.columns]
                    for values in zip(*cells, strict=True):
                        yield dict(zip(names, values, strict=True))
                start += batch.num_rows


def _groups(
    file: pq.ParquetFile, rows: Sequence[int] | None
) -> Iterator[tuple[int, list[int] | None]]:
    """Yield the row groups that hold these rows, each with its first row; all, where all are."""
    if rows is None:
        yield 0, None
        return
    start = 0
    for group in range(file.num_row_groups):
        end = start + file.metadata.row_group(group).num_rows
        if bisect_left(rows, start) < bisect_left(rows, end):
            yield start, [group]
        start = end


def _chosen(batch: pa.RecordBatch, start: int, rows: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """Yield those of the `rows` of a file that lie in a batch, whose first row is `start`."""
    first, end = bisect_left(rows, start), bisect_left(rows, start + batch.num_rows)
    return (batch.slice(row - start, 1) for row in rows[first:end])


def _values(column: Any) -> list[Any]:
    """Return a column as a list; times by way of numbers, as pyarrow's own way imports pandas."""
    if not pa.types.is_timestamp(column.type):
        return list(column.to_pylist())
    per_second = _PER_SECOND[column.type.unit]
    times = column.view(pa.int64()).to_pylist()
    return [None if t is None else datetime.fromtimestamp(t // per_second, UTC) for t in times]


def read_meta(path: Path) -> dict[str, Any] | None:
    """Return the metadata written with a file, or None when there is no whole file of ours.

    So what a power failure left empty or cut is made again.

    Raises:
        WikibiasError: the file may not be read.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            return None
        raw = _raw_meta(path, found.st_ino, found.st_mtime_ns, found.st_size)
        meta = json.loads(raw) if raw else None
    except (FileNotFoundError, NotADirectoryError, DamagedTableError, ValueError, RecursionError):
        return None
    except OSError as error:
        raise WikibiasError(f"{path} cannot be read ({error.strerror})") from error
    return meta if isinstance(meta, dict) else None


@lru_cache(64)
def _raw_meta(path: Path, inode: int, mtime_ns: int, size: int) -> bytes | None:
    """Return a file's metadata; remembered, because a run asks again when a part is done."""
    with open_file(path) as file:
        return (file.metadata.metadata or {}).get(_META.encode())


def open_file(path: Path) -> pq.ParquetFile:
    """Open a file.

    Raises:
        WikibiasError: it cannot be read.
    """
    with damage(path):
        return pq.ParquetFile(path)


@contextmanager
def damage(path: Path) -> Iterator[None]:
    """Turn what pyarrow says of a file that it cannot read into an error of ours."""
    try:
        yield
    except OSError as error:
        # What the operating system refuses has a number; what pyarrow does not understand has none.
        if error.errno is None:
            raise DamagedTableError(path, error) from error
        raise WikibiasError(f"{path} cannot be read ({error.strerror})") from error
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OverflowError, KeyError) as error:
        raise DamagedTableError(path, error) from error
    except pa.ArrowException as error:  # such as no thread to be had
        raise WikibiasError(f"{path} cannot be read ({error})") from error


# As many as a page of the hub's viewer reads at once, or fewer.
_ROWS = 1000


def copy_typed(
    source: Path,
    target: Path,
    classes: Mapping[str, Sequence[str]],
    *,
    numbered: bool,
    features: Mapping[str, Any] | None = None,
) -> int:
    """Copy a Parquet file, a group of rows at a time, and return how many rows it has.

    Args:
        source: the file.
        target: the copy; the name must be free.
        classes: the values that a column of classes may have, in the order of their numbers.
        numbered: classes become their numbers, else categories, which keep the values.
        features: what the library `datasets` is to know of the columns, for the file's metadata.

    Raises:
        WikibiasError: the source cannot be read, or holds a value that is none of its classes.
    """
    metadata: dict[bytes | str, bytes | str] = {}
    if features:
        metadata["huggingface"] = json.dumps({"info": {"features": features}})
    with damage(source), pq.ParquetFile(source) as file:
        found = {name: names for name, names in classes.items() if name in file.schema_arrow.names}
        fields = [_field(field, found.get(field.name), numbered) for field in file.schema_arrow]
        schema = pa.schema(fields, metadata=metadata)
        with pq.ParquetWriter(target, schema, compression="zstd") as writer:
            for batch in file.iter_batches(batch_size=_ROWS):
                columns = [
                    _typed(source, column, name, found.get(name), numbered)
                    for name, column in zip(batch.schema.names, batch.columns, strict=True)
                ]
                writer.write_batch(pa.record_batch(columns, schema=schema))
        return int(file.metadata.num_rows)


def _field(field: Any, names: Sequence[str] | None, numbered: bool) -> Any:
    if names is None:
        return field
    return field.with_type(pa.int64() if numbered else pa.dictionary(pa.int8(), pa.string()))


def _typed(
    source: Path, column: Any, name: str, names: Sequence[str] | None, numbered: bool
) -> Any:
    if names is None:
        return column
    import pyarrow.compute as pc

    known = pa.array(names, pa.string())
    numbers = pc.index_in(column, value_set=known)
    if numbers.null_count != column.null_count:
        raise DamagedTableError(source, f"a value of {name} is none of {', '.join(names)}")
    if numbered:
        return numbers.cast(pa.int64())
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int8()), known)


def rows_with(path: Path, column: str, values: Iterable[int] | Iterable[str]) -> list[int]:
    """Return the numbers of the rows whose cell is one of the values, or a list with one of them.

    Only this column is read.

    Raises:
        WikibiasError: the file cannot be read.
    """
    import pyarrow.compute as pc

    sought: list[Any] = [value for value in values if _may_be_stored(value)]
    kind: ColumnType = "string" if sought and isinstance(sought[0], str) else "int64"
    stored = [value.encode() if kind == "string" else value for value in sought]
    found, start = array("q"), 0
    with open_file(path) as file, damage(path):
        for group in range(file.num_row_groups):
            cells = file.read_row_group(group, [column])[column].combine_chunks()
            is_list = pa.types.is_list(cells.type)
            flat = pc.list_flatten(cells) if is_list else cells
            hits = pc.is_in(flat.cast(ARROW[kind]), arrow_array(kind, stored))
            places: Any = pc.indices_nonzero(hits)
            if is_list:
                places = pc.list_parent_indices(cells).take(places)
            found.extend(start + place for place in places.unique().to_pylist())
            start += len(cells)
    return found.tolist()


def _may_be_stored(value: int | str) -> bool:
    """Return whether a value fits into any column: text without halves of characters, 64 bits."""
    try:
        return abs(value) < 1 << 63 if isinstance(value, int) else value.encode() is not None
    except UnicodeEncodeError:
        return False


def check_columns(path: Path, table: Table[Any]) -> None:
    """Make sure that the columns of a file have the types of the table; some may be missing.

    Raises:
        DamagedTableError: one has another type.
        WikibiasError: the file cannot be read.
    """
    with open_file(path) as file:
        found = file.schema_arrow
    for column in table.columns:
        if column.name in found.names:
            kind, expected = found.field(column.name).type, ARROW[column.type]
            both_times = pa.types.is_timestamp(kind) and pa.types.is_timestamp(expected)
            if kind != expected and not both_times:
                raise DamagedTableError(path, f"the column {column.name} is of type {kind}")


def foreign_columns(path: Path) -> list[str]:
    """Return the names of the columns of a Parquet file.

    Raises:
        WikibiasError: the file cannot be read.
    """
    with _foreign(path) as file:
        return [str(name) for name in file.schema_arrow.names]


# Bytes: a repeated text, or none at all, may be packed to a millionth.
_UNPACKED, _TIMES, _CELL, _AT_ONCE = 40_000_000, 30, 8, 8_000_000


def iter_rows(path: Path, columns: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file, or some columns of them, few in memory at a time.

    A number that stands for a class comes back as the name that the Hugging Face libraries have
    noted for it in the file.

    Raises:
        WikibiasError: the file cannot be read, or unpacks to many times its size.
    """
    names = list(columns)
    with _foreign(path) as file:
        left = _UNPACKED + _TIMES * path.stat().st_size
        rows = _rows_at_once(path, file.metadata, names, left)
        classes = _class_names(file.schema_arrow.metadata or {}, names)
        for batch in file.iter_batches(rows, columns=names):
            found: list[Any] = batch.columns
            cells = [c.dictionary_decode() if pa.types.is_dictionary(c.type) else c for c in found]
            left -= sum(column.nbytes for column in cells)
            if left < 0:
                raise _too_much(path)
            for row in pa.RecordBatch.from_arrays(cells, batch.schema.names).to_pylist():
                for name, known in classes.items():
                    row[name] = known.get(row[name], row[name])
                yield row


def _rows_at_once(path: Path, meta: pq.FileMetaData, names: list[str], left: int) -> int:
    """Return how many rows to read at once, whichever text each of them repeats.

    Raises:
        WikibiasError: all values may take more bytes than are `left`. Any of a list may be the
            longest text that the file keeps apart, and all may stand in one row.
    """
    import pyarrow.compute as pc

    chunks: list[tuple[int, Any, Any]] = [
        (number, meta.schema.column(place), meta.row_group(number).column(place))
        for number in range(meta.num_row_groups)
        for place in range(meta.num_columns)
    ]
    for _, leaf, chunk in chunks:
        left -= chunk.total_uncompressed_size + max(_CELL, leaf.length) * chunk.num_values
    chosen = tuple(f"{name}." for name in names)
    longest, paths = Counter[int](), [leaf.path for _, leaf, _ in chunks[: meta.num_columns]]
    with pq.ParquetFile(path, metadata=meta, read_dictionary=paths) as file:
        for number, leaf, chunk in chunks if left >= 0 else ():
            if leaf.physical_type != "BYTE_ARRAY" or not f"{leaf.path}.".startswith(chosen):
                continue
            # The first rows come with all texts that are kept apart, each of them once.
            first = 1 + _AT_ONCE * chunk.num_values // (chunk.total_uncompressed_size + 1)
            for batch in islice(file.iter_batches(first, [number], [leaf.path]), 1):
                texts: Any = batch.column(0)
                while texts.type.num_fields:
                    texts = texts.field(0) if isinstance(texts, pa.StructArray) else texts.values
                kept = getattr(texts, "dictionary", texts[:0])  # none where two have one path
                found = pc.max(pc.binary_length(kept)).as_py() or chunk.total_uncompressed_size
                longest[number] += found
                left -= found * chunk.num_values if leaf.max_repetition_level else 0
    if left < 0:
        raise _too_much(path)
    return max(1, min(_ROWS, _AT_ONCE // max(longest.values(), default=1)))


def _too_much(path: Path) -> WikibiasError:
    return WikibiasError(f"{path}: unpacks to many times its size; give it as JSON Lines")


# Bytes of what a file says of its columns and groups, or a share of the file. It takes 10 times as
# much in memory, and up to 230 times where it was made to.
_CONTENTS, _SHARE = 500_000, 20


@contextmanager
def _foreign(path: Path) -> Iterator[pq.ParquetFile]:
    """Open a file of others, and turn what pyarrow says of it into an error of ours."""
    try:
        with path.open("rb") as raw:
            size = raw.seek(0, SEEK_END)
            raw.seek(max(0, size - 8))
            if _CONTENTS + size // _SHARE < int.from_bytes(raw.read(4), "little") < size:
                raise WikibiasError(f"{path}: too many columns or groups of rows; leave some out")
        with pq.ParquetFile(path) as file:
            yield file
    except (OSError, OverflowError, KeyError, pa.ArrowException) as error:
        raise WikibiasError(
            f"{path}: not a Parquet file that can be read ({error!s:.200})"
        ) from error


def _class_names(metadata: Mapping[bytes, bytes], names: list[str]) -> dict[str, dict[int, str]]:
    """Return the names of the classes of those columns that `datasets` notes as a ClassLabel."""
    with suppress(ValueError, RecursionError, KeyError, TypeError, AttributeError):
        features = json.loads(metadata[b"huggingface"])["info"]["features"]
        return {
            name: dict(enumerate(map(str, feature["names"])))
            for name, feature in features.items()
            if name in names and isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
        }
    return {}
