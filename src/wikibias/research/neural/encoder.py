"""The estimator `encoder`: sentences by an encoder of transformers, frozen or fine-tuned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from wikibias.errors import UsageError
from wikibias.kits.checked import Meta
from wikibias.research.neural import calibration
from wikibias.research.neural.calibration import NeuralEstimator, Numbers, Sentences, Truths

if TYPE_CHECKING:
    from wikibias.research.neural.sentence_network import SentenceNetwork

_FOLDS = 5


def targets(labels: Truths, judged: Truths) -> tuple[Truths, Truths]:
    """Return labels and what is judged with "any label" as a first column.

    Whether a sentence has any is known if it has one, or is judged by all. The others are learnt
    from sentences that have any.
    """
    held = labels & judged
    some = held.any(axis=1, keepdims=True)
    known = some | judged.all(axis=1, keepdims=True)
    return np.hstack([some, held]), np.hstack([known, judged & some])


def joined(probabilities: Numbers) -> Numbers:
    """Return the probability of each label, of those that `targets` made: any, times this one."""
    return np.asarray(probabilities[:, :1] * probabilities[:, 1:])


def without_doubtful(
    texts: Sequence[str], labels: Truths, judged: calibration.Counts, share: float, seed: int = 0
) -> calibration.Counts:
    """Return what is still judged without the least likely labels: sentences by labels.

    Each label is judged in folds by logistic regression over words; a sentence is never judged by a
    model that learnt it. A label with fewer sentences of a class than folds keeps all.

    Args:
        texts: sentences to learn from.
        labels: which labels each has, sentences by labels.
        judged: of which that is known, likewise.
        share: of the sentences with a label that lose it.
        seed: of the folds.
    """
    kept = judged.copy()
    for column in range(labels.shape[1]):
        rows = np.flatnonzero(judged[:, column])
        truth = labels[rows, column]
        if min(truth.sum(), (~truth).sum()) < _FOLDS:
            continue
        model = make_pipeline(
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
            LogisticRegression(C=10.0, max_iter=1000),
        )
        folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
        some = [texts[row] for row in rows.tolist()]
        likely = cross_val_predict(model, some, truth, cv=folds, method="predict_proba")[:, 1]
        held = np.flatnonzero(truth)
        order = held[np.argsort(likely[held], kind="stable")]
        kept[rows[order[: int(share * len(held))]], column] = False
    return kept


def fitted(
    rows: Numbers, truth: Truths, c: float | Numbers, start: Numbers | None = None
) -> Numbers:
    """Return the weights of the columns and, last, the bias.

    Minimises `c` times the summed log loss plus half the squared distance of the weights to those
    at the start: of a first training on noisy labels, or zero.

    Args:
        rows: examples by columns, of mean 0 and deviation 1.
        truth: the label of each.
        c: how much the examples count, all or each.
        start: weights and bias to begin at; zeros by default.
    """
    begin = np.zeros(rows.shape[1] + 1) if start is None else start
    signs = np.where(truth, 1.0, -1.0)

    def loss(weights: Numbers) -> tuple[float, Any]:
        margins = signs * (rows @ weights[:-1] + weights[-1])
        moved = weights[:-1] - begin[:-1]
        pull = -c * signs * expit(-margins)
        gradient = np.append(rows.T @ pull + moved, pull.sum())
        return float((c * np.logaddexp(0.0, -margins)).sum() + moved @ moved / 2), gradient

    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    return np.asarray(found.x, dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The parameters; `c` is that of the logistic regression of a frozen encoder.

    `accumulate` is how many batches are learnt in one step, where memory holds no larger one.
    """

    base: str = ""
    frozen: bool = False
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 5
    batch: Annotated[int, Meta(ge=1, le=4096)] = 16
    accumulate: Annotated[int, Meta(ge=1, le=4096)] = 1
    rate: Annotated[float, Meta(ge=1e-8, le=1.0)] = 5e-5
    patience: Annotated[int, Meta(ge=1, le=1000)] = 2
    held_out: Annotated[float, Meta(ge=0.0, le=0.5)] = 0.1
    c: Annotated[float, Meta(ge=1e-9, le=1e9)] = 0.003
    hierarchical: bool = False
    drop: Annotated[float, Meta(ge=0.0, le=0.9)] = 0.0


