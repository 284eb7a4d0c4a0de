"""Trains, saves and loads the networks of the estimator `gru`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import safetensors
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from wikibias.errors import WikibiasError
from wikibias.kits.files import disk_errors, read_json, write_json
from wikibias.models.word_vectors import read_vectors
from wikibias.research.neural import training_loop
from wikibias.research.neural.gru_network import Network
from wikibias.research.neural.runs import HERE, Run
from wikibias.research.neural.vocabulary import Vocabulary, frequent, words

WEIGHTS, WORDS = "model.safetensors", "vocabulary.json"
_AT_ONCE = 64
_DAMAGED = (ValueError, KeyError, TypeError, RuntimeError, safetensors.SafetensorError)
# Words of a vector file that are kept beside those of the training data: the commonest.
_MOST_GIVEN = 50_000


class Sentence(NamedTuple):
    """A sentence to learn or to judge: its words, which labels it has, and which are known."""

    words: Sequence[str]
    labels: Sequence[float] = ()
    judged: Sequence[float] = ()


class Trained:
    """A network with its vocabulary."""

    def __init__(self, network: Network, vocabulary: Vocabulary) -> None:
        self.network, self.vocabulary = network, vocabulary

    @classmethod
    def fit(
        cls,
        train: Sequence[Sentence],
        dev: Sequence[Sentence],
        settings: Mapping[str, Any],
        seed: int,
        run: Run = HERE,
    ) -> tuple[Self, dict[str, Any]]:
        """Train a network; return it and how the training went, as JSON.

        Raises:
            WikibiasError: the vectors cannot be read, or there is nothing to learn from.
        """
        known = [sentence.words for sentence in train]
        given, facts = None, dict[str, Any]()
        names: list[str] = []
        if settings["vectors"]:
            wanted = {word for sentence in known for word in sentence}
            found = read_vectors(Path(settings["vectors"]), wanted, _MOST_GIVEN)
            names = found.words
            covered = len(wanted.intersection(names))
            facts = {"words": len(wanted), "words_with_vector": covered}
            facts["vectors_sha256"] = found.sha256
            run.say(f"{covered:,} of {len(wanted):,} words of train have a vector")
            given = torch.from_numpy(np.pad(found.vectors, ((1, 0), (0, 0))))
        vocabulary = Vocabulary(names, frequent(known, settings["min_count"]), settings["buckets"])
        with torch.random.fork_rng([]):
            torch.manual_seed(seed)
            network = Network(
                given=given,
                words=len(vocabulary.learnt),
                buckets=vocabulary.buckets,
                width=settings["dim"] if given is None else given.shape[1],
                hidden=settings["hidden"],
                labels=len(train[0].labels),
                dropout=settings["dropout"],
                word_dropout=settings["word_dropout"],
            )
        schedule = training_loop.Schedule(
            epochs=settings["epochs"],
            batch=settings["batch"],
            rate=settings["rate"],
            patience=settings["patience"],
            seed=seed,
        )
        trained = cls(network, vocabulary)
        went = training_loop.train(
            network,
            train,
            trained._batch,
            schedule,
            dev,
            run=run,
            length=lambda sentence: len(sentence.words),
        )
        return trained, {**asdict(went), **facts}

    @property
    def labels(self) -> int:
        """How many labels it tells."""
        return int(self.network.head.out_features)

    def logits(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the log odds of each label, sentences by labels."""
        return self._judged(sentences)[0]

    def attention(self, sentences: Sequence[Sequence[str]]) -> list[list[float]]:
        """Return the share of attention of each word; they add up to 1."""
        return self._judged(sentences)[1]

    def save(self, folder: Path) -> None:
        """Write the weights as safetensors and the words as JSON.

        Raises:
            DiskError: the disk refuses.
        """
        weights = {name: value.contiguous() for name, value in self.network.state_dict().items()}
        with disk_errors(folder):
            save_file(weights, folder / WEIGHTS)
        write_json(folder / WORDS, self.vocabulary.as_dict())

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises:
            WikibiasError: a file is missing or damaged.
        """
        try:
            vocabulary = Vocabulary.of_dict(read_json(folder / WORDS))
            weights = load_file(folder / WEIGHTS)
            hidden = weights["key.weight"].shape[0] // 2
            network = Network(
                given=weights["given"],
                words=len(vocabulary.learnt),
                buckets=vocabulary.buckets,
                width=weights["given"].shape[1],
                hidden=hidden,
                labels=weights["head.weight"].shape[0],
            )
            if len(weights["given"]) != len(vocabulary.given) + 1:
                raise ValueError("words and vectors do not belong together")
            network.load_state_dict(weights)
        except OSError as error:
            raise WikibiasError(f"{folder}: cannot be read ({error.strerror})") from error
        except (
            ValueError,
            KeyError,
            TypeError,
            RuntimeError,
            safetensors.SafetensorError,
        ) as error:
            said = " ".join(str(error).split())
            raise WikibiasError(
                f"{folder}: damaged ({said:.100}); train it again with `wikibias classify`"
            ) from error
        network.train(False)
        return cls(network, vocabulary)

    def _judged(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[NDArray[np.float64], list[list[float]]]:
        # Those of about one length together, or most of a batch is padding.
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        logits = np.zeros((len(sentences), self.labels))
        attention: list[list[float]] = [[] for _ in sentences]
        done = 0
        some = [Sentence(sentences[i]) for i in order]
        for part, output in training_loop.outputs(self.network, some, self._batch, _AT_ONCE):
            shares = output.attention.cpu().tolist()
            values = output.logits.cpu().numpy()
            for row, sentence in enumerate(part):
                logits[order[done]] = values[row]
                attention[order[done]] = shares[row][: len(sentence.words)]
                done += 1
        return logits, attention

    def _batch(self, some: Sequence[Sentence]) -> Mapping[str, torch.Tensor]:
        found = self.vocabulary.numbered([sentence.words for sentence in some])
        longest = max(len(each) for each in found.places)
        batch = {
            "known": torch.tensor(found.known),
            "learnt": torch.tensor(found.learnt),
            "grams": torch.tensor(found.grams, dtype=torch.long),
            "starts": torch.tensor(found.starts),
            "places": torch.tensor([each + [0] * (longest - len(each)) for each in found.places]),
            "lengths": torch.tensor([len(each) for each in found.places]),
        }
        if some[0].labels:
            batch["labels"] = torch.tensor([sentence.labels for sentence in some])
            batch["judged"] = torch.tensor([sentence.judged for sentence in some])
        return batch


def sentence(text: str, labels: Sequence[bool] = (), judged: Sequence[bool] = ()) -> Sentence:
    """Return a text as the networks take it."""
    return Sentence(words(text), [float(each) for each in labels], [float(e) for e in judged])
