"""A language model behind a server that speaks OpenAI's protocol: hosted, vLLM, Ollama, llama.cpp.

The `openai` client waits and asks again; every fault becomes one of ours, so that no other module
knows this library. It is imported when a server is first asked.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wikibias.errors import UnreachableError, UsageError, WikibiasError
from wikibias.kits.files import from_json
from wikibias.kits.plugins import how_to_install, within
from wikibias.research.language_models import asking

if TYPE_CHECKING:
    import httpx2

_log = logging.getLogger(__name__)

TRIES = 7
"""How often one question is asked, at most; the client waits between two tries."""
OPENAI = "https://api.openai.com/v1"
KEY_NAME = "OPENAI_API_KEY"
BASE_URL_NAME = "OPENAI_BASE_URL"
TIMEOUT = 300.0
"""Seconds for a whole answer; a large model on a CPU takes minutes."""
MOST_BYTES = 32_000_000
"""Of an answer with all that stands around it; what is longer is not read to its end."""
NO_MONEY = "insufficient_quota"
_CONNECT = 10.0
_LONGEST_MESSAGE = 200
_MOST_OF_ERROR = 65_536
_ERROR_BODY = "wikibias.error_body"
_NO_KEY = "no-key"  # the client wants one; a server on one's own machine asks for none
_BUSY = (429, 503, 529)
_AGAIN = (408, 409, 425)
_OF_THE_QUESTION = (400, 413, 414, 422)
_NEW_LENGTH = "max_completion_tokens"
_OPTIONAL = ("temperature", "seed")
_REMEDIES = {
    401: "; check the key: --api-key-env names the environment variable that holds it",
    402: "; the account has no money left",
    403: "; the key may not use this model: choose another --model",
    404: "; check --base-url and the name of the model",
}
_LONGEST_NAME = 200
_MOST_TOKENS = 100_000_000


class LostError(asking.NoAnswerError):
    """The answer did not arrive, or not whole."""


class StatusError(Exception):
    """The server refuses: with an HTTP status, and a message of its own."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"HTTP {status}{f': {message}' if message else ''}")
        self.status, self.message = status, message

    @property
    def may_pass(self) -> bool:
        """Whether it may help to ask again."""
        busy = self.status in (*_BUSY, *_AGAIN) or self.status >= 500
        return busy and NO_MONEY not in self.message


