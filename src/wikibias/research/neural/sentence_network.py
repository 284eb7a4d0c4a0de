"""An encoder with a linear layer over the mean of its word pieces: an output for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import safetensors
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from wikibias.errors import WikibiasError
from wikibias.kits.files import disk_errors
from wikibias.research.neural import encoders
from wikibias.research.neural.training_loop import outputs

HEAD = "head.safetensors"
_MOST = 256  # word pieces
_BATCH = 32


class Example(NamedTuple):
    """A sentence, which labels it has, and of which that is known."""

    text: str
    labels: NDArray[np.bool_]
    judged: NDArray[np.bool_]


class SentenceNetwork(torch.nn.Module):  # type: ignore[misc]
    """Reads a batch of word pieces; its output has `logits`, `embeddings`, and with labels `loss`.

    The loss is the mean of what is judged: of other labels nothing is learnt.
    """

    def __init__(self, encoder: Any, tokenizer: Any, count: int, seed: int = 0) -> None:
        super().__init__()
        self.encoder, self.tokenizer = encoder, tokenizer
        self.most = encoders.longest(encoder, tokenizer, _MOST)
        with torch.random.fork_rng([]):
            torch.manual_seed(seed)
            self.head = torch.nn.Linear(encoder.config.hidden_size, count)

    def forward(
        self,
        attention_mask: torch.Tensor,
        labels: torch.Tensor | None = None,
        judged: torch.Tensor | None = None,
        **pieces: torch.Tensor,
    ) -> Any:
        """Return what the network makes of a batch."""
        read = self.encoder(attention_mask=attention_mask, **pieces).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(read.dtype)
        embeddings = (read * mask).sum(1) / mask.sum(1).clamp(min=1)
        logits = self.head(embeddings)
        loss = None
        if labels is not None and judged is not None:
            each = torch.nn.functional.binary_cross_entropy_with_logits(
                logits.float(), labels, reduction="none"
            )
            loss = (each * judged).sum() / judged.sum().clamp(min=1)
        return SimpleNamespace(loss=loss, logits=logits, embeddings=embeddings)

    def batch(self, some: Sequence[Example]) -> Mapping[str, torch.Tensor]:
        """Return sentences as a batch to learn."""
        return {
            **self.text_batch([each.text for each in some]),
            "labels": torch.tensor(np.stack([each.labels for each in some]), dtype=torch.float32),
            "judged": torch.tensor(np.stack([each.judged for each in some]), dtype=torch.float32),
        }

    def text_batch(self, texts: Sequence[str]) -> Mapping[str, torch.Tensor]:
        """Return sentences as a batch to judge."""
        return encoders.text_pieces(self.tokenizer, texts, None, self.most)

    def logits(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the logits of sentences, sentences by outputs."""
        return self._read(texts, "logits", self.head.out_features).astype(np.float64)

    def embeddings(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the word pieces of each sentence, sentences by dimensions."""
        return self._read(texts, "embeddings", self.head.in_features)

    def _read(self, texts: Sequence[str], what: str, width: int) -> NDArray[np.float32]:
        found = np.zeros((len(texts), width), dtype=np.float32)
        # Those of about one length together, or most of a batch is padding.
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        done = 0
        for some, output in outputs(self, [texts[row] for row in order], self.text_batch, _BATCH):
            rows = order[done : done + len(some)]
            found[rows] = getattr(output, what).float().cpu().numpy()
            done += len(some)
        return found

    def set_head(self, weights: NDArray[np.float64], biases: NDArray[np.float64]) -> None:
        """Set the linear layer: weights (outputs by dimensions) and biases."""
        with torch.no_grad():
            self.head.weight.copy_(torch.tensor(weights))
            self.head.bias.copy_(torch.tensor(biases))


def make(base: str | Path, count: int, device: torch.device, seed: int = 0) -> SentenceNetwork:
    """Return a network of an encoder with an untrained layer; see `encoders.model_folder`.

    Raises:
        UsageError: there is no model.
        WikibiasError: its files cannot be read, or it is no encoder.
    """
    tokenizer = encoders.load_tokenizer(base)
    encoder = encoders.load_model(base, "none", seed=seed)
    if getattr(encoder.config, "is_encoder_decoder", False):
        raise WikibiasError(f"{base}: a model that writes text, not an encoder such as BERT")
    network = SentenceNetwork(encoder, tokenizer, count, seed)
    network.to(device)
    return network


def save(network: SentenceNetwork, folder: Path) -> None:
    """Write encoder, tokeniser and layer.

    Raises:
        DiskError: the disk refuses.
    """
    encoders.save(network.encoder, network.tokenizer, folder)
    tensors = {name: each.detach().cpu() for name, each in network.head.state_dict().items()}
    with disk_errors(folder):
        save_file(tensors, folder / HEAD)


def load(folder: Path, count: int, device: torch.device) -> SentenceNetwork:
    """Read what `save` wrote.

    Raises:
        WikibiasError: a file is missing or damaged.
    """
    network = make(folder, count, device)
    try:
        network.head.load_state_dict(load_file(folder / HEAD))
    except (OSError, RuntimeError, ValueError, safetensors.SafetensorError) as error:
        raise WikibiasError(
            f"{folder / HEAD}: damaged ({' '.join(str(error).split()):.100})"
        ) from error
    return network
