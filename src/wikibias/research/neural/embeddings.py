"""Embeddings of sentences by a frozen encoder, each made once in a process and once on disk."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import safetensors
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from wikibias.kits.files import atomic_file
from wikibias.research.neural.sentence_network import SentenceNetwork, model_folder

_BLOCK = 1024  # sentences
_MOST = 200_000  # sentences of an encoder that are kept in memory
_KNOWN: dict[str, dict[bytes, NDArray[np.float32]]] = {}


def embedded(
    network: SentenceNetwork, base: str, texts: Sequence[str], folder: Path | None = None
) -> NDArray[np.float32]:
    """Return the embedding of each sentence, sentences by dimensions.

    Args:
        network: whose encoder is that of `base`.
        base: see `encoders.model_folder`.
        texts: the sentences.
        folder: where to keep them, a block a file, so that a killed run need not make them again.

    Raises:
        DiskError: the folder cannot be written.
    """
    where = model_folder(base).resolve()
    files = sorted(path for path in where.iterdir() if path.is_file())
    stamp = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    mark = f"{where} {stamp} {network.encoder.device.type}"
    known = _KNOWN.setdefault(mark, {})
    keys = [sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
    new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    order = sorted(new, key=lambda key: (len(new[key]), key))
    made: dict[bytes, NDArray[np.float32]] = {}
    for start in range(0, len(order), _BLOCK):
        block = order[start : start + _BLOCK]
        made |= zip(block, _block(network, mark, block, new, folder), strict=True)
    width = network.head.in_features
    found = np.zeros((len(texts), width), dtype=np.float32)
    for row, key in enumerate(keys):
        found[row] = made[key] if key in made else known[key]
    if len(known) + len(made) <= _MOST:
        known |= made
    return found


def _block(
    network: SentenceNetwork,
    mark: str,
    keys: Sequence[bytes],
    texts: dict[bytes, str],
    folder: Path | None,
) -> NDArray[np.float32]:
    """Return the embeddings of some sentences, out of a file where one has them."""
    if folder is None:
        return network.embeddings([texts[key] for key in keys])
    path = folder / f"{sha256(mark.encode() + b''.join(keys)).hexdigest()[:32]}.safetensors"
    try:
        found: NDArray[np.float32] = load_file(path)["embeddings"]
        if found.shape == (len(keys), network.head.in_features):
            return found
    except (OSError, KeyError, safetensors.SafetensorError):
        pass  # made anew, in place of what cannot be read
    found = network.embeddings([texts[key] for key in keys])
    with atomic_file(path) as temporary:
        save_file({"embeddings": found}, temporary)
    return found
