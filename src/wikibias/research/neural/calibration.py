"""The base of neural estimators, and temperature scaling of their logits (Guo et al. 2017)."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit

from wikibias.errors import UsageError
from wikibias.kits.plugins import how_to_install
from wikibias.models.estimators.label_models import need_both
from wikibias.models.estimators.registry import HERE, Run, check_values

Numbers = NDArray[np.float64]
Truths = NDArray[np.bool_]
Counts = NDArray[Any]
"""How much a label of a sentence counts; 0 where it is not known."""
_LARGEST = 20.0
FEWEST = 10
"""Sentences of each class, under which nothing is fitted."""


class Sentences(NamedTuple):
    """Sentences to learn from: which labels each has, and how much each label counts."""

    texts: Sequence[str]
    labels: Truths
    judged: Counts

    def rows(self, chosen: Truths) -> Self:
        """Return the chosen sentences."""
        texts = [text for text, is_one in zip(self.texts, chosen, strict=True) if is_one]
        return type(self)(texts, self.labels[chosen], self.judged[chosen])


def temperature(logits: Numbers, truth: Truths, counts: Counts | None = None) -> float | None:
    """Return the number by which to divide logits, so that held-out sentences are most likely.

    No decision changes by it: a logit keeps its sign.

    Args:
        logits: of sentences that the model has not learnt.
        truth: whether each has the label.
        counts: how much each counts; all the same by default.

    Returns:
        None where there are too few sentences of a class.
    """
    if min(truth.sum(), (~truth).sum()) < FEWEST:
        return None
    signed = np.where(truth, 1.0, -1.0) * logits

    def loss(log: float) -> float:
        return float(np.average(np.logaddexp(0.0, -signed / np.exp(log)), weights=counts))

    found = minimize_scalar(loss, bounds=(-np.log(_LARGEST), np.log(_LARGEST)), method="bounded")
    return float(np.exp(found.x))


def temperatures(
    logits: Numbers,
    labels: Truths,
    judged: Counts,
    names: Sequence[str],
    say: Callable[[str], None],
) -> list[float | None]:
    """Return the temperature of each output; None where too few held-out sentences tell it.

    Args:
        logits: of held-out sentences, sentences by outputs.
        labels: which labels each has, likewise.
        judged: of which that is known, likewise.
        names: of the last outputs, for what is said of those without a temperature.
        say: takes that.
    """
    known = (judged > 0).T
    found = [temperature(logits[k, n], labels[k, n], judged[k, n]) for n, k in enumerate(known)]
    for name, each in zip(names, found[-len(names) :], strict=True):
        if each is None:
            say(
                f"label {name}: probabilities are as the model gives them; under {FEWEST} "
                "held-out sentences of a class there is nothing to correct them by"
            )
    return found


def held_out(labels: Truths, judged: Counts, share: float, seed: int) -> Truths:
    """Choose a share of sentences, of each combination of labels alike; rounded down.

    Args:
        labels: which labels each has, sentences by labels.
        judged: of which that is known, likewise.
        share: of them.
        seed: of the choice.

    Returns:
        Whether each is chosen.
    """
    chosen = np.zeros(len(labels), dtype=bool)
    known = judged > 0
    combinations = np.hstack([labels & known, known])
    kind = np.unique(combinations, axis=0, return_inverse=True)[1].reshape(-1)
    order = np.random.default_rng(seed).permutation(len(labels))
    for number in range(int(kind.max()) + 1 if len(kind) else 0):
        rows = order[kind[order] == number]
        chosen[rows[: int(share * len(rows))]] = True
    return chosen


_LIBRARIES = ("torch", "transformers", "safetensors", "accelerate")


def missing() -> str | None:
    """Return what to install and how, or None where everything needed is installed."""
    absent = [name for name in _LIBRARIES if find_spec(name) is None]
    if not absent:
        return None
    install = how_to_install("neural")
    smaller = " (for torch without a GPU: wikibias docs install)" if "torch" in absent else ""
    return f"this needs {' and '.join(absent)}; run: {install}{smaller}"


class NeuralEstimator:
    """A neural classifier of one label or several, whose probabilities are tempered.

    A subclass has a dataclass of its parameters, with their bounds, learns in `_learn` and says in
    `_logits` what it makes of sentences.
    """

    name: ClassVar[str]
    declared: ClassVar[type[Any]]

    def __init__(self, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> None:
        del stopwords  # the order of all words counts
        check_values(self.name, self.declared, parameters)
        self.seed, self.parameters = seed, parameters
        self.settings: Any = self.declared(**parameters)
        self.run: Run = HERE
        self.trained: Mapping[str, Any] = {}
        self._network: Any = None
        self._temperatures: list[float] = []

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        return missing()

    def fit(self, texts: Sequence[str], biased: Truths) -> Self:
        """Learn from sentences and whether each is biased.

        Raises:
            UsageError: there is no such device, or no such model to begin with.
            WikibiasError: what is read cannot be read, or training diverges.
        """
        return self.fit_weighted(texts, biased, np.ones(len(texts)))

    def fit_weighted(self, texts: Sequence[str], biased: Truths, weights: Numbers) -> Self:
        """Learn of some sentences more than of others; raises as `fit` does."""
        labels = np.asarray(biased, dtype=bool).reshape(-1, 1)
        # At 1 on average: how strongly a frozen encoder is held back stays what it is.
        counts = weights.reshape(-1, 1) * len(weights) / max(weights.sum(), 1e-9)
        return self.fit_labels(texts, labels, counts, ["biased"])

    def fit_labels(
        self, texts: Sequence[str], labels: Truths, judged: Counts, names: Sequence[str]
    ) -> Self:
        """Learn several labels of sentences; raises as `fit` does."""
        for column, name in enumerate(names):
            need_both(name, labels[judged[:, column] > 0, column])
        self._learn(Sentences(texts, labels, judged), names)
        return self

    def predict_proba(self, texts: Sequence[str]) -> Numbers:
        """Return the probability that each sentence is biased; over 0.5 is the decision."""
        return np.asarray(self.predict_labels(texts)[:, 0])

    def predict_labels(self, texts: Sequence[str]) -> Numbers:
        """Return the probability of each label, sentences by labels."""
        return np.asarray(expit(self._logits(texts) / self._temperatures))

    def _learn(self, given: Sentences, names: Sequence[str]) -> None:
        raise NotImplementedError

    def _logits(self, texts: Sequence[str]) -> Numbers:
        raise NotImplementedError

    @property
    def network(self) -> Any:
        """The trained network.

        Raises:
            UsageError: there is none yet.
        """
        if self._network is None:
            raise UsageError(f"{self.name}: not trained yet")
        return self._network

    def _temper(self, logits: Numbers, dev: Sentences, names: Sequence[str]) -> dict[str, Any]:
        """Fit the temperatures to held-out sentences, if there are any; return how that went."""
        found: list[float | None] = [None] * dev.labels.shape[1]
        if dev.texts:
            found = temperatures(logits, dev.labels, dev.judged, names, self.run.say)
        self._temperatures = [1.0 if each is None else each for each in found]
        return {"held_out": len(dev.texts), "temperatures": found}

    def _facts(self) -> dict[str, Any]:
        """Return what a description says beside the parameters."""
        return {"temperatures": self._temperatures, "training": dict(self.trained)}

    @classmethod
    def _described(cls, described: Mapping[str, Any]) -> Self:
        """Return the estimator of a description, without its network."""
        model = cls(seed=int(described["seed"]), **described["parameters"])
        model.trained = dict(described["training"])
        model._temperatures = [float(each) for each in described["temperatures"]]
        return model
