"""Sentences shaded by attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from blocks import of, quiet, says, words
from wikibias.kits.document import Styled, Text
from wikibias.kits.evaluation import Predictions
from wikibias.models.estimators import registry
from wikibias.models.estimators.pipelines import Majority
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.examples import Examples
from wikibias.reports.classifier_page import attention_section

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
    (found,) = attention_section(experiment(Looking()))
    told, shaded = quiet(found), [each for each in of(found, Text) if each.kind == ""]
    assert [each.split(",")[0] for each in told] == ["labelled biased"] + ["labelled neutral"] * 7
    assert [each.split("called ")[1].split(" ")[0] for each in told] == (
        ["biased"] * 4 + ["neutral"] * 4
    )
    assert words(shaded[0]) == SPLIT.texts[0]
    assert {Styled("a", "w2"), Styled("grand", "w5")} <= set(shaded[0].parts)
    assert "models of the folds" not in says(found)[0]


def test_of_folds_it_says_that_the_model_knows_them() -> None:
    (found,) = attention_section(experiment(Looking(), "cv"))
    assert "The probabilities come from models of the folds" in says(found)[0]


def test_a_model_without_attention_has_no_such_part() -> None:
    assert attention_section(experiment(registry.create("majority"))) == []
    looking: Any = Looking()
    assert attention_section(Experiment(looking, {})) == []
