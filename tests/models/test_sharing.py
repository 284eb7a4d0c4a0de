"""A model as it is shared: nothing of this machine, no sentences of others."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sample_examples import examples
from wikibias.errors import WikibiasError
from wikibias.models.estimators import registry
from wikibias.models.examples import Splits
from wikibias.models.results import files_of, metadata
from wikibias.models.training import Task, run_model

library = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return the folder of a model that was trained on files of this machine."""
    parts = {name: examples(name, 240, n) for n, name in enumerate(("train", "dev", "test"))}
    home = tmp_path / "home"
    named = {name: replace(part, name=f"{home}/{name}.tsv") for name, part in parts.items()}
    run_model("sgd", Task(Splits(named), tmp_path / "m", lang="fr", resamples=20))
    return tmp_path / "m"


def test_what_is_shared_can_be_loaded_and_names_no_place(model: Path, tmp_path: Path) -> None:
    files = files_of(model, tmp_path / "scratch")
    assert set(files) == {"README.md", "model.json", "model.skops", "scores.json"}
    for path in files.values():
        assert str(tmp_path).encode() not in path.read_bytes()
    shared = tmp_path / "shared"
    shared.mkdir()
    for name, path in files.items():
        (shared / name).write_bytes(path.read_bytes())
    text = ["it is truly the greatest"]
    shared_model, own = registry.load(shared), registry.load(model)
    assert shared_model.predict_proba(text).tolist() == own.predict_proba(text).tolist()


def test_the_card_tells_scores_as_they_are(model: Path, tmp_path: Path) -> None:
    files = files_of(model, tmp_path / "scratch")
    card = library.ModelCard.load(files["README.md"])
    scores = json.loads((model / "scores.json").read_text(encoding="utf-8"))
    for result in card.data.eval_results:
        known = scores[result.dataset_split][result.metric_type]["value"]
        assert result.metric_value == known
    assert card.data.language == "fr"


def test_scores_of_tiny_sets_are_no_figures_of_the_hub(model: Path, tmp_path: Path) -> None:
    scores = json.loads((model / "scores.json").read_text(encoding="utf-8"))
    scores["warnings"] = ["dev: too few sentences to judge a model by (2)"]
    (model / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    card = library.ModelCard.load(files_of(model, tmp_path / "scratch")["README.md"])
    assert {result.dataset_split for result in card.data.eval_results} == {"test"}


def test_a_language_that_has_no_code_is_left_out() -> None:
    assert "language" not in metadata({"model": "sgd", "lang": "fr\n---"})
    assert "language" not in metadata({"model": "sgd", "lang": None})


def test_half_a_model_is_not_shared(model: Path, tmp_path: Path) -> None:
    (model / "scores.json").unlink()
    with pytest.raises(WikibiasError, match="train the model again"):
        files_of(model, tmp_path / "scratch")