def read_reply(body: bytes, safe: Callable[[str], str] = str) -> asking.Reply:
    """Return the answer in a body; one without words is an answer too, of no letters.

    Args:
        body: what came.
        safe: makes a line of what a server says, without the key.

    Raises:
        LostError: it is not what the protocol says: cut off, no JSON, no choice in it.
    """
    try:
        found = from_json(body)
    except (ValueError, RecursionError) as error:
        raise LostError(f"the server answers with {_instead(body)}") from error
    choices = _get(found, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _get(choice, "message")
    if not isinstance(message, dict):
        fault = _get(found, "error")
        text = fault if isinstance(fault, str) else _text(_get(fault, "message"))
        why = f": {safe(text)}" if text else ""
        raise LostError(f"the server answers with JSON that holds no answer{why}")
    usage = _get(found, "usage")
    return asking.Reply(
        text=asking.bounded(_text(message.get("content")) or _text(message.get("refusal"))),
        tokens_in=_tokens(_get(usage, "prompt_tokens")),
        tokens_out=_tokens(_get(usage, "completion_tokens")),
        finish=asking.bounded(_text(_get(choice, "finish_reason")), _LONGEST_NAME),
        model=asking.bounded(_text(_get(found, "model")), _LONGEST_NAME),
        version=asking.bounded(_text(_get(found, "system_fingerprint")), _LONGEST_NAME),
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


def _text(content: Any) -> str:
    """Return a content: a string, or some servers' list of parts."""
    if isinstance(content, list):
        return "".join(_text(_get(part, "text")) for part in content)
    return content if isinstance(content, str) else ""


def _tokens(number: Any) -> int | None:
    known = type(number) is int and 0 <= number <= _MOST_TOKENS
    return number if known else None


def _message(body: bytes) -> str:
    """Return what the body of a refusal says, in OpenAI's form or any other; "" where nothing."""
    text = body.decode(errors="replace")
    try:
        found = from_json(text)
    except (ValueError, RecursionError):
        return text
    if not found:
        return ""
    fault = found.get("error", found) if isinstance(found, dict) else found
    for key in ("message", "detail"):
        if message := _get(fault, key):
            return f"{message} ({NO_MONEY})" if fault.get("code") == NO_MONEY else str(message)
    return fault if isinstance(fault, str) else text


def _read_error(response: httpx2.Response) -> None:
    """Keep the beginning of what a refusal says: the client itself would read all of it."""
    import httpx2

    if response.is_success:
        return
    body = bytearray()
    try:
        for chunk in response.stream:  # type: ignore[union-attr]
            body += chunk
            if len(body) >= _MOST_OF_ERROR:
                break
    except httpx2.HTTPError:
        pass  # the status says enough
    response.extensions[_ERROR_BODY] = bytes(body[:_MOST_OF_ERROR])
    if NO_MONEY.encode() in body:
        response.headers["x-should-retry"] = "false"
    response.close()


def open_model(
    name: str, *, base_url: str | None = None, api_key_env: str | None = None
) -> OpenAIServer:
    """Return a model behind a server.

    Args:
        name: of the model, as the server calls it.
        base_url: where the server is, up to `/v1`; by default what the environment variable
            `BASE_URL_NAME` says, else OpenAI's.
        api_key_env: the environment variable with the key; by default `KEY_NAME` for OpenAI itself
            and for a server that the environment names, and none for others.

    Raises:
        UsageError: the address is none, there is no key, or the library is missing.
    """
    if find_spec("openai") is None:
        raise UsageError(f"this needs openai; run: {how_to_install('llm')}")
    of_environment = os.environ.get(BASE_URL_NAME, "").strip() if base_url is None else ""
    address = of_environment or (OPENAI if base_url is None else base_url)
    host = _host(address)
    usual = address == OPENAI or (of_environment and KEY_NAME in os.environ)
    key_name = api_key_env or (KEY_NAME if usual else None)
    key = _key(key_name) if key_name else _NO_KEY
    if key_name and address.startswith("http:") and not asking.is_loopback(host):
        _log.warning("The key goes to %s unencrypted; use https where the server can", host)
    return OpenAIServer(name, address, key)


def _host(base_url: str) -> str:
    try:
        address = urlsplit(base_url)
        host, with_key = address.hostname, address.username or address.password
    except ValueError:
        host, with_key = None, None
    if with_key:
        raise UsageError("--base-url: put the key into an environment variable: --api-key-env NAME")
    if not host or not base_url.startswith(("http://", "https://")):
        raise UsageError(f"--base-url {base_url}: no address such as http://127.0.0.1:8080/v1")
    return host


def _key(name: str) -> str:
    key = os.environ.get(name, "").strip()
    if not key:
        raise UsageError(
            f"no key in the environment variable {name}; set it, or name another with --api-key-env"
        )
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"the key in {name} holds characters that no key has; set it anew")
    return key


class OpenAIServer:
    """A language model behind a server; see `asking.LanguageModel`.

    Args:
        name: of the model.
        address: of the server, up to `/v1`.
        key: what it knows us by; never part of a message.
        timeout: seconds for a whole answer.
    """

    def __init__(self, name: str, address: str, key: str, timeout: float = TIMEOUT) -> None:
        self.name = name
        self._address, self._key, self._timeout = address, key, timeout
        self._lock = Lock()
        self._client: Any = None
        self._reached = False
        # What this server turned out to want, not to know, and to take.
        self._length = "max_tokens"
        self._left_out: set[str] = set()
        self._taken: set[str] = set()

    def version(self) -> str:
        """Return nothing: a server tells its version only with an answer."""
        return ""

    def answer(self, messages: Sequence[asking.Message], decoding: asking.Decoding) -> asking.Reply:
        """Return the server's answer; it is asked again as long as that may help."""
        try:
            try:
                return self._asked(messages, decoding)
            except LostError:  # what is cut off once, the client does not ask for again
                return self._asked(messages, decoding)
        except StatusError as error:
            raise self._fault(error) from None
        except LostError as error:
            raise LostError(f"{self._address}: {error}") from None

    def _asked(self, messages: Sequence[asking.Message], decoding: asking.Decoding) -> asking.Reply:
        while True:  # until nothing is left that it may refuse by name
            optional = {"temperature": asking.TEMPERATURE, "seed": decoding.seed}
            request: dict[str, Any] = {
                "model": self.name,
                "messages": [{"role": each.role, "content": each.content} for each in messages],
                **{name: each for name, each in optional.items() if name not in self._left_out},
                self._length: decoding.max_tokens,
            }
            try:
                reply = read_reply(self.complete(request), self._safe)
            except StatusError as error:
                if not self._adapt(request, error):
                    raise
            else:
                self._taken.update(request)
                left_out = ",".join(name for name in _OPTIONAL if name not in request)
                return replace(reply, left_out=left_out)

    def _adapt(self, request: Mapping[str, Any], error: StatusError) -> bool:
        """Learn from a refusal what this server wants; return whether to ask again."""
        if _NEW_LENGTH in error.message and _NEW_LENGTH not in request:
            self._length = _NEW_LENGTH  # newer models of OpenAI know no other
            return True
        if error.status not in _OF_THE_QUESTION:
            return False
        # What it has taken before is not at fault: a sentence may have such words.
        words = set(re.findall(r"\w+", error.message))
        named = {name for name in _OPTIONAL if name in request and name in words - self._taken}
        with self._lock:
            for name in sorted(named - self._left_out):
                _log.warning("%s takes no such %s (%s); leaves it out", self._address, name, error)
            self._left_out |= named
        return bool(named)

    def _fault(self, error: StatusError) -> Exception:
        """Return what is raised for a refusal, by whether other questions may have an answer."""
        message = f"{self._address}: {error}"
        if NO_MONEY in error.message:
            return WikibiasError(f"{message}{_REMEDIES[402]}")
        if error.status in _BUSY:
            return WikibiasError(message)
        if error.may_pass:
            return asking.NoAnswerError(message)
        if error.status in _OF_THE_QUESTION:
            return asking.RefusedError(message)
        return WikibiasError(f"{message}{_REMEDIES.get(error.status, '; check --base-url')}")

    def complete(self, request: Mapping[str, Any]) -> bytes:
        """Send a request for a chat completion, and return the body of the answer.

        Raises:
            StatusError: the server refuses.
            LostError: the line was cut, or the answer takes too long or is too large.
            UnreachableError: nobody has ever answered there.
        """
        reached = self._reached
        try:
            return self._send(request)
        except StatusError as error:
            if reached or not error.may_pass:
                raise
        return self._send(request)

    def _send(self, request: Mapping[str, Any]) -> bytes:
        import httpx2
        import openai

        client = self._connected()
        # Until it has answered once: who is not there is not waited for.
        client.max_retries = TRIES - 1 if self._reached else 0
        try:
            with client.chat.completions.with_streaming_response.create(**request) as answer:
                self._reached = True
                return within(self._timeout, self._body, answer)
        except openai.APIStatusError as error:
            self._reached = True
            message = _message(error.response.extensions.get(_ERROR_BODY, b""))
            raise StatusError(error.status_code, self._safe(message)) from None
        except (
            TimeoutError,
            openai.APIConnectionError,
            httpx2.HTTPError,
            httpx2.StreamError,
        ) as error:
            raise self._lost(error) from None

    def _connected(self) -> Any:
        import openai

        seconds = self._timeout

        class Client(openai.DefaultHttpxClient):
            def send(self, *arguments: Any, **options: Any) -> Any:
                """Wait for the head of an answer; its own limit begins anew with each byte."""
                return within(seconds, super().send, *arguments, **options)

        with self._lock:
            if self._client is None:
                limit = openai.Timeout(self._timeout, connect=min(_CONNECT, self._timeout))
                self._client = openai.OpenAI(
                    api_key=self._key,
                    base_url=self._address,
                    timeout=limit,
                    # Compressed, a small answer could fill the memory.
                    default_headers={"Accept-Encoding": "identity"},
                    http_client=Client(
                        timeout=limit,
                        # A redirect would carry sentences to whom nobody named.
                        follow_redirects=False,
                        # A proxy knows nothing of this machine's own address.
                        trust_env=not asking.is_loopback(_host(self._address)),
                        event_hooks={"response": [_read_error]},
                    ),
                )
                if self._address != OPENAI:  # what the environment says of an account there
                    self._client.organization = self._client.project = None
        return self._client

    def _body(self, answer: Any) -> bytes:
        body = bytearray()
        for chunk in answer.iter_bytes():
            body += chunk
            if len(body) > MOST_BYTES:
                raise LostError(f"the server sends more than {MOST_BYTES / 1e6:,.0f} MB")
        return bytes(body)

    def _lost(self, error: Exception) -> LostError | UnreachableError:
        """Return what is raised where no answer comes: the line is cut, or nobody is there."""
        import httpx2

        cause = error.__cause__ or error
        reason = self._safe(str(cause) or type(cause).__name__)
        if not self._reached and isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
            return UnreachableError(
                f"{self._address} cannot be reached ({reason}); start the server, or check "
                "--base-url"
            )
        if not isinstance(cause, TimeoutError | httpx2.TimeoutException):
            self._reached = True
            return LostError(f"the line was cut ({reason})")
        if self._reached:
            return self._late()
        return UnreachableError(
            f"{self._address} does not answer within {self._timeout:g} seconds; check --base-url"
        )

    def _late(self) -> LostError:
        return LostError(f"no whole answer within {self._timeout:g} seconds")

    def _safe(self, text: str) -> str:
        """Return what others said in a line, without the key: some servers repeat it."""
        return " ".join(text.replace(self._key, "***").split())[:_LONGEST_MESSAGE]
