"""Loads models and tokenisers of the transformers library from folders and Python packages.

Nothing is fetched from a hub, no code of a model runs, and weights are read from safetensors only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import safetensors
import torch
import transformers

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import disk_errors
from wikibias.models.packaged import PACKAGE, package_folders

_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_HEADS: Mapping[str, Any] = {
    "none": transformers.AutoModel,
    "tokens": transformers.AutoModelForTokenClassification,
    "sentences": transformers.AutoModelForSequenceClassification,
    "rewriting": transformers.AutoModelForSeq2SeqLM,
}
_DESCRIPTION, _WEIGHTS = "config.json", "model.safetensors"
_UNREADABLE = (OSError, ValueError, KeyError, RuntimeError, safetensors.SafetensorError)
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
    found = _loaded(folder, transformers.AutoTokenizer.from_pretrained, {})
    if not found.is_fast:
        raise WikibiasError(f"{folder}: no tokenizer.json; words cannot be told from pieces")
    return found


def load_model(where: str | Path, head: str, *, labels: Sequence[str] = (), seed: int = 0) -> Any:
    """Return a model with a head for a task; a head that is not in its weights is made from `seed`.

    Args:
        where: see `model_folder`.
        head: "tokens" (labels of words), "sentences" (labels of sentences), "rewriting", or "none".
        labels: names of the labels, where the head has some.
        seed: of a new head.

    Raises:
        UsageError: there is no model.
        WikibiasError: its files cannot be read.
    """
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
        model = _loaded(model_folder(where), _HEADS[head].from_pretrained, options)
        random.setstate(state)
    model.train(False)
    return model


def save(model: Any, tokenizer: Any, folder: Path) -> None:
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
    return tokenizer(
        [list(words) for words in sentences],
        is_split_into_words=True,
        truncation=True,
        max_length=most,
        padding=True,
        return_tensors="pt",
    )


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
    options = {"truncation": True, "max_length": most, "padding": True, "return_tensors": "pt"}
    batch = dict(tokenizer(list(sources), **options))
    if targets is not None:
        wanted = tokenizer(text_target=list(targets), **options)
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


def _loaded(folder: Path, load: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    try:
        return load(folder, local_files_only=True, trust_remote_code=False, **options)
    except _UNREADABLE as error:
        said = " ".join(str(error).split())
        raise WikibiasError(f"{folder}: not a model that can be loaded ({said:.200})") from error
