"""Models that an installed Python package holds: `package:NAME`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

PACKAGE = "package:"
"""What stands before the name of a Python package that holds a model."""


def package_folders(name: str) -> list[Path] | None:
    """Return the folders of a package, whose name may be as pip writes it; None if not installed.

    Args:
        name: of the package, with or without `PACKAGE` before it.
    """
    try:
        spec = find_spec(name.removeprefix(PACKAGE).replace("-", "_"))
    except (ImportError, ValueError):
        return None
    return None if spec is None else [Path(each) for each in spec.submodule_search_locations or ()]
