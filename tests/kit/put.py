"""Files with what a test wants in them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wikibias.kits.tables import write_rows


def put(path: Path, content: str | bytes) -> Path:
    """Write a text or bytes; return the path."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def put_rows(path: Path, *rows: Mapping[str, Any]) -> Path:
    """Write a table in the form that the name says; return the path."""
    write_rows(path, rows)
    return path
