"""What an answer is found again by."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError
from wikibias.research.language_models.messages import (
    OWN,
    PROVIDERS,
    Decoding,
    Message,
    open_model,
    prompt_hash,
)

MESSAGES = (Message("system", "You read sentences."), Message("user", "The bridge is old."))
HASH = prompt_hash("small", "1", MESSAGES, Decoding())


def test_the_hash_is_the_same_tomorrow() -> None:
    assert HASH == "b66df63f63d31ae9edbf9faad1fdcc4ef87745e9707b32079eae9dbda5eb6ebc"


def test_whatever_an_answer_depends_on_changes_the_hash() -> None:
    others = [
        prompt_hash("large", "1", MESSAGES, Decoding()),
        prompt_hash("small", "2", MESSAGES, Decoding()),
        prompt_hash("small", "1", MESSAGES[1:], Decoding()),
        prompt_hash("small", "1", (replace(MESSAGES[0], role="user"), MESSAGES[1]), Decoding()),
        prompt_hash("small", "1", MESSAGES, Decoding(max_tokens=5)),
        prompt_hash("small", "1", MESSAGES, Decoding(seed=1)),
    ]
    assert len({HASH, *others}) == len(others) + 1


@given(st.text(), st.text())
def test_no_two_conversations_share_a_hash(first: str, second: str) -> None:
    apart = prompt_hash("m", "", (Message("user", first), Message("user", second)), Decoding())
    joined = prompt_hash("m", "", (Message("user", first + second),), Decoding())
    assert apart != joined


def test_half_a_character_has_a_hash_too() -> None:
    assert len(prompt_hash("m", "", (Message("user", "\ud800"),), Decoding())) == 64


def test_our_providers_are_known() -> None:
    assert PROVIDERS.own() == ("openai", "transformers") == tuple(OWN)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("small", "--model small: name the provider as well: openai:NAME, transformers:NAME"),
        ("openai:", "--model openai:: name the provider as well"),
        ("opnai:small", "unknown provider 'opnai'; did you mean 'openai'?"),
    ],
)
def test_a_wrong_name_says_what_to_type(where: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_model(where)
    assert str(caught.value).startswith(said)
