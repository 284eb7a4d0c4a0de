"""Language models found by `PROVIDER:NAME`."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError
from wikibias.research.language_models.messages import OWN, PROVIDERS, open_model


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
