"""The network of the GRU: what padding, given vectors and unjudged labels may not change."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from wikibias.research.neural.gru_network import Network
from wikibias.research.neural.words import Vocabulary

pytestmark = pytest.mark.neural

WORDS = Vocabulary(["mill"], ["the", "old"], 50)


def network(**more: float) -> Network:
    torch.manual_seed(0)
    given = torch.tensor([[0.0] * 4, [1.0, 2.0, 3.0, 4.0]])
    found = Network(given=given, words=2, buckets=50, width=4, hidden=3, labels=2, **more)
    found.train(False)
    return found


def batch(*sentences: list[str]) -> dict[str, torch.Tensor]:
    found = WORDS.numbered(sentences)
    longest = max(map(len, found.places))
    return {
        "known": torch.tensor(found.known),
        "learnt": torch.tensor(found.learnt),
        "grams": torch.tensor(found.grams),
        "starts": torch.tensor(found.starts),
        "places": torch.tensor([each + [0] * (longest - len(each)) for each in found.places]),
        "lengths": torch.tensor([len(each) for each in found.places]),
    }


def test_padding_changes_nothing() -> None:
    short, long = ["the", "old", "mill"], ["the", "mill"] * 9
    together, alone = network()(**batch(short, long)), network()(**batch(short))
    assert torch.allclose(together.logits[0], alone.logits[0], atol=1e-6)
    assert torch.allclose(together.attention[0, :3], alone.attention[0], atol=1e-6)
    assert together.attention[0, 3:].sum() == 0
    assert torch.allclose(together.attention.sum(1), torch.ones(2))


def test_what_nobody_judged_counts_for_no_loss() -> None:
    sentences = batch(["the", "mill"], ["old"])
    judged = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    one, other = (
        network()(**sentences, labels=torch.tensor([[1.0, x], [0.0, x]]), judged=judged).loss
        for x in (0.0, 1.0)
    )
    assert one == other > 0
    none = network()(**sentences, labels=judged, judged=torch.zeros(2, 2)).loss
    assert none == 0


def test_given_vectors_stay_as_they_are() -> None:
    trained = network(dropout=0.1, word_dropout=0.1)
    trained.train()
    optimiser = torch.optim.AdamW(trained.parameters(), lr=0.1)
    labels = torch.ones(1, 2)
    trained(**batch(["the", "mill"]), labels=labels, judged=labels).loss.backward()
    optimiser.step()
    assert trained.given[1].tolist() == [1, 2, 3, 4]
    assert not torch.equal(trained.words.weight, network().words.weight)
