"""Finds taggers by name; creates, saves and loads them. Imports no heavy library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.folders import DAMAGED, ResultFolder
from wikibias.kits.plugins import Registry, check_arguments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wikibias.research.lexicons import Lexicon
    from wikibias.research.spans.labels import Tagged

FOLDER = ResultFolder("tagger", 1, "wikibias spans train", 2_000_000_000)


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
    "crf": "wikibias.research.spans.crf:Crf",
    "encoder": "wikibias.research.spans.encoder:Encoder",
    "frequent": "wikibias.research.spans.baselines:Frequent",
    "lexicon": "wikibias.research.spans.baselines:InLexicon",
    "longest": "wikibias.research.spans.baselines:Longest",
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
    check_arguments(f"tagger {name!r}", tagger, {"seed", "lexicons", *parameters})
    return tagger(seed=seed, lexicons=lexicons, **parameters)  # type: ignore[call-arg]


def save(tagger: Tagger, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write a tagger, and its description with the checksums of its files and further `facts`.

    Raises:
        DiskError: the folder cannot be written.
    """

    def write(temporary: Path) -> dict[str, Any]:
        known = {"tagger": tagger.name, "seed": tagger.seed, "parameters": dict(tagger.parameters)}
        return {**known, **tagger.save(temporary)}

    FOLDER.save(folder, write, facts)


def load(folder: Path) -> tuple[Tagger, dict[str, Any]]:
    """Read a tagger that `save` wrote, and its description, once its files are as they were.

    Raises:
        UsageError: a library that it needs is missing.
        WikibiasError: a file is not the one whose checksum the description has; the package that
            adds the tagger is missing; or see `FolderKind.describe`.
    """
    described = FOLDER.describe(folder)
    path = folder / FOLDER.description
    try:
        FOLDER.verify(folder, described["files"])
        name = str(described["tagger"])
        if name not in TAGGERS:
            raise WikibiasError(
                f"{path}: nothing installed adds a tagger {name!r}; install the package that does"
            )
        return installed(name).load(folder, described), described
    except DAMAGED as error:
        raise WikibiasError(f"{path}: damaged ({type(error).__name__}: {error})") from error
