"""The network of the estimator `gru`: a bidirectional GRU whose states attention adds up."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import nn

from wikibias.kits.files import disk_errors, read_json, write_json
from wikibias.models.estimators.registry import HERE, Run
from wikibias.research.neural import training_loop
from wikibias.research.neural.words import Vocabulary, frequent, read_vectors


class Output(NamedTuple):
    """What the network makes of a batch.

    Attributes:
        loss: mean over what is judged; 0 without labels.
        logits: sentences by labels.
        attention: sentences by words, the shares of each adding up to 1; 0 behind its end.
    """

    loss: torch.Tensor
    logits: torch.Tensor
    attention: torch.Tensor


class Network(nn.Module):  # type: ignore[misc]
    """Words to labels, as the statement classifier of Hube and Fetahu (2019), section 4.

    The vector of a word is the sum of that given, which stays, of one learnt, and of the mean of
    those of its character n-grams. A word dropped in training has none. The attention is additive:
    a share for each word, by how its state resembles a learnt one.

    Args:
        given: vectors from a file, or none; words by numbers.
        words: how many words have a learnt vector.
        buckets: how many n-gram vectors there are.
        width: of a vector.
        hidden: states of each direction.
        labels: how many.
        dropout: share of what is left out in training, before and behind the GRU.
        word_dropout: share of words without a vector in training.
    """

    def __init__(
        self,
        *,
        given: torch.Tensor | None,
        words: int,
        buckets: int,
        width: int,
        hidden: int,
        labels: int,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        rows = torch.zeros(1, width) if given is None else given
        self.register_buffer("given", rows)
        self.words = nn.Embedding(words + 1, width, padding_idx=0)
        self.ngrams = nn.EmbeddingBag(buckets, width, mode="mean") if buckets else None
        self.gru = nn.GRU(width, hidden, batch_first=True, bidirectional=True)
        self.key = nn.Linear(2 * hidden, 2 * hidden)
        self.query = nn.Linear(2 * hidden, 1, bias=False)
        self.head = nn.Linear(2 * hidden, labels)
        self.dropout = nn.Dropout(dropout)
        self.word_dropout = word_dropout
        # A learnt vector that stands beside a given one is a correction, and begins small.
        spread = 0.1 if given is None else 0.01
        nn.init.normal_(self.words.weight, std=spread)
        with torch.no_grad():
            self.words.weight[0] = 0
        if self.ngrams is not None:
            nn.init.normal_(self.ngrams.weight, std=0.1)

    def forward(
        self,
        known: torch.Tensor,
        learnt: torch.Tensor,
        grams: torch.Tensor,
        starts: torch.Tensor,
        places: torch.Tensor,
        lengths: torch.Tensor,
        labels: torch.Tensor | None = None,
        judged: torch.Tensor | None = None,
    ) -> Output:
        """Return what `Output` says; see `words.Words` for the first five.

        Args:
            known: rows of given vectors, of each distinct word.
            learnt: rows of learnt vectors.
            grams: n-grams of all.
            starts: where those of each word begin.
            places: sentences by words, as numbers of distinct ones.
            lengths: words of each sentence, at least 1.
            labels: 0 or 1, sentences by labels.
            judged: 1 where a label is known, likewise; the loss is of these.
        """
        vectors = self.given[known] + self.words(learnt)
        if self.ngrams is not None:
            vectors = vectors + self.ngrams(grams, starts)
        inputs = vectors[places]
        if self.training and self.word_dropout:
            stays = torch.rand(places.shape, device=places.device) >= self.word_dropout
            inputs = inputs * stays.unsqueeze(-1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(inputs), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, _ = nn.utils.rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        there = torch.arange(states.shape[1], device=lengths.device) < lengths.unsqueeze(1)
        scores = self.query(torch.tanh(self.key(states))).squeeze(-1).float()
        attention = scores.masked_fill(~there, -torch.inf).softmax(1)
        whole = (attention.unsqueeze(-1) * states).sum(1)
        logits = self.head(self.dropout(whole)).float()
        loss = logits.new_zeros(())
        if labels is not None and judged is not None:
            losses = nn.functional.binary_cross_entropy_with_logits(
                logits, labels, weight=judged, reduction="sum"
            )
            loss = losses / judged.sum().clamp(min=1)
        return Output(loss, logits, attention)


WEIGHTS, WORDS = "model.safetensors", "vocabulary.json"
# Words of a vector file that are kept beside those of the training data: the commonest.
_MOST_GIVEN = 50_000


class Sentence(NamedTuple):
    """A sentence to learn or to judge: its words, which labels it has, and which are known."""

    words: Sequence[str]
    labels: Sequence[bool] = ()
    judged: Sequence[bool] = ()


class Trained(NamedTuple):
    """A network with its vocabulary."""

    network: Network
    vocabulary: Vocabulary

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
            distinct = {word for sentence in known for word in sentence}
            found = read_vectors(Path(settings["vectors"]), distinct, _MOST_GIVEN)
            names = found.words
            covered = len(distinct.intersection(names))
            facts = {"words": len(distinct), "words_with_vector": covered}
            facts["vectors_sha256"] = found.sha256
            run.say(f"{covered:,} of {len(distinct):,} words of train have a vector")
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
        trained = cls(network, vocabulary)
        went = training_loop.train(
            network,
            train,
            trained.batch,
            training_loop.Schedule.of(settings, seed),
            dev,
            run=run,
            length=lambda sentence: len(sentence.words),
        )
        return trained, {**asdict(went), **facts}

    def logits(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the log odds of each label, sentences by labels."""
        some = [Sentence(words) for words in sentences]
        width = self.network.head.out_features
        found = training_loop.output_rows(
            self.network, some, self.batch, "logits", width, lambda each: len(each.words)
        )
        return found.astype(np.float64)

    def save(self, folder: Path) -> None:
        """Write the weights as safetensors and the words as JSON.

        Raises:
            DiskError: the disk refuses.
        """
        weights = {name: value.contiguous() for name, value in self.network.state_dict().items()}
        with disk_errors(folder):
            save_file(weights, folder / WEIGHTS)
        write_json(folder / WORDS, asdict(self.vocabulary))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        vocabulary = Vocabulary(**read_json(folder / WORDS))
        weights = load_file(folder / WEIGHTS)
        network = Network(
            given=weights["given"],
            words=len(vocabulary.learnt),
            buckets=vocabulary.buckets,
            width=weights["given"].shape[1],
            hidden=weights["key.weight"].shape[0] // 2,
            labels=weights["head.weight"].shape[0],
        )
        network.load_state_dict(weights)
        return cls(network.train(False), vocabulary)

    def batch(self, some: Sequence[Sentence]) -> Mapping[str, torch.Tensor]:
        """Return sentences as the network takes them."""
        found = self.vocabulary.numbered([sentence.words for sentence in some])
        longest = max(len(each) for each in found.places)
        batch = {
            "places": torch.tensor([each + [0] * (longest - len(each)) for each in found.places]),
            "lengths": torch.tensor([len(each) for each in found.places]),
            "known": torch.tensor(found.known),
            "learnt": torch.tensor(found.learnt),
            "grams": torch.tensor(found.grams, dtype=torch.long),
            "starts": torch.tensor(found.starts),
        }
        if some[0].labels:
            for name in ("labels", "judged"):
                rows = [getattr(sentence, name) for sentence in some]
                batch[name] = torch.tensor(rows, dtype=torch.float32)
        return batch
