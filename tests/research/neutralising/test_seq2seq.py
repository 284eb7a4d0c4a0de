"""A sequence-to-sequence model: it is read, trained, saved, and rewrites."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tiny_encoders
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.neutralising.rewriters import REWRITERS, Pair, Seq2Seq

pytestmark = pytest.mark.neural

PAIRS = [
    Pair(f"the {word} {place} stood", f"the {place} stood")
    for word, place in product(
        "splendid awful famous grand".split(), "mill barn tower hall".split()
    )
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> str:
    texts = [side for pair in PAIRS for side in (pair.source, pair.target)]
    return str(tiny_encoders.rewriter(tmp_path_factory.mktemp("tiny"), texts))


@pytest.fixture(scope="module")
def model(checkpoint: str) -> Seq2Seq:
    return Seq2Seq(checkpoint=checkpoint, epochs=10, rate=1e-2).fit(PAIRS * 4)


def test_it_learns_to_write_as_editors_do(model: Seq2Seq) -> None:
    made = model.rewrite([pair.source for pair in PAIRS])
    assert {*made} <= {pair.target for pair in PAIRS}


def test_a_saved_one_rewrites_the_same_and_holds_no_pickle(model: Seq2Seq, tmp_path: Path) -> None:
    REWRITERS.save(model, tmp_path, {})
    texts = [pair.source for pair in PAIRS[:5]]
    assert REWRITERS.load(tmp_path)[0].rewrite(texts) == model.rewrite(texts)
    names = [path.name for path in tmp_path.iterdir()]
    assert "model.safetensors" in names
    assert not [name for name in names if name.endswith((".bin", ".pt", ".pkl"))]
    described = REWRITERS.folder.describe(tmp_path)
    assert described["training"]["device"]
    assert len(described["training"]["losses"]) > 1


def test_the_same_seed_gives_the_same_model(checkpoint: str) -> None:
    made = [
        Seq2Seq(checkpoint=checkpoint, epochs=2, rate=1e-2, seed=1).fit(PAIRS).rewrite(["the mill"])
        for _ in range(2)
    ]
    assert made[0] == made[1]


def test_a_sentence_too_long_for_the_model_stays(model: Seq2Seq) -> None:
    long = "the grand mill " * 3400
    assert model.rewrite([long, "the grand mill stood"])[0] == long


def test_what_it_cannot_begin_with(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--set checkpoint=DIR"):
        Seq2Seq().fit(PAIRS)
    with pytest.raises(UsageError, match="no model in it"):
        Seq2Seq(checkpoint=str(tmp_path)).fit(PAIRS)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(WikibiasError, match="not a model"):
        Seq2Seq(checkpoint=str(tmp_path)).fit(PAIRS)
