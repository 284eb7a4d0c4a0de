"""Labels in answers: the two rules, the real answers, structured answers, hostile ones."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import CASES
from wikibias.config.prompts import Labels, load_prompt_task
from wikibias.research.annotation.prompts import Rule, answer_schema, read_label, read_structured

BIAS = load_prompt_task("bias").labels
WHOLE = Labels(BIAS.words)
FILE: dict[str, Any] = tomllib.loads((CASES / "model_answers.toml").read_text("utf-8"))
# Words of which one lies in another, over other letters, which overlap themselves and each other.
SMALL = Labels({"x": ("a", "ab b"), "y": ("b a", "ab b a"), "z": ("bab",)}, whole_words=False)
RULES: tuple[Rule, ...] = get_args(Rule)


def slow(answer: str, labels: Labels, rule: Rule) -> str:
    """Return the label by the rule as it is stated: all hits, less those inside a longer one."""
    hits = []
    for label, words in labels.words.items():
        for word in words:
            place = answer.find(word)
            while place >= 0:
                hits.append((place, place + len(word), label))
                place = answer.find(word, place + len(word))
    counted = Counter(
        label
        for start, end, label in hits
        if not any(a <= start and end <= b and b - a > end - start for a, b, _ in hits)
    )
    if rule == "distinct":
        return next(iter(counted)) if len(counted) == 1 else "?"
    best = [label for label, count in counted.items() if count == max(counted.values())]
    return best[0] if len(best) == 1 else "?"


@given(st.text(alphabet="ab ", max_size=40))
def test_it_does_what_the_slow_version_does(answer: str) -> None:
    for rule in RULES:
        assert read_label(answer, SMALL, rule) == slow(answer, SMALL, rule)


@given(st.text(max_size=60), st.booleans())
def test_any_text_gives_a_label_or_a_question_mark(answer: str, whole: bool) -> None:
    for rule in RULES:
        assert read_label(answer, Labels(BIAS.words, whole), rule) in {*BIAS.words, "?"}
    assert read_structured(answer, BIAS) in {*BIAS.words, "?"}


@pytest.mark.parametrize("case", FILE["case"], ids=lambda case: case["why"])
def test_an_answer_says(case: dict[str, Any]) -> None:
    words = {label: tuple(each) for label, each in case.get("labels", FILE["labels"]).items()}
    labels = Labels(words, case.get("whole_words", True))
    assert read_label(case["answer"], labels) == case["distinct"]
    most = case.get("most_frequent", case["distinct"])
    assert read_label(case["answer"], labels, "most-frequent") == most


@pytest.mark.parametrize(
    ("kind", "rule", "counts"),
    [
        ("short", "distinct", {"?": 58}),
        ("short", "most-frequent", {"?": 58}),
        ("full", "distinct", {"?": 29, "biased": 2, "neutral": 1}),
        ("full", "most-frequent", {"biased": 17, "neutral": 5, "?": 10}),
    ],
)
def test_real_answers(shared: Path, kind: str, rule: Rule, counts: dict[str, int]) -> None:
    lines = (shared / "annotation" / "raw_answers.jsonl").read_text("utf-8").splitlines()
    answers = [row["answer"] for row in map(json.loads, lines) if row["kind"] == kind]
    assert Counter(read_label(answer, BIAS, rule) for answer in answers) == counts


@pytest.mark.parametrize(
    ("setting", "counts"),
    [("0-shot-chat", {"neutral": 69, "biased": 1, "?": 10}), ("2-shot", {"biased": 60})],
)
def test_real_answers_of_a_small_model(shared: Path, setting: str, counts: dict[str, int]) -> None:
    lines = (shared / "annotation" / "raw_answers_smollm2.jsonl").read_text("utf-8").splitlines()
    answers = [row["answer"] for row in map(json.loads, lines) if row["setting"] == setting]
    assert Counter(read_label(answer, BIAS) for answer in answers) == counts


@pytest.mark.parametrize("labels", [BIAS, WHOLE], ids=["within words", "whole words"])
@pytest.mark.parametrize(
    "unit", ["biased ", "<think>", "not ", "notbiased", "not    biased ", "\u0301"]
)
def test_a_hostile_answer_takes_linear_time(unit: str, labels: Labels) -> None:
    began = process_time()
    for rule in RULES:
        read_label(unit * (2_000_000 // len(unit)), labels, rule)
    assert process_time() - began < 20  # seconds; squared, it would be days


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ('{"label": "NOT BIASED"}', "neutral"),
        (' {"explanation": "It says BIASED.", "label": "not biased"}\n', "neutral"),
        ('{"label": "neutral"}', "neutral"),
        ('<think>NOT BIASED?</think>\n{"label": "BIASED"}', "biased"),
        ('{"label": "BIASED"', "?"),
        ('{"label": "BIASED"} {"label": "BIASED"}', "?"),
        ('{"label": "BIASED", "label": "NOT BIASED"}', "?"),
        ('{"label": "maybe BIASED"}', "?"),
        ('{"label": ["BIASED"]}', "?"),
        ('["BIASED"]', "?"),
        ("BIASED", "?"),
        ("", "?"),
        ("[" * 100_000, "?"),
        ("9" * 10_000, "?"),
    ],
)
def test_a_structured_answer_is_read_whole_or_not(answer: str, label: str) -> None:
    assert read_structured(answer, BIAS) == label


def test_the_schema_asks_for_reasons_first() -> None:
    assert answer_schema(BIAS, explain=False) == {
        "type": "object",
        "properties": {"label": {"type": "string", "enum": ["BIASED", "NOT BIASED"]}},
        "required": ["label"],
        "additionalProperties": False,
    }
    assert list(answer_schema(BIAS, explain=True)["properties"]) == ["explanation", "label"]
