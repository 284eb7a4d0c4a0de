"""What a model says of cases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wikibias.errors import WikibiasError
from wikibias.models.estimators import registry
from wikibias.research.stress.answers import Answer, answer, only
from wikibias.research.stress.cases import Case


def case(original: str, text: str, kind: str = "INV", *, biased: bool = False) -> Case:
    return Case(
        "made up", kind, "", original or text, original, text, biased or kind == "DIR", biased
    )


def test_a_saved_model_answers_cases_and_their_originals(tmp_path: Path) -> None:
    texts = ["the old town", "a truly great town", "the old street", "a truly great street"] * 5
    model = registry.create("nb-lr").fit(texts, np.array([False, True] * 10))
    registry.save(model, tmp_path, {})
    cases = [case("the old town", "a truly great town", "DIR"), case("", "the old street", "MFT")]
    one, two = answer(tmp_path, cases)
    assert (one.original, one.predicted, one.original_right, one.right) == (
        "neutral",
        "biased",
        True,
        True,
    )
    assert (two.original, two.original_right, two.right) == ("", None, True)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=r"no model\.json in it"):
        answer(tmp_path, [])


def test_the_two_choices_of_the_authors_leave_cases_out() -> None:
    same, other = case("a", "a"), case("a", "b")
    biased, turned = case("a", "c", biased=True), case("a", "d", "DIR")
    answers = [Answer(each, "neutral") for each in (same, other, biased, turned)]
    assert [each.case for each in only(answers, changed=True)] == [other, biased, turned]
    neutral = [each.case for each in only(answers, neutral_templates=True)]
    assert neutral == [same, other, turned]  # the original of a DIR case is neutral
