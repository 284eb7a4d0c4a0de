"""A language model behind a server that speaks OpenAI's protocol: hosted, vLLM, Ollama, llama.cpp.

The `openai` client waits and asks again; every fault becomes one of ours, so that no other module
knows this library. It is imported when a server is first asked.
"""

from __future__ import annotations

import json
import logging
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wikibias.errors import UnreachableError, UsageError, WikibiasError
from wikibias.kits.plugins import how_to_install
from wikibias.research.language_models.messages import (
    Decoding,
    Message,
    NoAnswerError,
    RefusedError,
    Reply,
    bounded,
    is_loopback,
)

if TYPE_CHECKING:
    import httpx2

_log = logging.getLogger(__name__)

TRIES = 7
"""How often one question is asked, at most; the client waits between two tries."""
OPENAI = "https://api.openai.com/v1"
KEY_NAME = "OPENAI_API_KEY"
BASE_URL_NAME = "OPENAI_BASE_URL"
TIMEOUT = 120.0
MOST_BYTES = 32_000_000
"""Of an answer with all that stands around it; what is longer is not read to its end."""
NO_MONEY = "insufficient_quota"
_CONNECT = 10.0
_LONGEST_MESSAGE = 200
_MOST_OF_ERROR = 65_536
_SAID = "wikibias.said"
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


class LostError(NoAnswerError):
    """The answer did not arrive, or not whole."""


