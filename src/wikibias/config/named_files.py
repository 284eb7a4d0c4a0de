"""Files of one kind that are found by name: `configs/FOLDER/NAME.toml`, a user's own or shipped."""

from __future__ import annotations

import re
from pathlib import Path

from wikibias.config.resources import find, names

ENDING = ".toml"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def is_name(text: str) -> bool:
    """Return whether a text is a name: small letters, digits and single hyphens."""
    return _NAME.fullmatch(text) is not None


def known(folder: str) -> list[str]:
    """Return the names that have a file, sorted."""
    found = names("configs", f"{folder}/*{ENDING}")
    return sorted(name.rpartition("/")[2] for name in found)


def file_of(folder: str, name: str) -> Path | None:
    """Return the file of a name, or the path that a name with its ending is; None for no name."""
    if name.endswith(ENDING):
        return Path(name)
    return find("configs", f"{folder}/{name}{ENDING}") if is_name(name) else None
