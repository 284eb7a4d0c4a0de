"""Copies Parquet files with other types: classes as numbers or as categories.

With `storage.parquet` it alone knows pyarrow: whole columns are copied, and no row ever becomes an
object of Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikibias.storage.parquet import DamagedTableError, damage

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
        schema = pa.schema(
            [_field(field, found.get(field.name), numbered) for field in file.schema_arrow],
            metadata=metadata,
        )
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
    known = pa.array(names, pa.string())
    numbers = pc.index_in(column, value_set=known)
    if numbers.null_count != column.null_count:
        raise DamagedTableError(source, f"a value of {name} is none of {', '.join(names)}")
    if numbered:
        return numbers.cast(pa.int64())
    return pa.DictionaryArray.from_arrays(numbers.cast(pa.int8()), known)