class StatusError(Exception):
    """The server refuses: with an HTTP status, and its own words."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"HTTP {status}{f': {said}' if said else ''}")
        self.status, self.said = status, said

    @property
    def may_pass(self) -> bool:
        """Whether it may help to ask again."""
        busy = self.status in (*_BUSY, *_AGAIN) or self.status >= 500
        return busy and NO_MONEY not in self.said


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
        import openai

        limit = openai.Timeout(timeout, connect=min(_CONNECT, timeout))
        self._base_url, self._key, self._timeout = base_url, key, timeout
        self._reached = False
        self._client = openai.OpenAI(
            api_key=key,
            base_url=base_url,
            max_retries=0,  # until it has answered once: who is not there is not waited for
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

        try:
            create = self._client.chat.completions.with_streaming_response.create
            with create(**request) as answer:
                self._found()
                return self._body(answer.iter_bytes(), time.monotonic() + self._timeout)
        except openai.APIStatusError as error:
            self._found()
            said = self.safe(_message(error.response.extensions.get(_SAID, b"")))
            raise StatusError(error.status_code, said) from None
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            if self._reached:
                raise self._late() from None
            if isinstance(error.__cause__, httpx2.ConnectTimeout):
                raise self._unreachable("no answer") from None
            raise UnreachableError(
                f"{self._base_url} does not answer within {self._timeout:g} seconds; give it "
                "longer with --timeout, or check --base-url"
            ) from None
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError) as error:
            cause = error.__cause__ or error
            reason = self.safe(str(cause) or type(cause).__name__)
            if isinstance(error.__cause__, httpx2.ConnectError) and not self._reached:
                raise self._unreachable(reason) from None
            self._found()
            raise LostError(f"the line was cut ({reason})") from None

    def _found(self) -> None:
        self._reached, self._client.max_retries = True, TRIES - 1

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

    def _unreachable(self, reason: str) -> UnreachableError:
        return UnreachableError(
            f"{self._base_url} cannot be reached ({reason}); start the server, or check --base-url"
        )

    def safe(self, said: str) -> str:
        """Return what others said in a line, without the key: some servers repeat it."""
        return " ".join(said.replace(self._key, "***").split())[:_LONGEST_MESSAGE]


def _read_error(response: httpx2.Response) -> None:
    """Keep the beginning of what a refusal says: the client itself would read all of it."""
    import httpx2

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
    if NO_MONEY.encode() in said:
        response.headers["x-should-retry"] = "false"
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


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    timeout: float = TIMEOUT,
) -> OpenAIServer:
    """Return a model behind a server.

    Args:
        name: of the model, as the server calls it.
        base_url: where the server is, up to `/v1`; by default what the environment variable
            `BASE_URL_NAME` says, else OpenAI's.
        api_key_env: the environment variable with the key; by default `KEY_NAME` for OpenAI itself
            and for a server that the environment names, and none for others.
        timeout: seconds for one answer.

    Raises:
        UsageError: the address is none, there is no key, or the library is missing.
    """
    if find_spec("openai") is None:
        raise UsageError(f"this needs openai; run: {how_to_install('llm')}")
    of_environment = os.environ.get(BASE_URL_NAME, "").strip() if base_url is None else ""
    address = of_environment or (OPENAI if base_url is None else base_url)
    host = _host(address)
    usual = address == OPENAI or (of_environment and KEY_NAME in os.environ)
    wanted = api_key_env or (KEY_NAME if usual else None)
    key = _key(wanted) if wanted else _NO_KEY
    if wanted and address.startswith("http:") and not is_loopback(host):
        _log.warning("The key goes to %s unencrypted; use https where the server can", host)

    def connect() -> Client:
        # A proxy knows nothing of this machine's own address.
        proxies, own = not is_loopback(host), address == OPENAI
        return Client(address, key, timeout, proxies=proxies, own=own)

    return OpenAIServer(name, connect, address)


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
    """A language model behind a server; see `messages.LanguageModel`."""

    def __init__(self, name: str, connect: Callable[[], Client], where: str) -> None:
        self.name = name
        self._connect, self._where = connect, where
        self._connected: Client | None = None
        # What this server turned out to want, and not to know.
        self._length = "max_tokens"
        self._left_out: set[str] = set()
        self._taken: set[str] = set()
        self._lock = Lock()

    def version(self) -> str:
        """Return nothing: a server tells its version only with an answer."""
        return ""

    def answer(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        """Return the server's answer; it is asked again as long as that may help."""
        try:
            return self._ask(messages, decoding)
        except LostError:  # what is cut off once, the client does not ask for again
            return self._ask(messages, decoding)

    def _ask(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        try:
            return self._complete(messages, decoding)
        except StatusError as error:
            raise self._fault(error) from None
        except LostError as error:
            raise LostError(f"{self._where}: {error}") from None

    def _complete(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        client = self._client()
        while True:  # until nothing is left that it may refuse by name
            request = self._request(messages, decoding)
            try:
                reply = read_reply(client.complete(request), client.safe)
            except StatusError as error:
                if not self._adapt(request, error):
                    raise
            else:
                self._taken.update(request)
                left_out = ",".join(name for name in _OPTIONAL if name not in request)
                return replace(reply, left_out=left_out)

    def _adapt(self, request: Mapping[str, Any], error: StatusError) -> bool:
        """Learn from a refusal what this server wants; return whether to ask again."""
        if _NEW_LENGTH in error.said and _NEW_LENGTH not in request:
            self._length = _NEW_LENGTH  # newer models of OpenAI know no other
            return True
        if error.status not in _OF_THE_QUESTION:
            return False
        # What it has taken before is not at fault: a sentence may have such words.
        words = set(re.findall(r"\w+", error.said))
        named = {name for name in _OPTIONAL if name in request and name in words - self._taken}
        with self._lock:
            for name in sorted(named - self._left_out):
                _log.warning("%s takes no such %s (%s); leaves it out", self._where, name, error)
            self._left_out |= named
        return bool(named)

    def _client(self) -> Client:
        with self._lock:
            self._connected = self._connected or self._connect()
        return self._connected

    def _request(self, messages: Sequence[Message], decoding: Decoding) -> dict[str, Any]:
        chosen = {"temperature": decoding.temperature, "seed": decoding.seed}
        return {
            "model": self.name,
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            **{name: each for name, each in chosen.items() if name not in self._left_out},
            self._length: decoding.max_tokens,
        }

    def _fault(self, error: StatusError) -> Exception:
        """Return what is raised for a refusal, by whether other questions may have an answer."""
        message = f"{self._where}: {error}"
        if NO_MONEY in error.said:
            return WikibiasError(f"{message}{_REMEDIES[402]}")
        if error.status in _BUSY:
            return WikibiasError(message)
        if error.may_pass:
            return NoAnswerError(message)
        if error.status in _OF_THE_QUESTION:
            return RefusedError(message)
        return WikibiasError(f"{message}{_REMEDIES.get(error.status, '; check --base-url')}")
