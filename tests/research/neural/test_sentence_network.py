"""Networks over the mean of word pieces, and the embeddings that they give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

import tiny_encoders
from wikibias.errors import WikibiasError
from wikibias.research.neural import sentence_network
from wikibias.research.neural.sentence_network import Example

pytestmark = pytest.mark.neural

TEXTS = [
    f"The {word} mill stood here" + " and there" * 3 * (word == "old") for word in ("old", "a")
]
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), TEXTS)


def test_padding_counts_for_nothing(base: Path) -> None:
    network = sentence_network.make(base, 3, CPU)
    together = network.embeddings(TEXTS)
    alone = np.concatenate([network.embeddings([text]) for text in TEXTS])
    assert np.allclose(together, alone, atol=1e-6)
    weights, biases = np.zeros((3, 32)), np.array([1.0, 2.0, 3.0])
    network.set_head(weights, biases)
    assert network.logits(TEXTS).tolist() == [[1.0, 2.0, 3.0]] * 2
    assert network.logits([]).shape == (0, 3)


def test_the_loss_is_that_of_what_is_judged(base: Path) -> None:
    network = sentence_network.make(base, 2, CPU)
    network.set_head(np.zeros((2, 32)), np.array([0.0, 50.0]))
    wrong = np.array([True, False])
    some = [Example(text, wrong, np.array([True, False])) for text in TEXTS]
    assert float(network(**network.batch(some)).loss.detach()) == pytest.approx(np.log(2))


def test_a_model_that_writes_text_is_no_encoder(tmp_path: Path) -> None:
    folder = tiny_encoders.rewriter(tmp_path, TEXTS)
    with pytest.raises(WikibiasError, match="a model that writes text, not an encoder"):
        sentence_network.make(folder, 1, CPU)
