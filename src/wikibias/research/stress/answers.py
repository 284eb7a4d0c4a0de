"""Answers to the cases of stress tests: by a model, or from a table of predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wikibias.models.estimators import registry
from wikibias.models.prediction import reader
from wikibias.research.stress.cases import Case

Label = Literal["biased", "neutral", "?", ""]
"""What was said of a sentence: "?" is an answer that says neither, "" none."""
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said of a case, and of its original; "" of that where it is not known."""

    case: Case
    predicted: Label
    original: Label = ""

    @property
    def right(self) -> bool:
        """Whether the case was called what is expected of it."""
        return self.predicted == label(self.case.expected)

    @property
    def original_right(self) -> bool | None:
        """Whether the original was called what it is; None where nobody says."""
        return self.original == label(self.case.original_biased) if self.original else None


Answers = Mapping[str, Sequence[Answer]]
"""Answers by the name of the model."""


def label(biased: bool) -> Label:
    """Return a truth in words."""
    return "biased" if biased else "neutral"


def answer(folder: Path, cases: Sequence[Case]) -> list[Answer]:
    """Return what a model that `wikibias classify` made says of cases; each sentence once.

    Raises:
        UsageError: a library that the model needs is missing.
        WikibiasError: the folder holds no model of one label, or a damaged one.
    """
    read = reader(registry.describe(folder))
    model = registry.load(folder)
    texts = list(dict.fromkeys(text for case in cases for text in (case.original, case.text)))
    said: dict[str, Label] = {"": ""}
    texts = [text for text in texts if text]
    for start in range(0, len(texts), _AT_ONCE):
        batch = texts[start : start + _AT_ONCE]
        with registry.damage_named(folder):
            found = model.predict_proba([read(text) for text in batch])
        said.update(zip(batch, (label(bool(each > 0.5)) for each in found), strict=True))
    return [Answer(case, said[case.text], said[case.original]) for case in cases]


def only(
    answers: Sequence[Answer], *, neutral_templates: bool = False, changed: bool = False
) -> list[Answer]:
    """Return the answers that a choice leaves.

    Args:
        answers: of a model.
        neutral_templates: only cases whose original, or template, is neutral.
        changed: only cases that differ from their original.
    """
    return [
        each
        for each in answers
        if not (neutral_templates and each.case.original_biased)
        and not (changed and not each.case.changed)
    ]
