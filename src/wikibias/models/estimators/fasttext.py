"""The fastText classifier."""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.kits.checked import Meta
from wikibias.models.estimators.registry import Trainable, check_values


def library() -> Any:
    """Return the package, which takes a tenth of a second to load."""
    import fasttext

    return fasttext


def one_line(text: str) -> str:
    """Return a sentence as a line to learn from.

    fastText takes `__label__` in a sentence for another label, and a line break for its end.
    """
    return " ".join(text.split()).replace("__label__", "label")


def learnt_words(path: Path, seed: int, settings: Mapping[str, Any]) -> Any:
    """Return fastText's model of the words of a text, learnt without labels.

    One thread and the same seed give the same bytes.

    Args:
        path: a sentence a line.
        seed: of what the numbers begin with, and of what is drawn.
        settings: by fastText's names.

    Raises:
        WikibiasError: fastText cannot learn from the text.
    """
    package = library()
    # `train_unsupervised` takes no seed, but reads it with the other defaults.
    defaults = package.FastText.unsupervised_default
    before = defaults["seed"]
    defaults["seed"] = seed
    try:
        with errors_named("cannot learn from this text"):
            return package.train_unsupervised(str(path), thread=1, verbose=0, **settings)
    finally:
        defaults["seed"] = before


@contextlib.contextmanager
def errors_named(what: str) -> Iterator[None]:
    """Keep the C++ code off the terminal, and say of its errors what it could not do.

    Args:
        what: as "cannot learn from these sentences".

    Raises:
        WikibiasError: it failed.
    """
    saved = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device, not a path
            os.dup2(nowhere.fileno(), 2)
        yield
    except (ValueError, RuntimeError, MemoryError) as error:
        raise WikibiasError(f"fastText {what}: {error}") from error
    finally:
        os.dup2(saved, 2)
        os.close(saved)


FILE = "model.bin"
_FASTTEXT_NAMES = {"rate": "lr", "ngrams": "wordNgrams", "min_count": "minCount"}
_LABELS = {True: "__label__biased", False: "__label__neutral"}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The parameters; the paper kept fastText's defaults but for the minimum count.

    fastText checks nothing, and a wrong value ends the process.
    """

    epoch: Annotated[int, Meta(ge=1, le=100_000)] = 5
    rate: Annotated[float, Meta(ge=0.0, le=1000.0)] = 0.1
    ngrams: Annotated[int, Meta(ge=1, le=100)] = 1
    min_count: Annotated[int, Meta(ge=0, le=1_000_000)] = 5
    dim: Annotated[int, Meta(ge=1, le=10_000)] = 100
    loss: Literal["softmax", "ns", "hs", "ova"] = "softmax"

    def by_fasttext_names(self) -> dict[str, Any]:
        """Return the parameters under fastText's names."""
        return {_FASTTEXT_NAMES.get(name, name): value for name, value in asdict(self).items()}


class FastText(Trainable):
    """fastText's supervised classifier (section 6.1), without pretrained vectors or stop words.

    One thread and a seed make two runs bit-identical; the package's default of many threads
    does not.
    """

    name = "fasttext"

    def __init__(self, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> None:
        check_values(self.name, Settings, parameters)
        self.seed, self.parameters = seed, parameters
        self._model: Any = None

    def fit(self, texts: Sequence[str], biased: NDArray[np.bool_]) -> Self:
        """Learn from sentences and whether each is biased.

        Raises:
            WikibiasError: fastText cannot learn from these sentences.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "train.txt"
            with path.open("w", encoding="utf-8", newline="\n") as lines:
                for text, label in zip(texts, biased, strict=True):
                    lines.write(f"{_LABELS[bool(label)]} {one_line(text)}\n")
            with errors_named("cannot learn from these sentences"):
                settings = Settings(**self.parameters).by_fasttext_names()
                self._model = library().train_supervised(
                    str(path), thread=1, seed=self.seed, verbose=0, **settings
                )
        return self

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased."""
        if not len(texts):
            return np.zeros(0)
        labels, scores = self._model.predict([one_line(text) for text in texts], k=2)
        probabilities = [
            dict(zip(names, values, strict=True)).get(_LABELS[True], 0.0)
            for names, values in zip(labels, scores, strict=True)
        ]
        # fastText's softmax reaches 1.00001.
        return np.clip(np.array(probabilities, dtype=np.float64), 0.0, 1.0)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write fastText's own format."""
        self._model.save_model(str(folder / FILE))
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read fastText's own format, whose damage the checksum shows: fastText may crash of it."""
        model = cls(seed=int(described["seed"]), **described["parameters"])
        with errors_named(f"cannot read {folder / FILE}"):
            model._model = library().load_model(str(folder / FILE))
        return model
