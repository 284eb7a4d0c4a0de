"""Language models: what goes to them, what comes back, and how to find one by name."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from ipaddress import ip_address
from typing import Literal, Protocol, runtime_checkable

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import Registry, check_arguments

LONGEST_ANSWER = 20_000
"""Characters; those asked for are some hundred, with an explanation some thousand."""
REFUSED = "refused"
"""Stands for the end of an answer that there is none of: the server refuses this one question."""
TEMPERATURE = 0.0
"""Of each answer: the most likely words."""
Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a language model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is made: its most tokens, and a seed, which some servers heed all the same."""

    max_tokens: int = 256
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model answered.

    Attributes:
        text: the answer, raw.
        tokens_in: how many tokens the messages had; None where the server does not say.
        tokens_out: likewise of the answer.
        finish: why it ended, as the server says it: "stop", "length", ...; or `REFUSED`.
        model: the name under which the server answered.
        version: what the server says of its version.
        left_out: what of the decoding the server refuses to be told, parted by commas.
    """

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""
    model: str = ""
    version: str = ""
    left_out: str = ""


def bounded(text: str, most: int = LONGEST_ANSWER) -> str:
    """Return text that can be written in UTF-8; of a longer one the middle is cut, with a mark.

    A model that thinks aloud gives its answer at the end.
    """
    if len(text) > most:
        text = f"{text[: most // 2]} [cut: {len(text):,} characters] {text[-(most // 2) :]}"
    return text.encode(errors="replace").decode()


class NoAnswerError(WikibiasError):
    """There is no answer to these messages, though there may be one to others."""


class RefusedError(NoAnswerError):
    """Whoever is asked refuses these messages: asking again would not help."""


def prompt_hash(model: str, version: str, messages: Sequence[Message], decoding: Decoding) -> str:
    """Return by what an answer is found again: one hash of all that it depends on."""
    asked = {
        "model": model,
        "version": version,
        "messages": [[message.role, message.content] for message in messages],
        # As keys of earlier versions had it.
        "decoding": {"temperature": TEMPERATURE, **asdict(decoding), "schema": None},
    }
    key = json.dumps(asked, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(key.encode()).hexdigest()


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


Provider = Callable[..., LanguageModel]
"""Makes the model of a name, with options by their names; or raises UsageError."""
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
        UsageError: no such provider, it takes no such option, or has no such model.
    """
    provider, colon, name = where.partition(":")
    if not colon or not name:
        known = ", ".join(f"{each}:NAME" for each in PROVIDERS.names())
        raise UsageError(f"--model {where}: name the provider as well: {known}")
    make = PROVIDERS[provider]
    given = {key: value for key, value in (options or {}).items() if value is not None}
    check_arguments(f"provider {provider!r}", make, {"name", *given})
    return make(name, **given)


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches a host."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
