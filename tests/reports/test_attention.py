"""Sentences shaded by attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wikibias.kits.evaluation import Predictions
from wikibias.models.estimators import registry
from wikibias.models.estimators.pipelines import Majority
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.examples import Examples
from wikibias.reports.attention import ShadedWord, shaded

SPLIT = Examples(
    "test",
    ["a <b>grand</b> mill"] + [f"mill {n}" for n in range(20)],
    np.array([True] + [False] * 20),
    np.arange(1, 22),
)


class Looking(Majority):
    """Attends to `grand` twice as much as to the first word, and to no other."""

    def attention(self, texts: Sequence[str]) -> list[list[tuple[tuple[int, int], float]]]:
        """Return two words."""
        found = []
        for text in texts:
            at = text.find("grand")
            words = [((0, 1), 1 / 3)] + ([((at, at + 5), 2 / 3)] if at > 0 else [])
            found.append(words)
        return found


def experiment(model: Any, split: str = "test") -> Experiment:
    probabilities = np.linspace(0.9, 0.1, len(SPLIT))
    outcome = Outcome(SPLIT, Predictions.of(probabilities), {}, {})
    return Experiment(model, {split: outcome})


def test_the_surest_of_each_decision_are_shaded() -> None:
    found = shaded(experiment(Looking()))
    assert found is not None
    assert [each.label for each in found.sentences] == ["biased"] + ["neutral"] * 7
    assert [each.called for each in found.sentences] == ["biased"] * 4 + ["neutral"] * 4
    first = found.sentences[0].pieces
    assert "".join(piece.text for piece in first) == SPLIT.texts[0]
    assert first[0] == ShadedWord("a", 2)
    assert ShadedWord("grand", 5) in first
    assert "models of the folds" not in found.lead


def test_of_folds_it_says_that_the_model_knows_them() -> None:
    found = shaded(experiment(Looking(), "cv"))
    assert found is not None
    assert "The probabilities come from models of the folds" in found.lead


def test_a_model_without_attention_has_no_such_part() -> None:
    assert shaded(experiment(registry.create("majority"))) is None
    looking: Any = Looking()
    assert shaded(Experiment(looking, {})) is None
