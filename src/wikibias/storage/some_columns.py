"""Reads some columns of anybody's Parquet file, with the names of its classes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wikibias.errors import WikibiasError

_AT_ONCE = 1000  # rows


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of a Parquet file.

    Raises:
        WikibiasError: the file cannot be read.
    """
    with _telling(path), pq.ParquetFile(path) as file:
        return [str(name) for name in file.schema_arrow.names]


def read_some_columns(
    path: Path, wanted: Iterable[str], one_of: Iterable[str] = ()
) -> dict[str, list[Any]]:
    """Return those of the wanted columns that a Parquet file has, and the first of `one_of`.

    A number that stands for a class comes back as the name that the Hugging Face libraries have
    noted for it in the file.

    Raises:
        WikibiasError: the file cannot be read.
    """
    with _telling(path), pq.ParquetFile(path) as file:
        known = _known(file.schema_arrow.names, wanted, one_of)
        table = file.read(columns=known)
        found = {name: table.column(name).to_pylist() for name in known}
    for name, classes in _class_names(table.schema.metadata or {}).items():
        if name in found:
            number: dict[Any, Any] = dict(enumerate(classes))
            found[name] = [number.get(cell, cell) for cell in found[name]]
    return found


def some_rows(path: Path, wanted: Iterable[str], one_of: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as `read_some_columns` has them, few in memory at a time.

    Raises:
        WikibiasError: the file cannot be read.
    """
    with _telling(path), pq.ParquetFile(path) as file:
        known = _known(file.schema_arrow.names, wanted, one_of)
        classes = _class_names(file.schema_arrow.metadata or {})
        numbers = {name: dict(enumerate(found)) for name, found in classes.items()}
        for batch in file.iter_batches(_AT_ONCE, columns=known):
            for row in batch.to_pylist():
                yield {
                    name: numbers[name].get(cell, cell) if name in numbers else cell
                    for name, cell in row.items()
                }


def _known(names: Sequence[str], wanted: Iterable[str], one_of: Iterable[str]) -> list[str]:
    """Return those of the wanted columns that there are, and the first of `one_of`."""
    first = [name for name in one_of if name in names][:1]
    return [name for name in dict.fromkeys([*first, *wanted]) if name in names]


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, OverflowError, KeyError, pa.ArrowException) as error:
        raise WikibiasError(
            f"{path}: not a Parquet file that can be read ({error!s:.200})"
        ) from error


def _class_names(metadata: Mapping[bytes, bytes]) -> dict[str, list[str]]:
    """Return the names of the classes of each column that `datasets` notes as a ClassLabel."""
    with suppress(ValueError, RecursionError, KeyError, TypeError, AttributeError):
        features = json.loads(metadata[b"huggingface"])["info"]["features"]
        return {
            name: [str(each) for each in feature["names"]]
            for name, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
        }
    return {}
