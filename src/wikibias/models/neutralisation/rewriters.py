"""Finds rewriters by name; creates, saves and loads them. Imports no heavy library."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, Self

from wikibias.config.registry import Registry
from wikibias.errors import UsageError, WikibiasError
from wikibias.storage.atomic import read_json, whole_folder, write_json
from wikibias.storage.folders import is_file_name

DESCRIPTION = "rewriter.json"
_FORMATS = "wikibias-rewriter/"
FORMAT = f"{_FORMATS}1"
LARGEST = 4_000_000_000
"""Bytes of a file of a rewriter; a larger one is not read."""
Lexicons = Mapping[str, Set[str]]
"""Lists of lower-cased words, by name."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence, what an editor made of it, and what it must share a fold with, if that is known.

    Both sides are the same where the editor left it alone.
    """

    source: str
    target: str
    group: str | None = None


class Rewriter(Protocol):
    """Rewrites sentences.

    Its class is called with `seed`, `lang` (a code, or None where it is not known), `lexicons` and
    the parameters, all by name.
    """

    name: str
    seed: int
    lang: str | None
    parameters: dict[str, Any]

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        ...

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn from pairs; what is to be chosen is chosen on a part of them."""
        ...

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text as it should be; one that needs no change as it is."""
        ...

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the rewriter; return what else `load` needs, as JSON."""
        ...

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote, given its description."""
        ...


_HERE = "wikibias.models.neutralisation"
OWN: Mapping[str, str] = {
    "copy": f"{_HERE}.baselines:Copy",
    "delete-top": f"{_HERE}.baselines:DeleteTop",
    "delete-tagged": f"{_HERE}.tagged_deletion:DeleteTagged",
    "lexicon-delete": f"{_HERE}.baselines:LexiconDelete",
    "edit-table": f"{_HERE}.edit_table:EditTable",
    "seq2seq": f"{_HERE}.seq2seq:Seq2Seq",
}
"""The rewriters of this package; the first four are what any other must beat."""
REWRITERS: Registry[type[Rewriter]] = Registry("rewriter", "wikibias.rewriters", OWN)


def installed(name: str) -> type[Rewriter]:
    """Return the rewriter of a name.

    Raises:
        UsageError: nobody has registered the name, or a library that it needs is missing.
    """
    rewriter = REWRITERS[name]
    if missing := rewriter.missing():
        raise UsageError(missing)
    return rewriter


def create(
    name: str,
    *,
    seed: int = 0,
    lang: str | None = None,
    lexicons: Lexicons | None = None,
    **parameters: Any,
) -> Rewriter:
    """Return an untrained rewriter.

    Raises:
        UsageError: no such rewriter, it has no such parameter, or a library is missing.
    """
    rewriter = installed(name)
    try:
        inspect.signature(rewriter).bind(seed=seed, lang=lang, lexicons={}, **parameters)
    except TypeError as error:
        raise UsageError(f"rewriter {name!r}: {error}") from error
    return rewriter(seed=seed, lang=lang, lexicons=lexicons or {}, **parameters)  # type: ignore[call-arg]


def save(rewriter: Rewriter, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write a rewriter, and its description with the checksums of its files and further `facts`.

    Raises:
        DiskError: the folder cannot be written.
    """
    with whole_folder(folder) as temporary:
        more = rewriter.save(temporary)
        files = {
            path.name: {"bytes": path.stat().st_size, "sha256": _digest(path)}
            for path in sorted(temporary.iterdir())
        }
        described = {
            "format": FORMAT,
            "rewriter": rewriter.name,
            "seed": rewriter.seed,
            "lang": rewriter.lang,
            "parameters": dict(rewriter.parameters),
            **more,
            **facts,
            "files": files,
        }
        write_json(temporary / DESCRIPTION, described)


def describe(folder: Path) -> dict[str, Any]:
    """Read a rewriter's description.

    Raises:
        WikibiasError: the folder holds no rewriter, one of another version, or a damaged one.
    """
    path = folder / DESCRIPTION
    try:
        described = read_json(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise WikibiasError(
            f"{folder}: no {DESCRIPTION} in it; give the folder that `wikibias neutralise train` "
            "made"
        ) from error
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise WikibiasError(f"{path}: damaged ({error})") from error
    if not isinstance(described, dict) or described.get("format") != FORMAT:
        raise WikibiasError(f"{path}: not the description of a rewriter of this version ({FORMAT})")
    return described


def is_rewriter(folder: Path) -> bool:
    """Return whether a folder holds a rewriter, of any version, or what is left of one."""
    try:
        described = read_json(folder / DESCRIPTION)
    except OSError:
        return False
    except ValueError:
        return True
    found = described.get("format") if isinstance(described, dict) else None
    return isinstance(found, str) and found.startswith(_FORMATS)


def load(folder: Path) -> Rewriter:
    """Read a rewriter that `save` wrote, once its files are as they were.

    Raises:
        UsageError: a library that it needs is missing.
        WikibiasError: a file is not the one whose checksum the description has; the package that
            adds the rewriter is missing; or see `describe`.
    """
    described = describe(folder)
    path = folder / DESCRIPTION
    try:
        _verify(folder, described["files"])
        name = str(described["rewriter"])
        if name not in REWRITERS:
            raise WikibiasError(
                f"{path}: nothing installed adds a rewriter {name!r}; install the package that does"
            )
        return installed(name).load(folder, described)
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise WikibiasError(f"{path}: damaged ({type(error).__name__}: {error})") from error


def _verify(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise WikibiasError unless each file has the size and the checksum of the description."""
    for name, facts in files.items():
        path = folder / name
        if not is_file_name(name) or path.is_symlink() or not path.is_file():
            raise WikibiasError(f"{folder}: no file {name[:80]!r} of the rewriter; train it again")
        if facts["bytes"] > LARGEST:
            raise WikibiasError(f"{path}: larger than {LARGEST / 1e9:.0f} GB; it is not read")
        if path.stat().st_size != facts["bytes"] or _digest(path) != facts["sha256"]:
            raise WikibiasError(f"{path}: damaged; train the rewriter again")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        hashed = sha256()
        while block := file.read(1 << 20):
            hashed.update(block)
    return hashed.hexdigest()
