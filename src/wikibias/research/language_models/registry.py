"""Finds language models by name: `PROVIDER:NAME`. Imports no heavy library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from wikibias.errors import UsageError
from wikibias.kits.plugins import Registry, check_arguments
from wikibias.research.language_models.messages import Decoding, Message, NoAnswerError, Reply


class LanguageModel(Protocol):
    """Answers messages.

    `answer` may be called from several threads at once, unless the model is a `BatchModel`.
    """

    name: str
    """As it was asked for, without its provider."""

    def version(self) -> str:
        """Return what tells this version of the model from others, or "" where nobody knows."""
        ...

    def answer(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        """Return the answer to messages.

        Raises:
            NoAnswerError: there is none for these messages; others may have one.
            WikibiasError: no other messages would be answered either.
        """
        ...


@runtime_checkable
class BatchModel(Protocol):
    """What a model has that answers several messages in one go, on this machine."""

    batch: int
    """How many it takes at a time."""

    def answer_all(
        self, asked: Sequence[Sequence[Message]], decoding: Decoding
    ) -> list[Reply | NoAnswerError]:
        """Return an answer to each, or why there is none."""
        ...


class Provider(Protocol):
    """Makes language models; called with the name, and with options by their names."""

    def __call__(self, name: str) -> LanguageModel:
        """Return a model.

        Raises:
            UsageError: there is none of that name, or a library is missing.
        """
        ...


CONCURRENCY = 4
"""How many questions are under way at once, unless the user says so."""
OWN: Mapping[str, str] = {
    "openai": "wikibias.research.language_models.openai_server:open_model",
    "transformers": "wikibias.research.language_models.local:open_model",
}
"""A server that speaks OpenAI's protocol; a model of the transformers library on this machine."""
PROVIDERS: Registry[Provider] = Registry("provider", "wikibias.language_models", OWN)


def open_model(where: str, options: Mapping[str, object] | None = None) -> LanguageModel:
    """Return the language model that `PROVIDER:NAME` names.

    Args:
        where: the provider and the name of its model.
        options: of the provider, by name; those that are None are left out.

    Raises:
        UsageError: no such provider, it takes no such option, or see `Provider`.
    """
    provider, colon, name = where.partition(":")
    if not colon or not name:
        known = ", ".join(f"{each}:NAME" for each in PROVIDERS.names())
        raise UsageError(f"--model {where}: name the provider as well: {known}")
    make = PROVIDERS[provider]
    given = {key: value for key, value in (options or {}).items() if value is not None}
    check_arguments(f"provider {provider!r}", make, {"name", *given})
    return make(name, **given)
