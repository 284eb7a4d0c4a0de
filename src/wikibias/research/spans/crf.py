"""A conditional random field over the words of a sentence (python-crfsuite)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pycrfsuite import Tagger as Loaded
from pycrfsuite import Trainer

from wikibias.errors import WikibiasError
from wikibias.kits.files import write_bytes
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans.change_rates import ChangeRates
from wikibias.research.spans.features import features
from wikibias.research.spans.labels import NAMES
from wikibias.research.spans.sentences import Tagged

_FILE = "model.crfsuite"
_MAGIC = b"lCRF"
_ROUNDS = 80
_PRIOR = 2.0


class Crf:
    """Linear-chain CRF, trained by L-BFGS with an L1 and an L2 penalty."""

    name = "crf"
    settings: ClassVar[Sequence[Mapping[str, Any]]] = [
        {"l1": l1, "l2": l2} for l1 in (0.05, 0.2) for l2 in (0.5, 2.0)
    ]

    def __init__(
        self,
        *,
        seed: int = 0,
        lexicons: Sequence[Lexicon] = (),
        l1: float = 0.05,
        l2: float = 0.2,
    ) -> None:
        self.seed = seed  # nothing is drawn: the penalty alone decides
        self.parameters: dict[str, Any] = {"l1": l1, "l2": l2}
        self._lexicons = tuple(lexicons)
        self._lower = False
        self._counted = ChangeRates()
        self._model = Loaded()
        self._labels = frozenset[str]()
        self._bytes = b""

    @classmethod
    def missing(cls) -> str | None:
        """Return None: the library is one that wikibias requires."""
        return None

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn from sentences; dev is not looked at."""
        trainer = Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params(
            {
                "c1": self.parameters["l1"],
                "c2": self.parameters["l2"],
                "max_iterations": _ROUNDS,
            }
        )
        self._lower = all(word == word.lower() for each in train for word in each.words)
        self._counted = ChangeRates.of(train)
        for sentence in train:
            # Its own change would tell too much of a word.
            rates = self._counted.rates_elsewhere(sentence, _PRIOR)
            trainer.append(self._features(sentence.words, rates), sentence.labels)
        with TemporaryDirectory() as folder:
            path = Path(folder) / _FILE
            trainer.train(str(path))
            self._open(path.read_bytes())
        return self

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the marginal probabilities of B and I of each word; see `Tagger`."""
        found = []
        for words in sentences:
            table = np.zeros((len(words), 2))
            if words:
                self._model.set(self._features(words, self._counted.rates(words, _PRIOR)))
            for column, label in enumerate(NAMES[:2]):
                if label in self._labels:
                    for place in range(len(words)):
                        table[place, column] = self._model.marginal(label, place)
            found.append(table)
        return found

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the model in the format of CRFsuite, and how often words were changed."""
        write_bytes(folder / _FILE, self._bytes)
        self._counted.save(folder)
        return {
            "lexicons": {each.name: list(each) for each in self._lexicons},
            "lower": self._lower,
        }

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read the model, once `registry.load` has compared its checksum with the description's.

        CRFsuite trusts the file: one that somebody forged with care can crash the process.

        Raises:
            WikibiasError: it is no model of CRFsuite.
        """
        lexicons = [Lexicon.of(name, words) for name, words in described["lexicons"].items()]
        model = cls(seed=described["seed"], lexicons=lexicons, **described["parameters"])
        content = (folder / _FILE).read_bytes()
        if not content.startswith(_MAGIC) or len(content) != int.from_bytes(content[4:8], "little"):
            raise WikibiasError(f"{folder / _FILE}: not a model of CRFsuite; train it again")
        model._lower = bool(described["lower"])
        model._counted = ChangeRates.load(folder)
        model._open(content)
        return model

    def _features(self, words: Sequence[str], rates: Sequence[float]) -> list[list[str]]:
        """Return features; without case where all that was learnt from is in small letters."""
        seen = [word.lower() for word in words] if self._lower else words
        return features(seen, rates, self._lexicons)

    def _open(self, content: bytes) -> None:
        self._bytes = content
        self._model = Loaded()
        self._model.open_inmemory(content)
        self._labels = frozenset(self._model.labels())
