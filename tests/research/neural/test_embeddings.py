"""Embeddings are made once in a process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

import tiny_encoders
from wikibias.research.neural import sentence_network
from wikibias.research.neural.sentence_network import embedded

pytestmark = pytest.mark.neural

TEXTS = ["The old mill stood here", "A barn burned"]


def test_embeddings_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tiny_encoders.encoder(tmp_path / "tiny", TEXTS)
    network = sentence_network.make(base, 1, torch.device("cpu"))
    first = embedded(network, str(base), [*TEXTS, TEXTS[0]])
    assert np.array_equal(first[0], first[2])
    assert np.allclose(first[:2], network.embeddings(TEXTS), atol=1e-6)
    monkeypatch.setattr(network, "embeddings", lambda texts: np.zeros((0, 32)) if texts else [])
    assert np.array_equal(first, embedded(network, str(base), [*TEXTS, TEXTS[0]]))
