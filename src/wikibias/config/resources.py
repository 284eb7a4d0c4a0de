"""Where languages and tag sets are found: a user's own first, then those shipped with wikibias.

The only module that knows platformdirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal

from wikibias.errors import UsageError

Kind = Literal["configs", "tagsets"]
_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parents[1]
_config_dir: ContextVar[Path | None] = ContextVar("config_dir", default=None)


@contextmanager
def config_dir(path: Path | None) -> Iterator[None]:
    """Look for languages and tag sets in `path` first, while this lasts.

    Raises:
        UsageError: `path` holds neither `configs` nor `tagsets`.
    """
    if path is not None and not any((path / kind).is_dir() for kind in ("configs", "tagsets")):
        raise UsageError(f"{path} holds neither a folder configs nor a folder tagsets")
    before = _config_dir.set(path)
    try:
        yield
    finally:
        _config_dir.reset(before)


def folder(kind: Kind) -> Path:
    """Return the folder shipped with wikibias: inside the package, else at the checkout's root.

    Raises:
        UsageError: the installation lacks it.
    """
    for root in (_PACKAGE, _CHECKOUT):
        if (root / kind).is_dir():
            return root / kind
    raise UsageError(f"this installation of wikibias lacks its {kind}/ folder; install it again")


def own_folders(kind: Kind) -> list[Path]:
    """Return where a user's own files may be: `config_dir`, here, the user's configuration."""
    from platformdirs import user_config_path  # noqa: PLC0415 (most commands need no files)

    given = _config_dir.get()
    roots = [*([given] if given else []), Path(), user_config_path("wikibias")]
    return [root / kind for root in roots]


def find(kind: Kind, name: str) -> Path | None:
    """Return the first file of that name, such as "npov/fr.toml": a user's own, or the shipped."""
    found = (place / name for place in (*own_folders(kind), folder(kind)))
    return next((path for path in found if path.is_file()), None)


def own_file(kind: Kind, name: str) -> Path:
    """Return where a user's own file of that name is, or where a new one belongs."""
    own = [place / name for place in own_folders(kind)]
    return next((path for path in own if path.is_file()), own[0])


def names(kind: Kind, pattern: str) -> set[str]:
    """Return the names, such as "npov/fr", of the files that fit a pattern such as "*/*.toml"."""
    places = (*own_folders(kind), folder(kind))
    found = ((path, place) for place in places for path in place.glob(pattern))
    return {path.relative_to(place).with_suffix("").as_posix() for path, place in found}
