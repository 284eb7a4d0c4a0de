"""Answers in the form of OpenAI's protocol, and all that is none."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.research.language_models.messages import LONGEST_ANSWER, Reply
from wikibias.research.language_models.openai_server import LostError, read_reply


def body(content: Any, **more: Any) -> bytes:
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], **more}).encode()


def test_an_answer_is_read_with_what_the_server_tells_of_it() -> None:
    told = body(
        "BIASED.",
        model="small-2",
        system_fingerprint="fp_1",
        usage={"prompt_tokens": 90, "completion_tokens": 3},
    )
    assert read_reply(told) == Reply("BIASED.", 90, 3, "stop", "small-2", "fp_1")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        (7, ""),
        ([{"type": "text", "text": "NOT "}, {"type": "text", "text": "BIASED"}, 3], "NOT BIASED"),
        ("a\x00b\x1b[31m", "a\x00b\x1b[31m"),
        ("half \ud800", "half ?"),
    ],
)
def test_whatever_an_answer_holds_it_is_text(content: Any, text: str) -> None:
    assert read_reply(body(content)).text == text


def test_a_refusal_in_words_is_an_answer() -> None:
    choice = {"message": {"content": None, "refusal": "I cannot."}}
    assert read_reply(json.dumps({"choices": [choice]}).encode()).text == "I cannot."


def test_a_long_answer_is_cut_with_a_mark() -> None:
    text = read_reply(body("x" * 10_000_000 + "</think>BIASED")).text
    assert " [cut: 10,000,014 characters] " in text
    assert text.endswith("</think>BIASED")
    assert len(text) < LONGEST_ANSWER + 50


@pytest.mark.parametrize("number", [-1, 10**30, "3", None, True, 2.5])
def test_odd_counts_of_tokens_count_as_not_told(number: Any) -> None:
    usage = {"prompt_tokens": number, "completion_tokens": number}
    reply = read_reply(body("x", usage=usage))
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (b"", "answers with nothing"),
        (b" \n", "answers with nothing"),
        (b'{"choices": [{"mess', r"no whole JSON \(19 bytes\)"),
        (b"<html>It works!</html>", "a web page, not JSON; check --base-url"),
        (b"\xff\xfe\x00", "no whole JSON"),
        (b"[" * 100_000, "no whole JSON"),
        (b"[]", "JSON that holds no answer"),
        (b'{"choices": []}', "JSON that holds no answer"),
        (b'{"choices": {"0": 1}}', "JSON that holds no answer"),
        (b'{"error": "overloaded"}', "JSON that holds no answer: overloaded"),
        (b'{"error": {"message": "full", "code": 502}}', "JSON that holds no answer: full"),
    ],
)
def test_what_is_no_answer_is_asked_for_again(told: bytes, said: str) -> None:
    with pytest.raises(LostError, match=said):
        read_reply(told)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["choices", "message", "content", "usage"]), inner)
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_json_breaks_the_reader(found: Any) -> None:
    with suppress(LostError):
        read_reply(json.dumps(found).encode())
