"""The estimator `gru`: a bidirectional GRU with attention over words; needs the extra `neural`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.kits.checked import Meta
from wikibias.research.neural.calibration import NeuralEstimator, Sentences, held_out
from wikibias.research.neural.words import words

_HELD_OUT = 0.1  # of train: says when to stop, and by how much to temper probabilities
_LEAST_HELD_OUT = 20
# Passes over data of which nothing is held out, as long as most runs last that are stopped.
_UNWATCHED = 6


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The parameters; `vectors` is a file, whose width stands in place of `dim`."""

    vectors: str = ""
    dim: Annotated[int, Meta(ge=1, le=4096)] = 64
    hidden: Annotated[int, Meta(ge=1, le=4096)] = 64
    buckets: Annotated[int, Meta(ge=0, le=10_000_000)] = 20_000
    min_count: Annotated[int, Meta(ge=1, le=10**9)] = 2
    dropout: Annotated[float, Meta(ge=0.0, le=0.9)] = 0.3
    word_dropout: Annotated[float, Meta(ge=0.0, le=0.9)] = 0.1
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 30
    batch: Annotated[int, Meta(ge=1, le=4096)] = 32
    rate: Annotated[float, Meta(ge=1e-8, le=1.0)] = 2e-3
    patience: Annotated[int, Meta(ge=1, le=1000)] = 3


class Gru(NeuralEstimator):
    """A bidirectional GRU whose states attention adds up; see `neural.gru_network`.

    A tenth of train is held out: it says when to stop, and by how much to temper the probabilities.
    Several labels are learnt at once, each from the sentences that are judged by it.
    """

    name = "gru"
    declared = Settings

    def _learn(self, given: Sentences, names: Sequence[str]) -> None:
        from wikibias.research.neural import gru_network

        def sentences(part: Sentences) -> list[gru_network.Sentence]:
            rows = zip(part.texts, part.labels.tolist(), part.judged.tolist(), strict=True)
            return [gru_network.Sentence(words(text), *truth) for text, *truth in rows]

        out = held_out(given.labels, given.judged, _HELD_OUT, self.seed)
        settings = asdict(self.settings)
        if out.sum() < _LEAST_HELD_OUT:
            self.run.say("too few sentences to hold some out: stops after a number of passes")
            out[:] = False
            settings["epochs"] = min(settings["epochs"], _UNWATCHED)
        train, dev = given.rows(~out), given.rows(out)
        self._network, went = gru_network.Trained.fit(
            sentences(train), sentences(dev), settings, self.seed, self.run
        )
        self.trained = {**went, **self._temper(self._logits(dev.texts), dev, names)}

    def _logits(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.asarray(self.network.logits([words(text) for text in texts]))

    def save(self, folder: Path) -> dict[str, Any]:
        """Write weights as safetensors, and words as JSON."""
        self.network.save(folder)
        return self._facts()

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read weights and words; word vectors need not be there any more."""
        from wikibias.research.neural import gru_network

        model = cls._described(described)
        model._network = gru_network.Trained.load(folder)
        return model
