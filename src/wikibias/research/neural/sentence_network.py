"""An encoder with a linear layer over the mean of its word pieces: an output for each label."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors
import torch
import transformers
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import disk_errors
from wikibias.kits.plugins import PACKAGE, package_folders
from wikibias.research.neural.training_loop import device_of, output_rows

_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_DESCRIPTION, _WEIGHTS = "config.json", "model.safetensors"
_UNREADABLE = (
    OSError, ValueError, KeyError, RuntimeError, TypeError, ImportError,
    safetensors.SafetensorError,
)  # fmt: skip
_BATCHED: Mapping[str, Any] = {"truncation": True, "padding": True, "return_tensors": "pt"}
IGNORED = -100
"""The label that counts for no loss."""


def model_folder(where: str | Path) -> Path:
    """Return the folder of a model: a path, or the name of a Python package that holds one.

    `package:NAME` is a package even where there is a folder of that name.

    Raises:
        UsageError: there is none.
    """
    name = str(where)
    if not name.startswith(PACKAGE) and (Path(where) / _DESCRIPTION).is_file():
        return Path(where)
    if not name.startswith(PACKAGE) and (Path(where).exists() or not _NAME.fullmatch(name)):
        raise UsageError(f"{where}: no model in it (no {_DESCRIPTION}); give its folder")
    folders = package_folders(name)
    for place in folders or ():
        for found in sorted(place.rglob(_WEIGHTS)):
            if (found.parent / _DESCRIPTION).is_file():
                return found.parent
    if folders is not None:
        why = "the package holds no model"
    else:
        why = "there is no such folder, and no package of that name is installed"
    raise UsageError(f"{name}: {why}; give a model's folder or another package")


def load_tokenizer(where: str | Path) -> Any:
    """Return the fast tokeniser of a model; see `model_folder`.

    Raises:
        UsageError: there is no model.
        WikibiasError: it has no fast tokeniser, or a damaged one.
    """
    folder = model_folder(where)
    found = pretrained(transformers.AutoTokenizer, folder)
    if not found.is_fast:
        raise WikibiasError(f"{folder}: no tokenizer.json; words cannot be told from pieces")
    return found


def load_model(
    where: str | Path, task: str = "", *, labels: Sequence[str] = (), seed: int = 0
) -> Any:
    """Return a model with a head for a task; a head that is not in its weights is made from `seed`.

    Args:
        where: see `model_folder`.
        task: as transformers names it, such as "ForTokenClassification"; "" for no head.
        labels: names of the labels, where the head has some.
        seed: of a new head.

    Raises:
        UsageError: there is no model.
        WikibiasError: its files cannot be read.
    """
    kind = getattr(transformers, f"AutoModel{task}")
    options: dict[str, Any] = {"use_safetensors": True, "dtype": torch.float32}
    if labels:
        options |= {
            "id2label": dict(enumerate(labels)),
            "label2id": {label: number for number, label in enumerate(labels)},
            "ignore_mismatched_sizes": True,
        }
    with torch.random.fork_rng([]):
        torch.manual_seed(seed)
        state = random.getstate()
        model = pretrained(kind, model_folder(where), **options)
        random.setstate(state)
    model.train(False)
    return model


def save_model(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a model and its tokeniser; the weights as safetensors.

    Raises:
        DiskError: the disk refuses.
    """
    with disk_errors(folder):
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)


def longest(model: Any, tokenizer: Any, most: int = 512) -> int:
    """Return how many pieces of a sentence a model takes, at most `most`."""
    places = getattr(model.config, "max_position_embeddings", None) or most
    return int(min(most, places, tokenizer.model_max_length))


def word_pieces(tokenizer: Any, sentences: Sequence[Sequence[str]], most: int) -> Any:
    """Return sentences of words as a batch of pieces, as many as `most`; padded.

    `word_ids(i)` of it gives the word of each piece of the i-th sentence, None for marks.
    """
    words = [list(each) for each in sentences]
    return tokenizer(words, is_split_into_words=True, max_length=most, **_BATCHED)


