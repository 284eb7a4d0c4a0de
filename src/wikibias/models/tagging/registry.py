"""Finds taggers by name; creates, saves and loads them. Imports no heavy library."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from wikibias.config.registry import Registry
from wikibias.errors import UsageError, WikibiasError
from wikibias.storage.atomic import read_json, whole_folder, write_json
from wikibias.storage.folders import is_file_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wikibias.models.lexicons import Lexicon
    from wikibias.models.tagging.sentences import Tagged

DESCRIPTION = "tagger.json"
_FORMATS = "wikibias-tagger/"
FORMAT = f"{_FORMATS}1"
LARGEST = 2_000_000_000
"""Bytes of a file of a tagger; a larger one is not read."""


class Tagger(Protocol):
    """Says of each word how likely a span of biased words begins or goes on there.

    Its class is called with `seed`, `lexicons` and the parameters, all by name.
    """

    name: str
    seed: int
    parameters: dict[str, Any]
    settings: ClassVar[Sequence[Mapping[str, Any]]]
    """Parameters to try, of which the best on dev are kept; one without any for none."""

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        ...

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn from sentences; those of dev only say when to stop."""
        ...

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return, for each sentence, an array (words, 2): probability of a begin, and of going on.

        Their sum is how likely the word is biased.
        """
        ...

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the tagger; return what else `load` needs, as JSON."""
        ...

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote, given its description."""
        ...


OWN: Mapping[str, str] = {
    "crf": "wikibias.models.tagging.crf:Crf",
    "encoder": "wikibias.models.tagging.encoder:Encoder",
    "frequent": "wikibias.models.tagging.yardsticks:Frequent",
    "lexicon": "wikibias.models.tagging.yardsticks:InLexicon",
    "longest": "wikibias.models.tagging.yardsticks:Longest",
}
"""The taggers of this package; the last three are yardsticks."""
TAGGERS: Registry[type[Tagger]] = Registry("tagger", "wikibias.taggers", OWN)


def installed(name: str) -> type[Tagger]:
    """Return the tagger of a name.

    Raises:
        UsageError: nobody has registered the name, or a library that it needs is missing.
    """
    tagger = TAGGERS[name]
    if missing := tagger.missing():
        raise UsageError(missing)
    return tagger


def create(
    name: str, *, seed: int = 0, lexicons: Sequence[Lexicon] = (), **parameters: Any
) -> Tagger:
    """Return an untrained tagger.

    Raises:
        UsageError: no such tagger, it has no such parameter, or a library is missing.
    """
    tagger = installed(name)
    try:
        inspect.signature(tagger).bind(seed=seed, lexicons=(), **parameters)
    except TypeError as error:
        raise UsageError(f"tagger {name!r}: {error}") from error
    return tagger(seed=seed, lexicons=lexicons, **parameters)  # type: ignore[call-arg]


def save(tagger: Tagger, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write a tagger, and its description with the checksums of its files and further `facts`.

    Raises:
        DiskError: the folder cannot be written.
    """
    with whole_folder(folder) as temporary:
        more = tagger.save(temporary)
        files = {
            path.name: {"bytes": path.stat().st_size, "sha256": _digest(path)}
            for path in sorted(temporary.iterdir())
        }
        described = {
            "format": FORMAT,
            "tagger": tagger.name,
            "seed": tagger.seed,
            "parameters": dict(tagger.parameters),
            **more,
            **facts,
            "files": files,
        }
        write_json(temporary / DESCRIPTION, described)


def describe(folder: Path) -> dict[str, Any]:
    """Read a tagger's description.

    Raises:
        WikibiasError: the folder holds no tagger, one of another version, or a damaged one.
    """
    path = folder / DESCRIPTION
    try:
        described = read_json(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise WikibiasError(
            f"{folder}: no {DESCRIPTION} in it; give the folder that `wikibias spans train` made"
        ) from error
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise WikibiasError(f"{path}: damaged ({error})") from error
    if not isinstance(described, dict) or described.get("format") != FORMAT:
        raise WikibiasError(f"{path}: not the description of a tagger of this version ({FORMAT})")
    return described


def is_tagger(folder: Path) -> bool:
    """Return whether a folder holds a tagger, of any version, or what is left of one."""
    try:
        described = read_json(folder / DESCRIPTION)
    except OSError:
        return False
    except ValueError:
        return True
    found = described.get("format") if isinstance(described, dict) else None
    return isinstance(found, str) and found.startswith(_FORMATS)


def load(folder: Path) -> tuple[Tagger, dict[str, Any]]:
    """Read a tagger that `save` wrote, and its description, once its files are as they were.

    Raises:
        UsageError: a library that it needs is missing.
        WikibiasError: a file is not the one whose checksum the description has; the package that
            adds the tagger is missing; or see `describe`.
    """
    described = describe(folder)
    path = folder / DESCRIPTION
    try:
        _verify(folder, described["files"])
        name = str(described["tagger"])
        if name not in TAGGERS:
            raise WikibiasError(
                f"{path}: nothing installed adds a tagger {name!r}; install the package that does"
            )
        return installed(name).load(folder, described), described
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise WikibiasError(f"{path}: damaged ({type(error).__name__}: {error})") from error


def _verify(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise WikibiasError unless each file has the size and the checksum of the description."""
    for name, facts in files.items():
        path = folder / name
        if not is_file_name(name) or path.is_symlink() or not path.is_file():
            raise WikibiasError(f"{folder}: no file {name[:80]!r} of the tagger; train it again")
        if facts["bytes"] > LARGEST:
            raise WikibiasError(f"{path}: larger than {LARGEST / 1e9:.0f} GB; it is not read")
        if path.stat().st_size != facts["bytes"] or _digest(path) != facts["sha256"]:
            raise WikibiasError(
                f"{path}: not the file that {DESCRIPTION} has the checksum of; train it again"
            )


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
