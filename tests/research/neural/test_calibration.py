"""Temperatures that make logits say how likely a label is."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from wikibias.kits.evaluation import calibration_error
from wikibias.models.estimators.registry import HERE, Run
from wikibias.research.neural.calibration import held_out, missing, temperature, temperatures


@pytest.mark.parametrize("wanted", [0.25, 1.0, 4.0])
def test_a_temperature_is_found_again(wanted: float) -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 2, 20_000)
    truth = rng.random(20_000) < expit(logits)
    found = temperature(logits * wanted, truth)
    assert found is not None
    assert found == pytest.approx(wanted, rel=0.05)
    before = calibration_error(truth, expit(logits * wanted))
    after = calibration_error(truth, expit(logits * wanted / found))
    assert before is not None
    assert after is not None
    assert after < 0.02
    assert after <= before + 0.01


def test_of_a_few_sentences_nothing_is_fitted() -> None:
    truth = np.array([True] * 9 + [False] * 40)
    assert temperature(np.zeros(49), truth) is None


def test_a_share_of_each_combination_is_held_out() -> None:
    labels = np.array([[True, False]] * 40 + [[False, False]] * 60 + [[True, True]] * 5)
    judged = np.ones_like(labels)
    chosen = held_out(labels, judged, 0.1, seed=0)
    assert [int(part.sum()) for part in np.split(chosen, [40, 100])] == [4, 6, 0]
    assert np.array_equal(chosen, held_out(labels, judged, 0.1, seed=0))
    assert not np.array_equal(chosen, held_out(labels, judged, 0.1, seed=1))


def test_each_output_has_its_own_temperature_and_one_without_is_named() -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(size=(400, 2))
    labels = rng.random((400, 2)) < expit(logits / 2)
    judged = np.ones_like(labels)
    judged[:, 1] = np.arange(400) < 4
    said: list[str] = []
    first, second = temperatures(logits, labels, judged, ["a", "b"], said.append)
    assert first == temperature(logits[:, 0], labels[:, 0])
    assert second is None
    assert [line[:9] for line in said] == ["label b: "]


def test_what_is_missing_comes_with_what_to_type() -> None:
    libraries = ("torch", "transformers", "safetensors", "accelerate")
    absent = [name for name in libraries if find_spec(name) is None]
    said = missing()
    assert (said is None) is (not absent)
    if said is not None:
        assert "install" in said
        assert ("wikibias docs install" in said) == ("torch" in absent)
        assert all(name in said for name in absent)


def test_each_of_several_trainings_has_a_checkpoint_of_its_own() -> None:
    run = Run("cpu", Path("out"), overwrite=True)
    assert run.part("first") == Run("cpu", Path("out/first"), overwrite=True)
    assert HERE.part("first") == HERE
