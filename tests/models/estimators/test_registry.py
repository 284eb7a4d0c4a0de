from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sample_examples import examples
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators import registry

# Those that need neither torch nor an encoder; the others have tests of their own.
PLAIN = [name for name in registry.OWN if name not in ("encoder", "gru")]
TRAIN = examples("train", 240, 1)
UNSEEN = examples("test", 60, 5).texts


def trained(name: str, seed: int = 0) -> registry.Model:
    return registry.create(name, seed=seed).fit(TRAIN.texts, TRAIN.biased)


def test_saved_models_say_the_same_in_a_new_process(tmp_path: Path) -> None:
    said = {}
    for name in PLAIN:
        model = trained(name)
        probabilities = model.predict_proba(UNSEEN)
        assert probabilities.shape == (60,)
        assert np.all((probabilities >= 0) & (probabilities <= 1))
        registry.save(model, tmp_path / name, {})
        said[name] = probabilities.tolist()
    program = (
        "import sys, json; from pathlib import Path; "
        "from wikibias.models.estimators import registry; "
        "texts = json.load(sys.stdin); "
        "said = {p.name: registry.load(p).predict_proba(texts).tolist() "
        "for p in Path(sys.argv[1]).iterdir()}; print(json.dumps(said))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        input=json.dumps(UNSEEN),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == said


def test_a_model_of_another_kind_leaves_no_file_of_the_one_before(tmp_path: Path) -> None:
    """Nor does it take what is not of that: other files, or such as a description made up."""
    registry.save(trained("fasttext"), tmp_path, {})
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path.parent / "outside").touch()
    described = registry.describe(tmp_path)
    assert list(described["files"]) == ["model.bin"]
    described["files"] = ["model.bin", "../outside", 3]
    (tmp_path / registry.DESCRIPTION).write_text(json.dumps(described), encoding="utf-8")
    registry.save(trained("lr"), tmp_path, {})
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["model.json", "model.skops", "notes.txt"]
    assert (tmp_path.parent / "outside").exists()


@pytest.mark.parametrize("name", PLAIN)
def test_the_same_seed_gives_the_same_model_twice_in_a_process(name: str) -> None:
    assert np.array_equal(trained(name).predict_proba(UNSEEN), trained(name).predict_proba(UNSEEN))


@pytest.mark.parametrize("name", PLAIN)
def test_no_sentence_and_an_unseen_word_are_no_trouble(name: str) -> None:
    model = trained(name)
    assert model.predict_proba([]).shape == (0,)
    assert not np.isnan(model.predict_proba(["цял", ""])).any()


def test_an_unknown_model_or_parameter_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'char-lr'"):
        registry.create("charlr")
    with pytest.raises(UsageError, match="did you mean 'alpha'"):
        registry.create("sgd", alhpa=1)


def test_damaged_and_missing_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=r"no model\.json in it"):
        registry.load(tmp_path)
    registry.save(trained("lr"), tmp_path, {})
    half = (tmp_path / "model.skops").read_bytes()[:200]
    (tmp_path / "model.skops").write_bytes(half)
    with pytest.raises(WikibiasError, match="not a model that can be read"):
        registry.load(tmp_path)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(WikibiasError, match=r"model\.json: damaged"):
        registry.load(tmp_path)
