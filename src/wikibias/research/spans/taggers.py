"""Taggers of biased words: their registry, and what each of them can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from wikibias.kits.folders import ResultFolder
from wikibias.models.trained import Trainable, TrainedModels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wikibias.research.spans.labels import Tagged


class Tagger(Trainable, Protocol):
    """Gives each word the probability that a span of biased words begins or goes on there.

    Its class is called with `seed`, `lexicons` (a sequence of `Lexicon`) and the parameters.
    """

    settings: ClassVar[Sequence[Mapping[str, Any]]]
    """Parameters to try, of which the best on dev are kept; one without any for none."""

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn from sentences; those of dev only say when to stop."""
        ...

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return, for each sentence, an array (words, 2): probability of a begin, and of going on.

        Their sum is how likely the word is biased.
        """
        ...


TAGGERS: TrainedModels[Tagger] = TrainedModels(
    ResultFolder("tagger", 1, "wikibias spans train", 2_000_000_000),
    "wikibias.taggers",
    {
        "crf": "wikibias.research.spans.crf:Crf",
        "encoder": "wikibias.research.spans.encoder:Encoder",
        "frequent": "wikibias.research.spans.baselines:Frequent",
        "lexicon": "wikibias.research.spans.baselines:InLexicon",
        "longest": "wikibias.research.spans.baselines:Longest",
    },
)
"""The taggers of this package; the last three are baselines."""
