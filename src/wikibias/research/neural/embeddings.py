"""Embeddings of sentences by a frozen encoder, each made once in a process."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from wikibias.research.neural.sentence_network import SentenceNetwork, make, model_folder
from wikibias.research.neural.training_loop import device_of

_MOST = 200_000  # sentences of an encoder that are kept in memory
_KNOWN: dict[str, dict[str, NDArray[np.float32]]] = {}


def embedded(network: SentenceNetwork, base: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the embedding of each sentence, sentences by dimensions.

    Args:
        network: whose encoder is that of `base`.
        base: see `sentence_network.model_folder`.
        texts: the sentences.
    """
    where = model_folder(base).resolve()
    files = sorted(path for path in where.iterdir() if path.is_file())
    stamp = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    known = _KNOWN.setdefault(f"{where} {stamp} {network.encoder.device.type}", {})
    new = sorted({*texts} - known.keys(), key=lambda text: (len(text), text))
    found = known | dict(zip(new, network.embeddings(new), strict=True))
    if len(found) <= _MOST:
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
