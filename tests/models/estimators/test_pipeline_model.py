"""A pipeline as a model: probabilities, loading, errors."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
import skops.io
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from sample_examples import examples
from wikibias.errors import WikibiasError
from wikibias.models.estimators import pipelines, registry

TRAIN = examples("train", 240, 1)
UNSEEN = examples("test", 60, 5).texts


def trained(name: str, seed: int = 0) -> registry.Model:
    return registry.create(name, seed=seed).fit(TRAIN.texts, TRAIN.biased)


def test_the_slope_of_sgd_leaves_its_decisions_alone() -> None:
    model = trained("sgd")
    plain = pipelines.Sgd.build((), 0).fit(TRAIN.texts, TRAIN.biased).predict(UNSEEN)
    assert np.array_equal(model.predict_proba(UNSEEN) > 0.5, plain)


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(WikibiasError, match="nb-lr cannot learn from these 2 sentences"):
        registry.create("nb-lr").fit(["aaa", "bbb"], np.array([True, False]))


def test_sentences_without_spaces_are_sent_to_the_model_of_characters() -> None:
    with pytest.raises(WikibiasError, match="try --model char-lr"):
        registry.create("nb-lr").fit(
            [f"水車村の{c}" for c in "橋堂塔門"], np.array([True, False] * 2)
        )


def test_a_model_of_untrusted_types_is_refused(tmp_path: Path) -> None:
    registry.save(trained("lr"), tmp_path, {})
    evil = Pipeline([("run", FunctionTransformer(subprocess.getoutput))])
    skops.io.dump(evil, tmp_path / "model.skops")
    with pytest.raises(WikibiasError, match=r"types not to be trusted: .*getoutput"):
        registry.load(tmp_path)


@pytest.mark.parametrize("slope", [None, "x", [], {}, -1.0, 3])
def test_a_description_without_a_slope_of_sgd_is_refused(slope: object, tmp_path: Path) -> None:
    registry.save(trained("sgd"), tmp_path, {})
    described = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps({**described, "slope": slope}))
    with pytest.raises(WikibiasError, match="no slope of sgd"):
        registry.load(tmp_path)
