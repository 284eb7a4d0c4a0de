"""Where the files shipped beside the code are: configs and tagsets, in a wheel or in a checkout."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from wikibias.errors import UsageError
from wikibias.messages import nearest

T = TypeVar("T")


def table_as(kind: type[T], table: dict[str, Any], path: Path) -> T:
    """Return a TOML table as a dataclass.

    Raises:
        UsageError: an unknown or a missing key.
    """
    known = {f.name for f in fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            raise UsageError(f"{path}: unknown key {key}{nearest(key, known)}")
    try:
        return kind(**{key: _frozen(value) for key, value in table.items()})
    except TypeError as error:
        raise UsageError(f"{path}: {error}") from error


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value


_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parents[1]


def folder(name: str) -> Path:
    """Return the folder `configs` or `tagsets`: inside the package, else at the checkout's root.

    Raises:
        UsageError: the installation lacks it.
    """
    for root in (_PACKAGE, _CHECKOUT):
        if (root / name).is_dir():
            return root / name
    raise UsageError(f"this installation of wikibias lacks its {name}/ folder; install it again")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        UsageError: the file is missing, unreadable or no TOML; the message names file and line.
    """
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}") from error


def read_text(path: Path) -> str:
    """Read a text file in UTF-8, with or without a byte order mark.

    Raises:
        UsageError: the file is missing or unreadable.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise UsageError(f"{path}: no such file") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not valid UTF-8 ({error}); save it as UTF-8") from error
