"""Reads an answer in the form of OpenAI's chat completions; what a server sends is hostile."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from wikibias.research.language_models.messages import Reply, bounded
from wikibias.research.language_models.retries import LostError

_LONGEST_NAME = 200
_MOST_TOKENS = 100_000_000


def read_reply(body: bytes, safe: Callable[[str], str] = str) -> Reply:
    """Return the answer in a body; one without words is an answer too, of no letters.

    Args:
        body: what came.
        safe: makes a line of what a server says, without the key.

    Raises:
        LostError: it is not what the protocol says: cut off, no JSON, no choice in it.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise LostError(f"the server answers with {_instead(body)}") from error
    choice = _first(_get(found, "choices"))
    message = _get(choice, "message")
    if not isinstance(message, dict):
        fault = _get(found, "error")
        said = fault if isinstance(fault, str) else _text(_get(fault, "message"))
        why = f": {safe(said)}" if said else ""
        raise LostError(f"the server answers with JSON that holds no answer{why}")
    usage = _get(found, "usage")
    return Reply(
        text=bounded(_text(message.get("content")) or _text(message.get("refusal"))),
        tokens_in=_tokens(_get(usage, "prompt_tokens")),
        tokens_out=_tokens(_get(usage, "completion_tokens")),
        finish=_name(_get(choice, "finish_reason")),
        model=_name(_get(found, "model")),
        version=_name(_get(found, "system_fingerprint")),
    )


def _instead(body: bytes) -> str:
    """Return what a body is that is no JSON."""
    if not body.strip():
        return "nothing"
    if body.lstrip().startswith(b"<"):
        return "a web page, not JSON; check --base-url"
    return f"no whole JSON ({len(body):,} bytes)"


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