def word_labels(pieces: Any, labels: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return the label of each word at its first piece, and `IGNORED` at all others."""
    found = torch.full(pieces["input_ids"].shape, IGNORED)
    for row, mine in enumerate(labels):
        for word, place in first_pieces(pieces, row).items():
            found[row, place] = mine[word]
    return found


def first_pieces(pieces: Any, row: int) -> dict[int, int]:
    """Return the place of the first piece of each word of a sentence; words cut off have none."""
    found: dict[int, int] = {}
    for place, word in enumerate(pieces.word_ids(row)):
        if word is not None:
            found.setdefault(word, place)
    return found


def text_pieces(
    tokenizer: Any, sources: Sequence[str], targets: Sequence[str] | None, most: int
) -> dict[str, torch.Tensor]:
    """Return texts as a batch; with targets, as `labels`, whose padding counts for no loss."""
    batch = dict(tokenizer(list(sources), max_length=most, **_BATCHED))
    if targets is not None:
        wanted = tokenizer(text_target=list(targets), max_length=most, **_BATCHED)
        labels = wanted["input_ids"]
        batch["labels"] = labels.masked_fill(wanted["attention_mask"] == 0, IGNORED)
    return batch


def rewritten(
    model: Any, tokenizer: Any, sources: Sequence[str], *, most: int, beams: int = 4
) -> list[str]:
    """Return what a model for rewriting makes of texts, by beam search."""
    device = next(model.parameters()).device
    batch = {
        name: value.to(device)
        for name, value in text_pieces(tokenizer, sources, None, most).items()
        if name != "token_type_ids"
    }
    with torch.inference_mode():
        made = model.generate(**batch, num_beams=beams, max_new_tokens=most, do_sample=False)
    return [str(text) for text in tokenizer.batch_decode(made, skip_special_tokens=True)]


def pretrained(kind: Any, folder: Path, **options: Any) -> Any:
    """Return a model or a tokeniser of a class of transformers, of files on this machine.

    Raises:
        WikibiasError: the files cannot be read.
    """
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    try:
        return kind.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, **options
        )
    except _UNREADABLE as error:
        reason = " ".join(str(error).split())
        raise WikibiasError(f"{folder}: not a model that can be loaded ({reason:.200})") from error


HEAD = "head.safetensors"
_MOST = 256  # word pieces


class Example(NamedTuple):
    """A sentence, which labels it has, and of which that is known."""

    text: str
    labels: NDArray[np.bool_]
    judged: NDArray[np.bool_]


class Output(NamedTuple):
    """What the network makes of a batch; without labels there is no loss."""

    loss: torch.Tensor | None
    logits: torch.Tensor
    embeddings: torch.Tensor


class SentenceNetwork(torch.nn.Module):  # type: ignore[misc]
    """Reads a batch of word pieces; its output has `loss`, `logits` and `embeddings`.

    The loss is the mean of what is judged: of other labels nothing is learnt.
    """

    def __init__(self, encoder: Any, tokenizer: Any, count: int, seed: int = 0) -> None:
        super().__init__()
        self.encoder, self.tokenizer = encoder, tokenizer
        self.most = longest(encoder, tokenizer, _MOST)
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
        return Output(loss, logits, embeddings)

    def batch(self, some: Sequence[Example]) -> Mapping[str, torch.Tensor]:
        """Return sentences as a batch to learn."""
        return {
            **self.text_batch([each.text for each in some]),
            "labels": torch.tensor(np.stack([each.labels for each in some]), dtype=torch.float32),
            "judged": torch.tensor(np.stack([each.judged for each in some]), dtype=torch.float32),
        }

    def text_batch(self, texts: Sequence[str]) -> Mapping[str, torch.Tensor]:
        """Return sentences as a batch to judge."""
        return text_pieces(self.tokenizer, texts, None, self.most)

    def logits(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the logits of sentences, sentences by outputs."""
        return self._read(texts, "logits", self.head.out_features).astype(np.float64)

    def embeddings(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the word pieces of each sentence, sentences by dimensions."""
        return self._read(texts, "embeddings", self.head.in_features)

    def _read(self, texts: Sequence[str], name: str, width: int) -> NDArray[np.float32]:
        return output_rows(self, texts, self.text_batch, name, width, len)

    def set_head(self, weights: NDArray[np.float64], biases: NDArray[np.float64]) -> None:
        """Set the linear layer: weights (outputs by dimensions) and biases."""
        with torch.no_grad():
            self.head.weight.copy_(torch.tensor(weights))
            self.head.bias.copy_(torch.tensor(biases))


def make(base: str | Path, count: int, device: torch.device, seed: int = 0) -> SentenceNetwork:
    """Return a network of an encoder with an untrained layer; see `model_folder`.

    Raises:
        UsageError: there is no model.
        WikibiasError: its files cannot be read, or it is no encoder.
    """
    tokenizer = load_tokenizer(base)
    encoder = load_model(base, seed=seed)
    if getattr(encoder.config, "is_encoder_decoder", False):
        raise WikibiasError(f"{base}: a model that writes text, not an encoder such as BERT")
    network = SentenceNetwork(encoder, tokenizer, count, seed)
    network.to(device)
    return network


def save_network(network: SentenceNetwork, folder: Path) -> None:
    """Write encoder, tokeniser and layer.

    Raises:
        DiskError: the disk refuses.
    """
    save_model(network.encoder, network.tokenizer, folder)
    tensors = {name: each.detach().cpu() for name, each in network.head.state_dict().items()}
    with disk_errors(folder):
        save_file(tensors, folder / HEAD)


def load_network(folder: Path, count: int, device: torch.device) -> SentenceNetwork:
    """Read what `save_network` wrote."""
    network = make(folder, count, device)
    network.head.load_state_dict(load_file(folder / HEAD))
    return network


_MOST_KEPT = 200_000  # sentences of an encoder that are kept in memory
_KNOWN: dict[str, dict[str, NDArray[np.float32]]] = {}


def embedded(network: SentenceNetwork, base: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the embedding of each sentence, sentences by dimensions.

    Args:
        network: whose encoder is that of `base`.
        base: see `model_folder`.
        texts: the sentences.
    """
    where = model_folder(base).resolve()
    files = sorted(path for path in where.iterdir() if path.is_file())
    stamp = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    known = _KNOWN.setdefault(f"{where} {stamp} {network.encoder.device.type}", {})
    new = sorted({*texts} - known.keys(), key=lambda text: (len(text), text))
    found = known | dict(zip(new, network.embeddings(new), strict=True))
    if len(found) <= _MOST_KEPT:
        known.update(found)
    width = network.head.in_features
    return np.array([found[text] for text in texts], dtype=np.float32).reshape(-1, width)


def sentence_embedder(base: str) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """Return what embeds sentences by a pretrained encoder, as the mean of its word pieces.

    Args:
        base: a folder or `package:NAME`.

    Raises:
        UsageError: there is no such encoder.
        WikibiasError: the encoder cannot be read.
    """
    network = make(base, 1, device_of("auto"))
    return lambda texts: embedded(network, base, texts)
