"""Labels of words by an encoder of the transformers library, fine-tuned."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.research.lexicons import Lexicon
from wikibias.research.neural import calibration
from wikibias.research.spans.labels import BEGIN, INSIDE, NAMES, OUTSIDE, Tagged
from wikibias.research.spans.taggers import Tagger

_WINDOW = 150  # words at once; a sentence that is longer goes in pieces
_BATCH = 32


class Encoder(Tagger):
    """Token classification: a linear layer over the first piece of each word.

    Training stops early by the loss on dev.
    """

    name = "encoder"
    settings: ClassVar[Sequence[Mapping[str, Any]]] = [{}]

    def __init__(
        self,
        *,
        seed: int = 0,
        lexicons: Sequence[Lexicon] = (),
        base: str = "",
        epochs: int = 5,
        rate: float = 1e-4,
    ) -> None:
        self.seed = seed
        self.parameters: dict[str, Any] = {"base": base, "epochs": epochs, "rate": rate}
        self._training: dict[str, Any] = {}
        self._model: Any = None
        self._pieces: Any = None

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where torch and transformers are installed."""
        return calibration.missing()

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn from sentences; keep the weights with the lowest loss on dev."""
        from wikibias.research.neural import sentence_network, training_loop

        if not self.parameters["base"]:
            raise UsageError(
                "encoder: say which one with --base, a folder or package:NAME of a Python package"
            )
        self._pieces = sentence_network.load_tokenizer(self.parameters["base"])
        self._model = sentence_network.load_model(
            self.parameters["base"], "ForTokenClassification", labels=NAMES, seed=self.seed
        )
        most = sentence_network.longest(self._model, self._pieces)

        def collate(some: Sequence[Tagged]) -> Mapping[str, Any]:
            pieces = sentence_network.word_pieces(self._pieces, [each.words for each in some], most)
            numbers = [[_NUMBERS[label[0]] for label in each.labels] for each in some]
            return {**pieces, "labels": sentence_network.word_labels(pieces, numbers)}

        schedule = training_loop.Schedule.of(self.parameters, self.seed)
        went = training_loop.train(self._model, _windows(train), collate, schedule, _windows(dev))
        self._training = asdict(went)
        return self

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the probabilities of B and I of each word; see `Tagger`.

        A word that is cut off, behind hundreds of pieces in a window, gets 0.
        """
        from wikibias.research.neural import sentence_network, training_loop

        found = [np.zeros((len(words), 2)) for words in sentences]
        windows = [
            (number, start, words[start : start + _WINDOW])
            for number, words in enumerate(sentences)
            for start in range(0, len(words), _WINDOW)
        ]
        # Those of about one length together, or most of a batch is padding.
        windows.sort(key=lambda window: len(window[2]))
        most = sentence_network.longest(self._model, self._pieces)

        def pieces_of(some: Sequence[tuple[int, int, Sequence[str]]]) -> Any:
            words = [window for *_, window in some]
            return sentence_network.word_pieces(self._pieces, words, most)

        for some, output in training_loop.outputs(self._model, windows, pieces_of, _BATCH):
            pieces = pieces_of(some)
            shares = output.logits.float().softmax(-1).cpu().numpy()
            for row, (number, start, _) in enumerate(some):
                for word, place in sentence_network.first_pieces(pieces, row).items():
                    found[number][start + word] = shares[row, place, :2]
        return found

    def save(self, folder: Path) -> dict[str, Any]:
        """Write weights as safetensors, and the tokeniser."""
        from wikibias.research.neural import sentence_network

        sentence_network.save_model(self._model, self._pieces, folder)
        return {"training": self._training}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read weights and tokeniser; no code of a model runs."""
        from wikibias.research.neural import sentence_network

        encoder = cls(seed=described["seed"], **described["parameters"])
        encoder._training = dict(described.get("training", {}))
        encoder._pieces = sentence_network.load_tokenizer(folder)
        encoder._model = sentence_network.load_model(folder, "ForTokenClassification", labels=NAMES)
        return encoder


_NUMBERS = {"B": NAMES.index(BEGIN), "I": NAMES.index(INSIDE), "O": NAMES.index(OUTSIDE)}


def _windows(sentences: Sequence[Tagged]) -> list[Tagged]:
    """Return sentences, those too long for an encoder cut."""
    return [
        Tagged(each.words[at : at + _WINDOW], each.labels[at : at + _WINDOW], each.group)
        for each in sentences
        for at in range(0, len(each.words), _WINDOW)
    ]
