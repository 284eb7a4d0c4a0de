"""What a browser may send, and what of it becomes a row."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.config.guidelines import load_guidelines
from wikibias.errors import UsageError
from wikibias.research.annotation.labelling.rounds import LONGEST_COMMENT, feedback, judgement

BIAS, TYPES = load_guidelines("bias"), load_guidelines("bias-types")
TEXT = "The dreadful regime fell."


def test_one_choice_becomes_its_value() -> None:
    said = {"answers": {"bias": "biased"}, "comment": " why \n"}
    assert judgement(BIAS, TEXT, said) == {"bias": "biased", "comment": "why"}


def test_several_become_a_list_in_the_order_of_the_guidelines() -> None:
    said: dict[str, Any] = {"answers": {"bias_types": ["demographic", "framing", "framing"]}}
    said["spans"] = [{"start": 13, "end": 19, "label": "framing"}] * 2
    said["spans"] += [{"start": 4, "end": 12, "label": "framing"}]
    assert judgement(TYPES, TEXT, said) == {
        "bias_types": ["framing", "demographic"],
        "spans": [
            {"start": 4, "end": 12, "label": "framing"},
            {"start": 13, "end": 19, "label": "framing"},
        ],
        "comment": "",
    }


def test_none_of_several_is_an_answer() -> None:
    assert judgement(TYPES, TEXT, {"answers": {"bias_types": []}})["bias_types"] == []


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"answers": []},
        {"answers": {}},
        {"answers": {"bias_types": "framing"}},
        {"answers": {"bias_types": ["other"]}},
        {"answers": {"bias_types": [["framing"]]}},
        {"answers": {"bias_types": [{}]}},
        {"answers": {"bias_types": []}, "comment": "x" * (LONGEST_COMMENT + 1)},
        {"answers": {"bias_types": []}, "comment": "\ud800"},
        {"answers": {"bias_types": []}, "comment": 1},
        {"answers": {"bias_types": []}, "spans": {}},
        {"answers": {"bias_types": []}, "spans": [{}] * 501},
        {"answers": {"bias_types": []}, "spans": [1]},
        {"answers": {"bias_types": []}, "spans": [{"start": 0, "end": 99, "label": "framing"}]},
        {"answers": {"bias_types": []}, "spans": [{"start": 3, "end": 3, "label": "framing"}]},
        {"answers": {"bias_types": []}, "spans": [{"start": -1, "end": 3, "label": "framing"}]},
        {"answers": {"bias_types": []}, "spans": [{"start": True, "end": 3, "label": "framing"}]},
        {"answers": {"bias_types": []}, "spans": [{"start": 0, "end": 3, "label": "loaded"}]},
        {"answers": {"bias_types": []}, "spans": [{"start": 0, "end": 3, "label": ["framing"]}]},
    ],
)
def test_what_is_no_answer_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        judgement(TYPES, TEXT, said)


def test_a_question_must_be_answered() -> None:
    with pytest.raises(UsageError, match="Choose one of biased, neutral"):
        judgement(BIAS, TEXT, {"answers": {}})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["answers", "bias_types", "spans", "start", "end", "label", "comment"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["answers", "spans", "comment"]), _JSON))
def test_anything_else_is_refused(said: dict[str, Any]) -> None:
    with suppress(UsageError):
        assert set(judgement(TYPES, TEXT, said)) == {"bias_types", "spans", "comment"}


def test_practice_says_whether_it_was_right_and_why() -> None:
    practice = TYPES.practice[0]
    told = feedback(TYPES, practice, {"bias_types": ["framing"]})
    assert told == {
        "right": False,
        "said": "Framing",
        "expected": "Framing, Epistemological",
        "why": practice.why,
    }
    assert feedback(TYPES, practice, {"bias_types": ["epistemological", "framing"]})["right"]
    assert feedback(TYPES, practice, {"bias_types": []})["said"] == "None of these"
