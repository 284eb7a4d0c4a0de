"""Rewrites with a sequence-to-sequence model of the transformers library, fine-tuned on pairs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from wikibias.errors import UsageError
from wikibias.kits.checked import Meta
from wikibias.models.estimators.registry import check_values
from wikibias.research.lexicons import Lexicon
from wikibias.research.neural.calibration import missing
from wikibias.research.neutralising.rewriters import Pair, Rewriter

_MOST = 256  # word pieces
_AT_ONCE = 16
_PATIENCE = 3  # passes without a lower loss on what is held out
_HELD_OUT = 10  # every tenth group says when to stop


class Seq2Seq(Rewriter):
    """Writes each sentence anew, piece by piece, by beam search.

    A sentence of more pieces than the model takes is left as it is.
    """

    name = "seq2seq"

    def __init__(
        self,
        *,
        seed: int = 0,
        lang: str | None = None,
        lexicons: Sequence[Lexicon] = (),
        checkpoint: str | None = None,
        epochs: Annotated[int, Meta(ge=1, le=1000)] = 5,
        rate: Annotated[float, Meta(ge=1e-8, le=1.0)] = 5e-5,
        beams: Annotated[int, Meta(ge=1, le=64)] = 4,
    ) -> None:
        """Make one of a model that the user has: a folder, or `package:NAME`.

        Raises:
            UsageError: a number is out of its range.
        """
        numbers = {"epochs": epochs, "rate": rate, "beams": beams}
        check_values(self.name, Seq2Seq.__init__, numbers)
        self.seed, self.lang = seed, lang
        self.parameters: dict[str, Any] = numbers
        self._checkpoint = checkpoint
        self._model: Any = None
        self._tokenizer: Any = None
        self._trained: dict[str, Any] = {}

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        return missing()

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Fine-tune on pairs; the same pairs and seed give the same model on a CPU.

        Raises:
            UsageError: no model to begin with.
            WikibiasError: it cannot be read, or training diverges.
        """
        from wikibias.research.neural import sentence_network, training_loop

        if self._checkpoint is None:
            raise UsageError(
                "seq2seq begins with a model that you have: --set checkpoint=DIR, of the "
                "transformers library, such as T5 or BART"
            )
        self._tokenizer = sentence_network.load_tokenizer(self._checkpoint)
        self._model = sentence_network.load_model(self._checkpoint, "ForSeq2SeqLM", seed=self.seed)
        most = self._most()

        def batch(some: Sequence[Pair]) -> Mapping[str, Any]:
            sources, targets = ([getattr(pair, side) for pair in some] for side in _SIDES)
            return sentence_network.text_pieces(self._tokenizer, sources, targets, most)

        dev = [pair for pair in pairs if pair.fold(self.seed, _HELD_OUT) == 0]
        train = [pair for pair in pairs if pair.fold(self.seed, _HELD_OUT)]
        schedule = training_loop.Schedule.of({**self.parameters, "patience": _PATIENCE}, self.seed)
        done = training_loop.train(self._model, train or dev, batch, schedule, dev if train else ())
        self._trained = {
            "checkpoint": Path(self._checkpoint).name,
            "device": done.device,
            "precision": done.precision,
            "losses": [round(loss, 4) for loss in done.losses],
            "dev_losses": [round(loss, 4) for loss in done.dev_losses],
        }
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text as the model writes it."""
        from wikibias.research.neural import sentence_network

        most = self._most()
        made = list(texts)
        sizes = [len(self._tokenizer(text)["input_ids"]) for text in texts]
        # Those of one length together: padding costs time.
        order = sorted((at for at in range(len(texts)) if sizes[at] <= most), key=sizes.__getitem__)
        for start in range(0, len(order), _AT_ONCE):
            places = order[start : start + _AT_ONCE]
            found = sentence_network.rewritten(
                self._model,
                self._tokenizer,
                [texts[at] for at in places],
                most=min(most, 2 * sizes[places[-1]] + 8),
                beams=self.parameters["beams"],
            )
            for at, text in zip(places, found, strict=True):
                made[at] = text.strip() or texts[at]
        return made

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the model and its tokeniser as transformers does, the weights as safetensors."""
        from wikibias.research.neural import sentence_network

        sentence_network.save_model(self._model, self._tokenizer, folder)
        return {"lang": self.lang, "training": self._trained}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote."""
        from wikibias.research.neural import sentence_network

        model = cls(seed=int(described["seed"]), lang=described["lang"], **described["parameters"])
        model._tokenizer = sentence_network.load_tokenizer(folder)
        model._model = sentence_network.load_model(folder, "ForSeq2SeqLM")
        return model

    def _most(self) -> int:
        from wikibias.research.neural import sentence_network

        return sentence_network.longest(self._model, self._tokenizer, _MOST)


_SIDES = ("source", "target")
