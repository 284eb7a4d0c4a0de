"""Sends requests to a server with the `openai` client, and bounds what comes back.

Every fault becomes one of ours, so that no other module knows this library.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

import httpx2
import openai

from wikibias.errors import UnreachableError
from wikibias.research.language_models.retries import LostError

MOST_BYTES = 32_000_000
"""Of an answer with all that stands around it; what is longer is not read to its end."""
NO_MONEY = "insufficient_quota"
_CONNECT = 10.0
_LONGEST_SAID = 200
_MOST_OF_ERROR = 65_536
_SAID = "wikibias.said"


class StatusError(Exception):
    """The server refuses: with an HTTP status, its own words, and perhaps a Retry-After."""

    def __init__(self, status: int, said: str, retry_after: str | None) -> None:
        super().__init__(f"HTTP {status}{f': {said}' if said else ''}")
        self.status, self.said, self.retry_after = status, said, retry_after


class Client:
    """Sends requests to one server; several threads may use it at once.

    Args:
        base_url: where it is, up to `/v1`.
        key: what it knows us by; never part of a message.
        timeout: seconds for a whole answer.
        proxies: go through the proxy that the environment names.
        own: send what else the environment holds for OpenAI: organization, project.
    """

    def __init__(
        self, base_url: str, key: str, timeout: float, *, proxies: bool, own: bool
    ) -> None:
        limit = openai.Timeout(timeout, connect=min(_CONNECT, timeout))
        self._base_url, self._key, self._timeout = base_url, key, timeout
        self._reached = False
        self._client = openai.OpenAI(
            api_key=key,
            base_url=base_url,
            max_retries=0,
            timeout=limit,
            # Compressed, a small answer could fill the memory.
            default_headers={"Accept-Encoding": "identity"},
            http_client=openai.DefaultHttpxClient(
                timeout=limit,
                # A redirect would carry sentences to whom nobody named.
                follow_redirects=False,
                trust_env=proxies,
                event_hooks={"response": [_read_error]},
            ),
        )
        if not own:
            self._client.organization = self._client.project = None

    def complete(self, request: Mapping[str, Any]) -> bytes:
        """Send a request for a chat completion, and return the body of the answer.

        Raises:
            StatusError: the server refuses.
            LostError: the line was cut, or the answer takes too long or is too large.
            UnreachableError: nobody has ever answered there.
        """
        deadline = time.monotonic() + self._timeout
        try:
            create = self._client.chat.completions.with_streaming_response.create
            with create(**request) as answer:
                self._reached = True
                return self._body(answer.iter_bytes(), deadline)
        except openai.APIStatusError as error:
            self._reached = True
            said = self.safe(_message(error.response.extensions.get(_SAID, b"")))
            after = error.response.headers.get("Retry-After")
            raise StatusError(error.status_code, said, after) from None
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            if not self._reached:
                raise self._silent(error) from None
            raise self._late() from None
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError) as error:
            reason = self.safe(_reason(error))
            if isinstance(error.__cause__, httpx2.ConnectError) and not self._reached:
                raise self._unreachable(reason) from None
            self._reached = True
            raise LostError(f"the line was cut ({reason})") from None

    def _body(self, chunks: Iterable[bytes], deadline: float) -> bytes:
        body = bytearray()
        for chunk in chunks:
            body += chunk
            if len(body) > MOST_BYTES:
                raise LostError(f"the server sends more than {MOST_BYTES / 1e6:,.0f} MB")
            if time.monotonic() > deadline:  # a byte now and then holds a connection for ever
                raise self._late()
        return bytes(body)

    def _late(self) -> LostError:
        return LostError(f"no whole answer within {self._timeout:g} seconds (--timeout)")

    def _silent(self, error: Exception) -> UnreachableError:
        if isinstance(error.__cause__, httpx2.ConnectTimeout):
            return self._unreachable("no answer")
        return UnreachableError(
            f"{self._base_url} does not answer within {self._timeout:g} seconds; give it longer "
            "with --timeout, or check --base-url"
        )

    def _unreachable(self, reason: str) -> UnreachableError:
        return UnreachableError(
            f"{self._base_url} cannot be reached ({reason}); start the server, or check --base-url"
        )

    def safe(self, said: str) -> str:
        """Return what others said in a line, without the key: some servers repeat it."""
        return " ".join(said.replace(self._key, "***").split())[:_LONGEST_SAID]


def _read_error(response: httpx2.Response) -> None:
    """Keep the beginning of what a refusal says: the client itself would read all of it."""
    if response.is_success:
        return
    said = bytearray()
    try:
        for chunk in response.stream:  # type: ignore[union-attr]
            said += chunk
            if len(said) >= _MOST_OF_ERROR:
                break
    except httpx2.HTTPError:
        pass  # the status says enough
    response.extensions[_SAID] = bytes(said[:_MOST_OF_ERROR])
    response.close()


def _message(body: bytes) -> str:
    """Return what the body of a refusal says, in OpenAI's form or any other; "" where nothing."""
    text = body.decode(errors="replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not found:
        return ""
    told = found.get("error", found) if isinstance(found, dict) else found
    for key in ("message", "detail"):
        if isinstance(told, dict) and isinstance(told.get(key), str):
            return f"{told[key]} ({NO_MONEY})" if told.get("code") == NO_MONEY else str(told[key])
    return told if isinstance(told, str) else text


def _reason(error: Exception) -> str:
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__
