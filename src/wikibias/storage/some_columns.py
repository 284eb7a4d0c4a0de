"""Reads some columns of anybody's Parquet file, with the names of its classes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wikibias.errors import WikibiasError


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
        names = file.schema_arrow.names
        first = [name for name in one_of if name in names][:1]
        known = [name for name in dict.fromkeys([*first, *wanted]) if name in names]
        table = file.read(columns=known)
        found = {name: table.column(name).to_pylist() for name in known}
    for name, classes in _class_names(table.schema.metadata or {}).items():
        if name in found:
            number: dict[Any, Any] = dict(enumerate(classes))
            found[name] = [number.get(cell, cell) for cell in found[name]]
    return found


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