class Encoder(NeuralEstimator):
    """An encoder with a linear layer over the mean of its word pieces, for one label or several.

    Frozen, only that layer learns, by logistic regression; fine-tuned, all of it, with early
    stopping. A tenth of train is held out (`held_out`): it says when to stop, and by how much to
    temper the probabilities; of none, all passes are made and nothing is tempered. Several labels
    are learnt at once, each from the sentences that are judged by it.
    """

    name = "encoder"
    declared = Settings
    needs = ("base",)
    """Parameters without which it cannot be trained; `--compare` leaves it out without them."""

    def __init__(self, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> None:
        super().__init__(stopwords=stopwords, seed=seed, **parameters)
        self._first: Sentences | None = None

    def begin_with(self, texts: Sequence[str], labels: Truths, judged: Truths) -> Self:
        """Learn these sentences first, whose labels are noisy; see `registry.TwoStageLearner`."""
        self._first = Sentences(texts, labels, judged)
        return self

    def fit_weighted(self, texts: Sequence[str], biased: Truths, weights: Numbers) -> Self:
        """Learn from sentences, whether each is biased, and how much each counts.

        Raises:
            UsageError: no encoder is named, or there is no such encoder or device.
            WikibiasError: the encoder cannot be read, or training diverges.
        """
        if self.settings.hierarchical:
            raise UsageError("encoder: hierarchical is for several labels, of --task labels")
        return super().fit_weighted(texts, biased, weights)

    def _learn(self, given: Sentences, names: Sequence[str]) -> None:
        first, second, dropped = self._first, given, 0
        if self.settings.drop:
            noisy = second if first is None else first
            kept = without_doubtful(*noisy, self.settings.drop, self.seed)
            sure = Sentences(noisy.texts, noisy.labels, kept).rows(np.asarray(kept.any(axis=1)))
            dropped = int((noisy.judged > 0).sum() - (sure.judged > 0).sum())
            first, second = (None, sure) if first is None else (sure, second)
        stages = [self._targets(each) for each in (first, second) if each is not None]
        out = calibration.held_out(second.labels, second.judged, self.settings.held_out, self.seed)
        dev, stages[-1] = stages[-1].rows(out), stages[-1].rows(~out)
        learn = self._freeze if self.settings.frozen else self._tune
        learnt, logits = learn(stages, dev)
        self.trained = {**learnt, **self._temper(logits, dev, names)}
        if self.settings.drop:
            self.trained["dropped"] = dropped

    def predict_labels(self, texts: Sequence[str]) -> Numbers:
        """Return the probability of each label, sentences by labels."""
        found = super().predict_labels(texts)
        return joined(found) if self.settings.hierarchical else found

    def save(self, folder: Path) -> dict[str, Any]:
        """Write weights as safetensors, and the tokeniser."""
        from wikibias.research.neural import sentence_network

        sentence_network.save_network(self.network, folder)
        return self._facts()

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read weights and tokeniser; no code of a model runs."""
        from wikibias.research.neural import sentence_network, training_loop

        model = cls._described(described)
        count, device = len(model._temperatures), training_loop.device_of("auto")
        model._network = sentence_network.load_network(folder, count, device)
        # Its layer is learnt, and embeddings are not kept.
        model.settings = replace(model.settings, frozen=False)
        return model

    def _targets(self, given: Sentences) -> Sentences:
        if not self.settings.hierarchical:
            return given
        return Sentences(given.texts, *targets(given.labels, given.judged > 0))

    def _new_network(self, count: int) -> SentenceNetwork:
        """Return an untrained network."""
        from wikibias.research.neural import sentence_network, training_loop

        if not self.settings.base:
            raise UsageError(
                "encoder: say which one with --set base=: a folder, or the name of an installed "
                "Python package"
            )
        device = training_loop.device_of(self.run.device)
        network = sentence_network.make(self.settings.base, count, device, self.seed)
        self._network = network
        return network

    def _tune(self, stages: Sequence[Sentences], dev: Sentences) -> tuple[dict[str, Any], Numbers]:
        """Fine-tune in one stage or two; return how it went, and the logits of dev."""
        from wikibias.research.neural import sentence_network, training_loop

        network = self._new_network(dev.labels.shape[1])
        examples = [
            [sentence_network.Example(*each) for each in zip(*part, strict=True)]
            for part in (*stages, dev)
        ]
        schedule = training_loop.Schedule.of(asdict(self.settings), self.seed)
        told: dict[str, Any] = {}
        for name, stage in zip(("first", "main")[-len(stages) :], examples, strict=False):
            went = training_loop.train(
                network,
                stage,
                network.batch,
                schedule,
                examples[-1],
                run=self.run.part(name),
                length=lambda each: len(each.text),
            )
            told = {**asdict(went), **({"first": told} if told else {})}
        return told, network.logits(dev.texts)

    def _freeze(
        self, stages: Sequence[Sentences], dev: Sentences
    ) -> tuple[dict[str, Any], Numbers]:
        """Learn the linear layer; return how it went, and the logits of dev.

        The layer that says what they are has not learnt dev; the one that is kept has.
        """
        from wikibias.research.neural.training_loop import device_name, precision

        network = self._new_network(dev.labels.shape[1])
        device = network.encoder.device
        self.run.say(f"reads sentences on {device_name(device)} in {precision(device)}")
        read = [self._embedded(network, each.texts) for each in (*stages, dev)]
        together = np.concatenate(read)
        mean, deviation = together.mean(axis=0), together.std(axis=0) + 1e-6
        rows = [(each - mean) / deviation for each in read]
        weights = self._layer(stages, rows)
        logits = rows[-1] @ weights[:, :-1].T + weights[:, -1]
        labels, judged = map(np.concatenate, zip(stages[-1][1:], dev[1:], strict=True))
        last = Sentences([], labels, judged)
        weights = self._layer([*stages[:-1], last], [*rows[:-2], np.concatenate(rows[-2:])])
        scaled = weights[:, :-1] / deviation
        network.set_head(scaled, weights[:, -1] - scaled @ mean)
        return {"device": device_name(device), "precision": precision(device)}, logits

    def _layer(self, stages: Sequence[Sentences], rows: Sequence[Numbers]) -> Numbers:
        """Return weights and bias of each output, learnt from one stage after the other."""
        found = []
        for number in range(stages[0].labels.shape[1]):
            weights: Numbers | None = None
            for stage, read in zip(stages, rows, strict=False):
                counts = stage.judged[:, number]
                known = counts > 0
                c = self.settings.c * counts[known]
                weights = fitted(read[known], stage.labels[known, number], c, weights)
            found.append(weights)
        return np.array(found)

    def _logits(self, texts: Sequence[str]) -> Numbers:
        network: SentenceNetwork = self.network
        if not self.settings.frozen:
            return network.logits(texts)
        head = {name: each.cpu().numpy() for name, each in network.head.state_dict().items()}
        return np.asarray(self._embedded(network, texts) @ head["weight"].T + head["bias"])

    def _embedded(self, network: SentenceNetwork, texts: Sequence[str]) -> Numbers:
        from wikibias.research.neural.sentence_network import embedded

        return embedded(network, self.settings.base, texts).astype(np.float64)
