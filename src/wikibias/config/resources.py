"""Where languages and tag sets are found: a user's own first, then those shipped with wikibias.

The only module that knows platformdirs.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal, get_args

from wikibias.errors import UsageError, nearest

Kind = Literal["configs", "tagsets"]
# What a user has none of his own of.
Shipped = Literal["docs", "samples"]
_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parents[1]
_config_dir: ContextVar[Path | None] = ContextVar("config_dir", default=None)


@contextmanager
def config_dir(path: Path | None, *, new: bool = False) -> Iterator[None]:
    """Look for languages and tag sets in `path` first, while this lasts.

    Args:
        path: the folder.
        new: it need not be there yet.

    Raises:
        UsageError: `path` holds neither `configs` nor `tagsets`, or cannot be read.
    """
    if path is not None:
        for line in _refused(path):
            raise UsageError(f"{line}; make it readable, or give another --config-dir")
        if not new and not any((path / kind).is_dir() for kind in get_args(Kind)):
            raise UsageError(
                f"{path} holds neither a folder configs nor a folder tagsets; for tag sets of "
                f"your own make the folder {path / 'tagsets'}"
            )
    before = _config_dir.set(path)
    try:
        yield
    finally:
        _config_dir.reset(before)


def folder(kind: Kind | Shipped) -> Path:
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


def unreadable() -> list[str]:
    """Return a line for each folder of a user's own that is passed over, as it cannot be read."""
    *_, configured = (place.parent for place in own_folders("configs"))
    return [
        f"{line}, so nothing is taken from it; make it readable, or set XDG_CONFIG_HOME to another "
        "folder"
        for line in _refused(configured)
    ]


def _refused(root: Path) -> list[str]:
    """Return that a folder cannot be read, and why; nothing where it can, or is not there."""
    for place in (root, *(root / kind for kind in get_args(Kind))):
        try:
            os.scandir(place).close()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            return [f"{place} cannot be read ({error.strerror})"]
    return []


def is_shipped(kind: Kind, path: Path) -> bool:
    """Return whether `find` took a file from what is shipped with wikibias."""
    return path.is_relative_to(folder(kind))


def find(kind: Kind, name: str) -> Path | None:
    """Return the first file of that name, such as "npov/fr.toml": a user's own, or the shipped."""
    found = (place / name for place in (*own_folders(kind), folder(kind)))
    return next((path for path in found if _is_file(path)), None)


def own_file(kind: Kind, name: str) -> Path:
    """Return where a user's own file of that name is, or where a new one belongs."""
    own = [place / name for place in own_folders(kind)]
    return next((path for path in own if _is_file(path)), own[0])


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):  # also where it may not be looked at; see `unreadable`
        return False


def names(kind: Kind, pattern: str) -> set[str]:
    """Return the names, such as "npov/fr", of the files that fit a pattern such as "*/*.toml"."""
    places = (*own_folders(kind), folder(kind))
    found = ((path, place) for place in places for path in _matching(place, pattern))
    return {path.relative_to(place).with_suffix("").as_posix() for path, place in found}


def _matching(place: Path, pattern: str) -> list[Path]:
    try:
        return list(place.glob(pattern))
    except OSError:  # see `unreadable`
        return []


ENDING = ".toml"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def is_name(text: str) -> bool:
    """Return whether a text is a name: small letters, digits and single hyphens."""
    return _NAME.fullmatch(text) is not None


def known(folder: str) -> list[str]:
    """Return the names that have a file, sorted."""
    found = names("configs", f"{folder}/*{ENDING}")
    return sorted(name.rpartition("/")[2] for name in found)


def named_file(folder: str, name: str, fault: str, remedy: str) -> Path:
    """Return the file of a name, a user's own or the shipped, or the path that it is.

    Args:
        folder: inside of `configs`.
        name: the name, or a path with its ending.
        fault: what is said before a name that has no file, such as "unknown task".
        remedy: what is said behind the names that are known.

    Raises:
        UsageError: there is no such file.
    """
    if name.endswith(ENDING):
        return Path(name)
    path = find("configs", f"{folder}/{name}{ENDING}") if is_name(name) else None
    if path is None:
        raise UsageError(f"{fault} {name[:60]!r}{nearest(name, known(folder))}{remedy}")
    return path
