"""What a model says of cases."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wikibias.config.stress_tests import load_stress_tests
from wikibias.errors import WikibiasError
from wikibias.models.estimators import registry
from wikibias.research.stress.answers import Answer, answer, answered_rows, only, read_answers, rows
from wikibias.research.stress.cases import Case, draw


def case(original: str, text: str, kind: str = "INV", *, biased: bool = False) -> Case:
    return Case(
        "made up", kind, "", original or text, original, text, biased or kind == "DIR", biased
    )


def test_a_saved_model_answers_cases_and_their_originals(tmp_path: Path) -> None:
    texts = ["the old town", "a truly great town", "the old street", "a truly great street"] * 5
    model = registry.create("nb-lr").fit(texts, np.array([False, True] * 10))
    registry.CLASSIFIERS.save(model, tmp_path, {})
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
    assert [each.case for each in only(answers, ["changed"])] == [other, biased, turned]
    neutral = [each.case for each in only(answers, ["neutral-templates"])]
    assert neutral == [same, other, turned]  # the original of a DIR case is neutral


def table(folder: Path, found: list[dict[str, Any]], name: str = "loaded.jsonl") -> Path:
    """Write rows of a table."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    return path


def test_what_is_written_and_predicted_is_read_again(tmp_path: Path) -> None:
    cases = draw(load_stress_tests("en"), count=20, seed=0)
    written = rows(Answer(case, "") for case in cases)
    assert len({(row["test"], row["text"]) for row in written}) <= len(written)
    assert len({row["item"] for row in written}) == len(written)
    path = table(tmp_path, [{**row, "predicted": "neutral", "model": "m"} for row in written])
    (found,) = read_answers(path).values()
    assert [each.case for each in found] == cases
    assert {each.original for each in found if each.case.original} == {"neutral"}
    assert {each.original for each in found if not each.case.original} == {""}


def test_answers_are_written_so_that_they_can_be_scored_again(tmp_path: Path) -> None:
    cases = draw(load_stress_tests("fr"), count=10, seed=0)
    answers = [Answer(case, "biased", "neutral" if case.original else "") for case in cases]
    assert read_answers(table(tmp_path, answered_rows({"m": answers}))) == {"m": answers}


def test_the_columns_of_released_files_do(tmp_path: Path) -> None:
    row = {"model": "x", "original": "An old town.", "changed": "An awful old town."}
    found = read_answers(table(tmp_path, [{**row, "expected": 1, "predicted": 0}]))
    (answer,) = found["x"]
    assert (answer.case.test, answer.case.kind) == ("loaded", "DIR")
    assert (answer.right, answer.original_right) == (False, None)
    assert answer.case.original_biased is False


def test_answers_of_language_models_are_joined_with_the_sentences_by_item(tmp_path: Path) -> None:
    cases = draw(load_stress_tests("en"), ["loaded"], count=3, seed=0)
    written = rows(Answer(case, "") for case in cases)
    said = [
        {"item": row["item"], "annotator": who, "bias": bias}
        for who, bias in (("one", "biased"), ("two", "?"))
        for row in written
    ]
    found = read_answers(table(tmp_path, said), table(tmp_path, written, "sentences.jsonl"))
    assert [each.predicted for each in found["one"]] == ["biased"] * 3
    assert [each.predicted for each in found["two"]] == ["?"] * 3
    assert [each.original_right for each in found["one"]] == [False] * 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"predicted": "maybe"}, ":1: predicted must be biased or neutral"),
        ({"expected": "?"}, ":1: expected is neither biased nor neutral"),
        ({"role": "original"}, "no case in it"),
        ({"predicted": None}, "no column called predicted, bias"),
        ({"text": None}, "no column called changed, text"),
    ],
)
def test_what_cannot_be_read_is_refused(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    row: dict[str, Any] = {"text": "a", "expected": "1", "predicted": "0", **change}
    path = table(tmp_path, [{name: cell for name, cell in row.items() if cell}])
    with pytest.raises(WikibiasError, match=said):
        read_answers(path)


def test_an_item_that_nobody_wrote_is_named(tmp_path: Path) -> None:
    sentences = table(tmp_path, [{"item": "s1", "text": "a", "expected": "1"}], "s.jsonl")
    with pytest.raises(WikibiasError, match=":1: no item 's9' in the file"):
        read_answers(table(tmp_path, [{"item": "s9", "bias": "1"}]), sentences)
