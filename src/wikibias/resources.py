"""Where the files shipped beside the code are: configs and tagsets, in a wheel or in a checkout."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError

_PACKAGE = Path(__file__).resolve().parent
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
