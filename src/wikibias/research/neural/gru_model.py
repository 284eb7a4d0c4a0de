"""The estimator `gru`: a bidirectional GRU with attention over words; needs the extra `neural`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from wikibias.edits.word_diff import Span, tokens
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators.label_models import need_both
from wikibias.models.estimators.registry import HERE, Run, check_parameters, check_values
from wikibias.research.neural import calibration
from wikibias.research.neural.calibration import held_out, temperatures

if TYPE_CHECKING:
    from wikibias.edits.word_diff import Span
    from wikibias.research.neural.gru_network import Trained

_HELD_OUT = 0.1  # of train: says when to stop, and by how much to temper probabilities
_LEAST_HELD_OUT = 20
# Passes over data of which nothing is held out, as long as most runs last that are stopped.
_UNWATCHED = 6
_ONE = "biased"


class Gru:
    """A bidirectional GRU whose states attention adds up; see `neural.gru_network`.

    A tenth of train is held out: it says when to stop, and by how much to temper the probabilities.
    Takes no stop words: the order of all words counts. Several labels are learnt at once, each from
    the sentences that are judged by it.
    """

    name = "gru"

    def __init__(self, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> None:
        del stopwords
        check_parameters(self.name, _settings, parameters)
        check_values(self.name, parameters, _LIMITS, {})
        if not isinstance(parameters.get("vectors", ""), str):
            raise UsageError("gru: vectors must be the name of a file")
        self.seed, self.parameters = seed, parameters
        self.run: Run = HERE
        self.trained: Mapping[str, Any] = {}
        self._network: Trained | None = None
        self._temperatures: list[float] = []

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where torch is installed."""
        return calibration.missing()

    def fit(self, texts: Sequence[str], biased: NDArray[np.bool_]) -> Self:
        """Learn from sentences and whether each is biased.

        Raises:
            UsageError: there is no such device.
            WikibiasError: the word vectors cannot be read, or training diverges.
        """
        labels = np.asarray(biased, dtype=bool).reshape(-1, 1)
        return self.fit_labels(texts, labels, np.ones_like(labels), [_ONE])

    def fit_labels(
        self,
        texts: Sequence[str],
        labels: NDArray[np.bool_],
        judged: NDArray[np.bool_],
        names: Sequence[str],
    ) -> Self:
        """Learn several labels of sentences; raises as `fit` does."""
        from wikibias.research.neural import gru_network

        for column, name in enumerate(names):
            need_both(name, labels[judged[:, column], column])
        sentences = [
            gru_network.sentence(text, labels[i].tolist(), judged[i].tolist())
            for i, text in enumerate(texts)
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
        found = temperatures(logits, labels[out], judged[out], names, self.run.say)
        self._temperatures = [1.0 if each is None else each for each in found]
        self.trained = {**went, "held_out": len(dev), "temperatures": found}
        return self

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 is the decision."""
        return np.asarray(self.predict_labels(texts)[:, 0])

    def predict_labels(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability of each label, sentences by labels."""
        logits = self._there().logits([words(text) for text in texts])
        return np.asarray(expit(logits / self._temperatures))

    def attention(self, texts: Sequence[str]) -> list[list[tuple[Span, float]]]:
        """Return where the words of each sentence stand, and their shares of the attention."""
        shares = self._there().attention([words(text) for text in texts])
        return [
            list(zip(spans(text), mine, strict=True))
            for text, mine in zip(texts, shares, strict=True)
        ]

    def save(self, folder: Path) -> dict[str, Any]:
        """Write weights as safetensors, and words as JSON."""
        self._there().save(folder)
        return {"temperatures": self._temperatures, "training": dict(self.trained)}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read weights and words; word vectors need not be there any more.

        Raises:
            WikibiasError: a file is missing or damaged.
        """
        from wikibias.research.neural import gru_network

        model = cls(seed=int(described["seed"]), **described["parameters"])
        model.trained = dict(described["training"])
        model._temperatures = [float(each) for each in described["temperatures"]]
        model._network = gru_network.Trained.load(folder)
        if model._network.labels != len(model._temperatures):
            raise WikibiasError(f"{folder}: damaged; train it again with `wikibias classify`")
        return model

    def _there(self) -> Trained:
        if self._network is None:
            raise UsageError("gru: not trained yet")
        return self._network


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


LONGEST = 300
"""Words of a sentence that are read; what follows is not."""
_SHORTEST_GRAM, _LONGEST_GRAM = 3, 5
_LETTERS = 40  # of a word whose n-grams count; a longer one is an address or a prank


class Words(NamedTuple):
    """The distinct words of some sentences as numbers, and where each stands.

    Attributes:
        known: of each distinct word its row among the given vectors, 0 for none.
        learnt: likewise among the vectors learnt.
        grams: its character n-grams, those of one word behind another's.
        starts: where in `grams` those of each word begin.
        places: for each sentence its words, as numbers of distinct ones.
    """

    known: list[int]
    learnt: list[int]
    grams: list[int]
    starts: list[int]
    places: list[list[int]]


@dataclass(frozen=True)
class Vocabulary:
    """The words with a vector of their own.

    Attributes:
        given: words with a vector from a file, in the order of the rows, from 1.
        learnt: words of the training data, likewise.
        buckets: how many vectors character n-grams share; 0 for none.
    """

    given: Sequence[str]
    learnt: Sequence[str]
    buckets: int

    @cached_property
    def _rows(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        given, learnt = (
            {word: row for row, word in enumerate(words, 1)} for words in (self.given, self.learnt)
        )
        return given, learnt

    def numbered(self, sentences: Sequence[Sequence[str]]) -> Words:
        """Return sentences of words as numbers; an empty one as one unknown word."""
        distinct: dict[str, int] = {}
        places = [
            [distinct.setdefault(word, len(distinct)) for word in sentence or [""]]
            for sentence in sentences
        ]
        given, learnt = self._rows
        grams: list[int] = []
        starts = []
        for word in distinct:
            starts.append(len(grams))
            grams += character_ngrams(word, self.buckets) if self.buckets else ()
        return Words(
            [given.get(word, 0) for word in distinct],
            [learnt.get(word, 0) for word in distinct],
            grams,
            starts,
            places,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return what `of_dict` takes, as JSON."""
        return {"given": list(self.given), "learnt": list(self.learnt), "buckets": self.buckets}

    @classmethod
    def of_dict(cls, found: Mapping[str, Any]) -> Vocabulary:
        """Return the vocabulary that `as_dict` described.

        Raises:
            ValueError, KeyError, TypeError: it described none.
        """
        given, learnt, buckets = found["given"], found["learnt"], found["buckets"]
        if not all(isinstance(word, str) for word in (*given, *learnt)) or type(buckets) is not int:
            raise ValueError("no vocabulary")
        return cls(list(given), list(learnt), buckets)


def spans(text: str) -> list[Span]:
    """Return where the words and marks of a text stand, in characters; the first `LONGEST`.

    In a script without spaces each letter is a word.
    """
    return tokens(text)[:LONGEST]


def words(text: str) -> list[str]:
    """Return the words and marks of a text in the form that the vocabulary has them."""
    return [text[start:end].lower() for start, end in spans(text)]


def frequent(sentences: Iterable[Sequence[str]], least: int) -> list[str]:
    """Return the words that occur at least `least` times, the commonest first."""
    counts = Counter(word for sentence in sentences for word in sentence)
    found = [word for word, count in counts.items() if count >= least]
    return sorted(found, key=lambda word: (-counts[word], word))


def character_ngrams(word: str, buckets: int) -> list[int]:
    """Return the numbers of a word's n-grams of three to five characters, its ends marked.

    A number is a hash, so that two n-grams may share one; the same on each machine.
    """
    marked = f"<{word[:_LETTERS]}>"
    found = [
        marked[at : at + long]
        for long in range(_SHORTEST_GRAM, _LONGEST_GRAM + 1)
        for at in range(len(marked) - long + 1)
    ]
    return [crc32(gram.encode("utf-8", "surrogatepass")) % buckets for gram in found or [marked]]
