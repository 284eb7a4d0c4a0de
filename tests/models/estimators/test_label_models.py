"""Models of several labels: each label is learnt from the sentences that are judged by it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sample_examples import examples
from wikibias.errors import WikibiasError
from wikibias.models.estimators import label_models, registry

TRAIN = examples("train", 240, 1)
UNSEEN = examples("test", 60, 5).texts
NAMES = ["tone", "length"]
LONG = np.array([len(text) for text in TRAIN.texts]) > np.median([*map(len, TRAIN.texts)])
LABELS = np.stack([TRAIN.biased, LONG], axis=1)
JUDGED = np.ones(LABELS.shape, dtype=bool)


@pytest.mark.parametrize("name", ["lr", "nb-lr", "sgd", "majority"])
def test_each_label_is_that_of_a_model_of_its_own(name: str, tmp_path: Path) -> None:
    judged = JUDGED.copy()
    judged[:100, 1] = False
    model = label_models.create(name, seed=3).fit_labels(TRAIN.texts, LABELS, judged, NAMES)
    found = model.predict_labels(UNSEEN)
    assert found.shape == (60, 2)
    alone = registry.create(name, seed=3).fit(TRAIN.texts[100:], LONG[100:])
    assert np.array_equal(found[:, 1], alone.predict_proba(UNSEEN))

    for _ in range(2):  # the second takes the place of the first
        registry.save(model, tmp_path, {"labels": NAMES})
    assert registry.labels_of(registry.describe(tmp_path)) == NAMES
    assert np.array_equal(label_models.load(tmp_path).predict_labels(UNSEEN), found)


def test_a_label_without_both_classes_is_named() -> None:
    nothing = np.stack([TRAIN.biased, np.zeros(len(TRAIN), dtype=bool)], axis=1)
    with pytest.raises(WikibiasError, match="label length: none of 240 sentences"):
        label_models.create("lr").fit_labels(TRAIN.texts, nothing, JUDGED, NAMES)


def test_models_of_one_and_of_several_labels_are_told_apart(tmp_path: Path) -> None:
    several = label_models.create("lr").fit_labels(TRAIN.texts, LABELS, JUDGED, NAMES)
    registry.save(several, tmp_path / "several", {"labels": NAMES})
    with pytest.raises(WikibiasError, match="a model of several labels, not of one"):
        registry.load(tmp_path / "several")
    registry.save(registry.create("lr").fit(TRAIN.texts, TRAIN.biased), tmp_path / "one", {})
    with pytest.raises(WikibiasError, match="a model of one label, not of several"):
        label_models.load(tmp_path / "one")


def test_a_description_that_names_other_files_is_refused(tmp_path: Path) -> None:
    model = label_models.create("lr").fit_labels(TRAIN.texts, LABELS, JUDGED, NAMES)
    registry.save(model, tmp_path, {"labels": NAMES})
    path = tmp_path / registry.DESCRIPTION
    described = json.loads(path.read_text(encoding="utf-8"))
    described["models"][0]["files"] = ["../../model.skops"]
    path.write_text(json.dumps(described), encoding="utf-8")
    with pytest.raises(WikibiasError, match="names no file"):
        label_models.load(tmp_path)
    described["models"][0]["files"] = ["other.skops"]
    path.write_text(json.dumps(described), encoding="utf-8")
    with pytest.raises(WikibiasError, match=r"0-other\.skops: cannot be read"):
        label_models.load(tmp_path)
