"""Rewriters: their registry, what each of them can do, and the baseline `copy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from wikibias.kits.folders import ResultFolder
from wikibias.models.trained import Trainable, TrainedModels

if TYPE_CHECKING:
    from wikibias.research.lexicons import Lexicon


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence, what an editor made of it, and what it must share a fold with, if that is known.

    Both sides are the same where the editor left it alone.
    """

    source: str
    target: str
    group: str | None = None

    def fold(self, seed: int, folds: int) -> int:
        """Return its fold, from 0, by a hash: that of its page or revision, else of its source."""
        name = f"{seed}\t{self.group if self.group is not None else self.source}"
        digest = sha256(name.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % folds


class Rewriter(Trainable, Protocol):
    """Rewrites sentences.

    Its class is called with `seed`, `lang` (a code, or None where it is not known), `lexicons` (a
    sequence of `Lexicon`) and the parameters, all by name.
    """

    lang: str | None

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn from pairs; what is to be chosen is chosen on a part of them."""
        ...

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text as it should be; one that needs no change as it is."""
        ...

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the rewriter; return what else `load` needs, as JSON."""
        return {"lang": self.lang}


class Copy(Rewriter):
    """The baseline that leaves every sentence as it is."""

    name = "copy"

    def __init__(
        self, *, seed: int = 0, lang: str | None = None, lexicons: Sequence[Lexicon] = ()
    ) -> None:
        self.seed, self.lang, self.parameters = seed, lang, dict[str, Any]()

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn nothing."""
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return the texts."""
        return list(texts)

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read nothing."""
        return cls(seed=int(described["seed"]), lang=described["lang"])


REWRITERS: TrainedModels[Rewriter] = TrainedModels(
    ResultFolder("rewriter", 1, "wikibias neutralise train", 4_000_000_000),
    "wikibias.rewriters",
    {
        "copy": "wikibias.research.neutralising.rewriters:Copy",
        "edit-table": "wikibias.research.neutralising.edit_table:EditTable",
        "seq2seq": "wikibias.research.neutralising.seq2seq:Seq2Seq",
    },
)
"""The rewriters of this package; `copy` is what any other must beat."""
