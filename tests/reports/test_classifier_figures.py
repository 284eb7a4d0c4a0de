"""The figures of classifiers: what they say in words, and that any name is text in them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from sample_examples import as_examples
from wikibias.kits.evaluation import Predictions
from wikibias.models.evaluation.experiment import Outcome, evaluated
from wikibias.models.grid_search import Grid
from wikibias.models.training import GridResult
from wikibias.reports import classifier_figures


def outcome(labels: str, probabilities: list[float]) -> Outcome:
    rows = [("biased" if label == "b" else "neutral", f"{n}") for n, label in enumerate(labels)]
    predicted = Predictions.of(np.array(probabilities))
    return evaluated(as_examples("x", rows), predicted, 0.5, resamples=20)


def test_the_words_say_what_one_sees() -> None:
    found = classifier_figures.of_outcome("test", outcome("bbnn", [0.9, 0.2, 0.4, 0.7]))
    assert found["confusion"].alt == (
        "Of 2 sentences labelled biased the model calls 1 biased; of 2 labelled neutral it calls 1 "
        "neutral."
    )
    assert "F1 0.500 (0.667), Accuracy 0.500 (0.500), MCC 0.000 (0.000)" in found["scores"].alt
    assert found["reliability"].alt == (
        "The share labelled biased is 100% where it says 0.20; 0% where it says 0.40; "
        "0% where it says 0.70; 100% where it says 0.90."
    )


def test_scores_that_are_not_defined_are_left_out() -> None:
    found = classifier_figures.of_outcome("test", outcome("bb", [0.9, 0.2]))
    assert "ROC-AUC –" in found["scores"].alt
    assert "nan" not in found["scores"].markup


def test_names_of_parameters_are_text() -> None:
    evil = "</text><script>x</script>$\\x1b"
    rows = [{"n": n, "alpha": f"{evil}{n}", "f1": (None, 0.5, 0.7)[n]} for n in range(3)]
    grid = Grid("lr", "f1", {"alpha": [row["alpha"] for row in rows]})
    (drawing,) = classifier_figures.of_grid(GridResult(grid, rows, rows[2], 0.6)).values()
    ET.fromstring(drawing.file())
    assert "<script>" not in drawing.markup
    assert drawing.alt.endswith(f"{evil}2 (chosen) 0.700, up to 0.700.")
