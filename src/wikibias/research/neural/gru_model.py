"""The estimator `gru`: a bidirectional GRU with attention over words; needs the extra `neural`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.research.neural.calibration import NeuralEstimator, held_out
from wikibias.research.neural.words import words

if TYPE_CHECKING:
    from wikibias.research.neural.gru_network import Trained

_HELD_OUT = 0.1  # of train: says when to stop, and by how much to temper probabilities
_LEAST_HELD_OUT = 20
# Passes over data of which nothing is held out, as long as most runs last that are stopped.
_UNWATCHED = 6


def _settings(
    *,
    vectors: str = "",
    dim: int = 64,
    hidden: int = 64,
    buckets: int = 20_000,
    min_count: int = 2,
    dropout: float = 0.3,
    word_dropout: float = 0.1,
    epochs: int = 30,
    batch: int = 32,
    rate: float = 2e-3,
    patience: int = 3,
) -> dict[str, Any]:
    """Return all parameters; `vectors` is a file, whose width stands in place of `dim`."""
    return locals()


_LIMITS: Mapping[str, tuple[float, float]] = {
    "dim": (1, 4096),
    "hidden": (1, 4096),
    "buckets": (0, 10_000_000),
    "min_count": (1, 10**9),
    "dropout": (0.0, 0.9),
    "word_dropout": (0.0, 0.9),
    "epochs": (1, 1000),
    "batch": (1, 4096),
    "rate": (1e-8, 1.0),
    "patience": (1, 1000),
}


class Gru(NeuralEstimator):
    """A bidirectional GRU whose states attention adds up; see `neural.gru_network`.

    A tenth of train is held out: it says when to stop, and by how much to temper the probabilities.
    Several labels are learnt at once, each from the sentences that are judged by it.
    """

    name = "gru"
    settings = staticmethod(_settings)
    limits = _LIMITS

    def __init__(self, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> None:
        super().__init__(stopwords=stopwords, seed=seed, **parameters)
        if not isinstance(parameters.get("vectors", ""), str):
            raise UsageError("gru: vectors must be the name of a file")
        self._network: Trained | None = None

    def _learn(
        self,
        texts: Sequence[str],
        labels: NDArray[np.bool_],
        judged: NDArray[np.bool_],
        names: Sequence[str],
    ) -> None:
        from wikibias.research.neural import gru_network

        sentences = [
            gru_network.Sentence(words(text), *truth)
            for text, *truth in zip(texts, labels.tolist(), judged.tolist(), strict=True)
        ]
        out = held_out(labels, judged, _HELD_OUT, self.seed)
        settings = _settings(**self.parameters)
        if out.sum() < _LEAST_HELD_OUT:
            self.run.say("too few sentences to hold some out: stops after a number of passes")
            out[:] = False
            settings["epochs"] = min(settings["epochs"], _UNWATCHED)
        train, dev = (
            [one for one, is_out in zip(sentences, out, strict=True) if is_out == part]
            for part in (False, True)
        )
        self._network, went = gru_network.Trained.fit(train, dev, settings, self.seed, self.run)
        logits = self._network.logits([one.words for one in dev])
        self.trained = {**went, **self._temper(logits, labels[out], judged[out], names)}

    def _logits(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return self._there().logits([words(text) for text in texts])

    def save(self, folder: Path) -> dict[str, Any]:
        """Write weights as safetensors, and words as JSON."""
        self._there().save(folder)
        return self._facts()

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read weights and words; word vectors need not be there any more."""
        from wikibias.research.neural import gru_network

        model = cls._described(described)
        model._network = gru_network.Trained.load(folder)
        return model

    def _there(self) -> Trained:
        if self._network is None:
            raise UsageError("gru: not trained yet")
        return self._network
