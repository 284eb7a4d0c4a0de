"""Finds rewriters by name; creates, saves and loads them. Imports no heavy library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, Self

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.folders import DAMAGED, ResultFolder
from wikibias.kits.plugins import Registry, check_arguments

FOLDER = ResultFolder("rewriter", 1, "wikibias neutralise train", 4_000_000_000)
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


_HERE = "wikibias.research.neutralising"
OWN: Mapping[str, str] = {
    "copy": f"{_HERE}.rewriters:Copy",
    "edit-table": f"{_HERE}.edit_table:EditTable",
    "seq2seq": f"{_HERE}.seq2seq:Seq2Seq",
}
"""The rewriters of this package; `copy` is what any other must beat."""
REWRITERS: Registry[type[Rewriter]] = Registry("rewriter", "wikibias.rewriters", OWN)


class Copy:
    """The baseline that leaves every sentence as it is."""

    name = "copy"

    def __init__(
        self, *, seed: int = 0, lang: str | None = None, lexicons: Lexicons | None = None
    ) -> None:
        self.seed, self.lang, self.parameters = seed, lang, dict[str, Any]()

    @classmethod
    def missing(cls) -> str | None:
        """Return that nothing is missing."""
        return None

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn nothing."""
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return the texts."""
        return list(texts)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write nothing."""
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read nothing."""
        return cls(seed=int(described["seed"]), lang=described["lang"])


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
    check_arguments(f"rewriter {name!r}", rewriter, {"seed", "lang", "lexicons", *parameters})
    return rewriter(seed=seed, lang=lang, lexicons=lexicons or {}, **parameters)  # type: ignore[call-arg]


def save(rewriter: Rewriter, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write a rewriter, and its description with the checksums of its files and further `facts`.

    Raises:
        DiskError: the folder cannot be written.
    """

    def write(temporary: Path) -> dict[str, Any]:
        more = rewriter.save(temporary)
        return {
            "rewriter": rewriter.name,
            "seed": rewriter.seed,
            "lang": rewriter.lang,
            "parameters": dict(rewriter.parameters),
            **more,
        }

    FOLDER.save(folder, write, facts)


def load(folder: Path) -> Rewriter:
    """Read a rewriter that `save` wrote, once its files are as they were.

    Raises:
        UsageError: a library that it needs is missing.
        WikibiasError: a file is not the one whose checksum the description has; the package that
            adds the rewriter is missing; or see `FolderKind.describe`.
    """
    described = FOLDER.describe(folder)
    path = folder / FOLDER.description
    try:
        FOLDER.verify(folder, described["files"])
        name = str(described["rewriter"])
        if name not in REWRITERS:
            raise WikibiasError(
                f"{path}: nothing installed adds a rewriter {name!r}; install the package that does"
            )
        return installed(name).load(folder, described)
    except DAMAGED as error:
        raise WikibiasError(f"{path}: damaged ({type(error).__name__}: {error})") from error


def in_fold(pair: Pair, seed: int, folds: int) -> int:
    """Return the fold of a pair, from 0: that of its page or revision, else of its source."""
    name = f"{seed}\t{pair.group if pair.group is not None else pair.source}"
    digest = sha256(name.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % folds
