"""Reads an answer in the form of OpenAI's chat completions; what a server sends is hostile."""

from __future__ import annotations

import json
from typing import Any

from wikibias.models.language_models.messages import Reply, bounded
from wikibias.models.language_models.retries import LostError

_LONGEST_NAME = 200
_MOST_TOKENS = 100_000_000


def read_reply(body: bytes) -> Reply:
    """Return the answer in a body; one without words is an answer too, of no letters.

    Raises:
        LostError: it is not what the protocol says: cut off, no JSON, no choice in it.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        what = "nothing" if not body.strip() else f"no whole JSON ({len(body):,} bytes)"
        if body.lstrip().startswith(b"<"):
            what = "a page, not with JSON; check --base-url"
        raise LostError(f"the server answers with {what}") from error
    choice = _first(_get(found, "choices"))
    message = _get(choice, "message")
    if not isinstance(message, dict):
        if said := _name(_get(_get(found, "error"), "message")):
            raise LostError(f"the server answers with an error: {said}")
        raise LostError("the server answers with JSON that holds no answer")
    usage = _get(found, "usage")
    return Reply(
        text=bounded(_text(message.get("content")) or _text(message.get("refusal"))),
        tokens_in=_tokens(_get(usage, "prompt_tokens")),
        tokens_out=_tokens(_get(usage, "completion_tokens")),
        finish=_name(_get(choice, "finish_reason")),
        model=_name(_get(found, "model")),
        version=_name(_get(found, "system_fingerprint")),
    )


def _get(found: Any, key: str) -> Any:
    return found.get(key) if isinstance(found, dict) else None


def _first(found: Any) -> Any:
    return found[0] if isinstance(found, list) and found else None


def _text(content: Any) -> str:
    """Return a content: a string, or some servers' list of parts."""
    if isinstance(content, list):
        return "".join(_text(_get(part, "text")) for part in content)
    return content if isinstance(content, str) else ""


def _tokens(number: Any) -> int | None:
    known = isinstance(number, int) and not isinstance(number, bool)
    return number if known and 0 <= number <= _MOST_TOKENS else None


def _name(said: Any) -> str:
    return bounded(said, _LONGEST_NAME) if isinstance(said, str) else ""
