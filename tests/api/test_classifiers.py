from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import wikibias


def test_predictions_are_those_of_the_command(workplace: Path) -> None:
    sentences = list(wikibias.load_corpus("corpora/en", "test")["text"])
    classifier = wikibias.load_classifier("corpora/en/models/sgd")
    done = subprocess.run(
        [sys.executable, "-m", "wikibias", "predict", "corpora/en/models/sgd"],
        input="\n".join(sentences),
        capture_output=True,
        text=True,
        check=True,
    )
    told = [float(line.split("\t")[0]) for line in done.stdout.splitlines()]
    np.testing.assert_allclose(classifier.predict(sentences), told, atol=1e-6)
    assert (classifier.name, classifier.lang) == ("sgd", "en")


def test_a_blank_sentence_has_no_probability(workplace: Path) -> None:
    classifier = wikibias.load_classifier("corpora/en/models/sgd")
    blank, full = classifier.predict([" ", "It is truly the finest."])
    assert np.isnan(blank)
    assert 0 <= full <= 1
    assert len(classifier.predict([])) == 0


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(wikibias.WikibiasError, match="give the folder"):
        wikibias.load_classifier(tmp_path)
