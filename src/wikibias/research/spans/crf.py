"""A conditional random field over the words of a sentence (python-crfsuite)."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import write_bytes
from wikibias.kits.plugins import how_to_install
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans.labels import NAMES, Tagged
from wikibias.research.spans.taggers import ChangeRates, Tagger

try:
    from pycrfsuite import Tagger as Loaded
    from pycrfsuite import Trainer
except ImportError as error:
    raise UsageError(
        f"the tagger crf needs python-crfsuite; run: {how_to_install('pairs')}"
    ) from error

_AFFIX = range(2, 6)
_GRAMS = (3, 4)
_LONGEST = 24  # letters of a word that are cut into n-grams; longer ones are addresses
_PLACES = 5
_RATES = (0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5)


def features(
    words: Sequence[str], rates: Sequence[float], lexicons: Sequence[Lexicon] = ()
) -> list[list[str]]:
    """Return the features of each word of a sentence.

    Args:
        words: of the sentence.
        rates: how often editors changed each word; see `ChangeRates`.
        lexicons: lists of words and phrases.
    """
    lower = [word.lower() for word in words]
    own = [list(_own(word, low)) for word, low in zip(words, lower, strict=True)]
    shapes = [_shape(word) for word in words]
    listed = {lexicon.name: lexicon.marks(words) for lexicon in lexicons}
    found = []
    highest = max(rates, default=0.0)
    for place in range(len(words)):
        before = lower[place - 1] if place else "<"
        after = lower[place + 1] if place + 1 < len(words) else ">"
        far = lower[place - 2] if place > 1 else "<<"
        next_but_one = lower[place + 2] if place + 2 < len(words) else ">>"
        found.append(
            [
                *own[place],
                f"-1={before}",
                f"+1={after}",
                f"-2={far}",
                f"+2={next_but_one}",
                f"-1|0={before}|{lower[place]}",
                f"0|+1={lower[place]}|{after}",
                f"-1s={before[-3:]}",
                f"+1s={after[-3:]}",
                f"shapes={shapes[place - 1] if place else ''}|{shapes[place]}",
                f"place={place * _PLACES // len(words)}",
                *_steps(rates[place], highest),
                *(f"in={name}" for name, marks in listed.items() if marks[place]),
            ]
        )
    return found


def _steps(rate: float, highest: float) -> Iterator[str]:
    """Yield each step that the rate of a word reaches, and whether it is the highest of them."""
    yield from (f"rate>={step}" for step in _RATES if rate >= step)
    if rate and rate == highest:
        yield "rate=highest"


def _own(word: str, lower: str) -> Iterator[str]:
    yield "all"
    yield f"0={lower}"
    yield f"shape={_shape(word)}"
    yield f"length={min(len(word), 15) // 2}"
    for size in _AFFIX:
        if len(lower) > size:
            yield f"pre={lower[:size]}"
            yield f"suf={lower[-size:]}"
    if len(lower) <= _LONGEST:
        whole = f"^{lower}$"
        for size in _GRAMS:
            yield from {f"gram={whole[at : at + size]}": 1 for at in range(len(whole) - size + 1)}


def _shape(word: str) -> str:
    """Return kinds of characters, each run once: Xx for a name, 9 for a number, - for a mark."""
    shape = ""
    for char in word[:_LONGEST]:
        kind = _kind(char)
        if not shape.endswith(kind):
            shape += kind
    return shape


def _kind(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] == "N":
        return "9"
    if category[0] in "LM":
        return "X" if category in ("Lu", "Lt") else "x"
    return "-"


_FILE = "model.crfsuite"
_MAGIC = b"lCRF"
_ROUNDS = 80
_PRIOR = 2.0


class Crf(Tagger):
    """Linear-chain CRF, trained by L-BFGS with an L1 and an L2 penalty."""

    name = "crf"
    settings: ClassVar[Sequence[Mapping[str, Any]]] = [
        {"l1": l1, "l2": l2} for l1 in (0.05, 0.2) for l2 in (0.5, 2.0)
    ]

    def __init__(
        self, *, seed: int = 0, lexicons: Sequence[Lexicon] = (), l1: float = 0.05, l2: float = 0.2
    ) -> None:
        self.seed = seed  # nothing is drawn: the penalty alone decides
        self.parameters: dict[str, Any] = {"l1": l1, "l2": l2}
        self._lexicons = tuple(lexicons)
        self._lower = False
        self._counted = ChangeRates()
        self._model = Loaded()
        self._labels = frozenset[str]()
        self._bytes = b""

    def fit(self, train: Sequence[Tagged], dev: Sequence[Tagged]) -> Self:
        """Learn from sentences; dev is not looked at."""
        trainer = Trainer(algorithm="lbfgs", verbose=False)
        penalties = {"c1": self.parameters["l1"], "c2": self.parameters["l2"]}
        trainer.set_params({**penalties, "max_iterations": _ROUNDS})
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
        """Read the model, once its checksum has been compared with the description's.

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
