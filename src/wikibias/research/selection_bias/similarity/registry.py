"""Measures of how alike two words are, by name; see `Similarity` to add one.

Other packages add theirs as entry points `wikibias.similarities`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wikibias.kits.plugins import Registry

Matrix = NDArray[np.float64]


class Similarity(Protocol):
    """How alike words are."""

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return how alike each word is to each keyword, words by keywords.

        From -1 to 1; not a number where it is not defined, as where a word has no vector. What is
        the same word is for `metrics.with_identity` to say.
        """

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector, or what else it takes."""

    @property
    def about(self) -> Mapping[str, Any]:
        """What it is, for people and for a record: `name`, `title`, and what tells it apart."""


@runtime_checkable
class Trained(Protocol):
    """A measure that was trained on a text, and takes words, too, that the text has not."""

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word or phrase whether the text has all of it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a measure is made for; each takes what it needs.

    Attributes:
        words: all words that may be asked about: of a file of vectors no others are kept.
        vectors: a file of word vectors, or the name of a package that holds some.
        texts: gives the normal forms of the sentences to train on, each time anew.
        corpora: the names of the corpora that the texts are of, where they are those measured.
        encoder: the folder or package of a sentence encoder.
        wordnet: the folder of WordNet's files; the system's, where none is given.
        seed: of what is trained.
    """

    words: Collection[str] = ()
    vectors: str = ""
    texts: Callable[[], Iterable[str]] | None = None
    corpora: Sequence[str] = ()
    encoder: str = ""
    wordnet: Path | None = None
    seed: int = 0


SIMILARITIES: Registry[Callable[[Wanted], Similarity]] = Registry(
    "similarity",
    "wikibias.similarities",
    {
        "fasttext": "wikibias.research.selection_bias.similarity.own:trained",
        "vectors": "wikibias.research.selection_bias.similarity.vectors:read",
        "wordnet": "wikibias.research.selection_bias.similarity.wordnet:wu_palmer",
        "encoder": "wikibias.research.selection_bias.similarity.encoder:encoded",
    },
)
