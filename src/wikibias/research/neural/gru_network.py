"""The network of the estimator `gru`: a bidirectional GRU whose states attention adds up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import nn

Tensors = Mapping[str, torch.Tensor]


class Output(NamedTuple):
    """What the network makes of a batch.

    Attributes:
        logits: sentences by labels.
        attention: sentences by words, the shares of each adding up to 1; 0 behind its end.
        loss: mean over what is judged; 0 without labels.
    """

    logits: torch.Tensor
    attention: torch.Tensor
    loss: torch.Tensor


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
        """Return what `Output` says; see `vocabulary.Words` for the first five.

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
        return Output(logits, attention, loss)
