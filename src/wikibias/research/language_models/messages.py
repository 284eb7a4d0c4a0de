"""What goes to a language model, and what comes back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Literal

from wikibias.errors import WikibiasError

LONGEST_ANSWER = 20_000
"""Characters; those asked for are some hundred, with an explanation some thousand."""
REFUSED = "refused"
"""Stands for the end of an answer that there is none of: the server refuses this one question."""
Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a language model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is made.

    Attributes:
        temperature: 0 for the most likely words.
        max_tokens: how long an answer may be.
        seed: of what is drawn, where the temperature is above 0.
        schema: the JSON schema that the answer is to follow, or None for free text.
    """

    temperature: float = 0.0
    max_tokens: int = 256
    seed: int = 0
    schema: Mapping[str, Any] | None = None


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
        "decoding": asdict(decoding),
    }
    told = json.dumps(asked, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(told.encode()).hexdigest()
