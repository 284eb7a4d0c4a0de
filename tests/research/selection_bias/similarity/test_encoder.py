"""Similarities of a sentence encoder: a small one made here."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from wikibias.errors import UsageError
from wikibias.research.selection_bias.similarity.encoder import Encoded, encoded
from wikibias.research.selection_bias.similarity.registry import Wanted

WORDS = ["river", "mill", "white house", "#tag"]


def test_without_an_encoder_it_says_what_to_give() -> None:
    with pytest.raises(UsageError, match="needs --encoder: a model's folder or package:NAME"):
        encoded(Wanted(words=WORDS))


def test_without_the_extra_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UsageError, match=r"--similarity encoder: this needs torch.*; run: "):
        encoded(Wanted(words=WORDS, encoder="some/folder"))


def test_a_cosine_of_what_embeds() -> None:
    rows = {"river": [3.0, 4.0], "mill": [4.0, 3.0], "barn": [-4.0, 3.0]}
    found = Encoded(lambda texts: np.array([rows[text] for text in texts], np.float32), {})
    assert np.allclose(found.matrix(["river"], ["mill", "barn"]), [[0.96, 0.0]])
    assert found.knows(["river", "anything"]).all()


@pytest.mark.neural
class TestWithTorch:
    @pytest.fixture(scope="class")
    @staticmethod
    def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
        """Make an encoder of two layers."""
        pytest.importorskip("torch", reason="the extra neural is not installed")
        pytest.importorskip("transformers", reason="the extra neural is not installed")
        import tiny_encoders  # noqa: PLC0415 (torch)

        return tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), WORDS)

    def test_words_and_phrases_have_an_embedding(self, base: Path) -> None:
        found = encoded(Wanted(words=WORDS, encoder=str(base)))
        matrix = found.matrix(WORDS, WORDS)
        assert np.allclose(np.diag(matrix), 1)
        assert np.allclose(matrix, matrix.T)
        assert len(np.unique(matrix.round(6))) > len(WORDS)
        assert found.knows(WORDS).all()
        assert found.about["dimensions"] == 32

    def test_it_does_not_matter_in_which_order_words_are_asked_for(self, base: Path) -> None:
        found = encoded(Wanted(words=WORDS, encoder=str(base)))
        forth, back = found.matrix(WORDS, ["mill"]), found.matrix(WORDS[::-1], ["mill"])
        assert np.array_equal(forth, back[::-1])

    def test_no_such_encoder(self, base: Path) -> None:
        with pytest.raises(UsageError, match="no model in it"):
            encoded(Wanted(words=WORDS, encoder=str(base.parent)))
