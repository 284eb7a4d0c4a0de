"""A language model behind a server that speaks OpenAI's protocol: hosted, vLLM, Ollama, llama.cpp.

Waits and retries are ours, not the client's: all workers share them.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_address
from threading import Condition, Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2
import openai

from wikibias.dumps.web.http import seconds_asked
from wikibias.errors import UnreachableError, UsageError, WikibiasError
from wikibias.kits.plugins import how_to_install
from wikibias.research.language_models.messages import (
    CONCURRENCY,
    Decoding,
    Message,
    NoAnswerError,
    RefusedError,
    Reply,
    bounded,
)

if TYPE_CHECKING:
    pass

LONGEST_WAIT = 900.0
"""Seconds; a server that asks for more is not waited for."""
_LONGEST_BACKOFF = 60.0


class Limits:
    """Lets workers through.

    Args:
        most: how many ask at once.
        first: seconds before the first retry; it doubles with each.
    """

    def __init__(self, most: int, first: float = 0.5) -> None:
        self._most, self._first = most, first
        self._allowed = float(most)
        self._at_work = 0
        self._not_before = 0.0
        self._changed = Condition()
        self._drawn = random.Random(0)  # noqa: S311 (spreads retries, guards nothing)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn to ask, and give it back at the end."""
        with self._changed:
            while (wait := self._wait()) is not None:
                self._changed.wait(wait)
            self._at_work += 1
        try:
            yield
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()

    def answered(self) -> None:
        """Note a good answer."""
        with self._changed:
            self._allowed = min(self._most, self._allowed + 1 / self._allowed)
            self._changed.notify_all()

    def refused(self, tries: int, asked: float = 0.0) -> float:
        """Note that the server is busy; return for how many seconds nobody asks it.

        Args:
            tries: how often this worker has been refused.
            asked: how many seconds the server wants to be left alone.
        """
        with self._changed:
            seconds = max(asked, self.backoff(tries))
            self._not_before = max(self._not_before, time.monotonic() + seconds)
            self._allowed = max(1.0, self._allowed / 2)
        return seconds

    def backoff(self, tries: int) -> float:
        """Return the seconds before a retry: twice as long each time, a little spread."""
        return float(
            min(_LONGEST_BACKOFF, self._first * 2 ** (tries - 1)) * self._drawn.uniform(1, 1.25)
        )

    def _wait(self) -> float | None:
        """Return how long to wait before looking again, or None where it is one's turn."""
        early = self._not_before - time.monotonic()
        if early > 0:
            return early
        return None if self._at_work < max(1, int(self._allowed)) else 60.0


TRIES = 7
"""How often one question is asked, at most."""
_log = logging.getLogger(__name__)


class BusyError(Exception):
    """The server wants fewer questions; `asked` is for how many seconds it wants none."""

    def __init__(self, said: str, asked: float = 0.0) -> None:
        super().__init__(said)
        self.asked = asked


class LostError(Exception):
    """The answer did not arrive, or not whole."""


def persist(ask: Callable[[], Reply], limits: Limits, tries: int = TRIES) -> Reply:
    """Return an answer, asked for until it comes.

    Args:
        ask: asks once; raises a BusyError or LostError where asking again may help.
        limits: of the server, which all workers share.
        tries: how often, at most.

    Raises:
        NoAnswerError: no answer to this question came through.
        WikibiasError: the server answers nothing now; or as `ask` does.
    """
    for attempt in range(1, tries + 1):
        try:
            with limits.turn():
                reply = ask()
        except BusyError as error:
            if error.asked > LONGEST_WAIT or attempt == tries:
                raise WikibiasError(f"{error}{_wish(error.asked)}") from error
            seconds = limits.refused(attempt, error.asked)
            _log.warning("Asks nothing for %.0f s: %s", seconds, error)
        except LostError as error:
            if attempt == tries:
                raise NoAnswerError(f"{error} ({tries} times)") from error
            _log.info("Asks again (%d of %d): %s", attempt + 1, tries, error)
            time.sleep(limits.backoff(attempt))
        else:
            limits.answered()
            return reply
    raise NoAnswerError("not asked")


def _wish(seconds: float) -> str:
    if not seconds:
        return ""
    # A server may ask for thousands of years.
    time = f"{min(seconds / 60, 1e6):,.0f} minutes" if seconds >= 120 else f"{seconds:,.0f} seconds"
    return f", and asks to wait {time}"


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


OPENAI = "https://api.openai.com/v1"
KEY_NAME = "OPENAI_API_KEY"
BASE_URL_NAME = "OPENAI_BASE_URL"
TIMEOUT = 120.0
_NO_KEY = "no-key"  # the client wants one; a server on one's own machine asks for none
_BUSY = (429, 503, 529)
_LOST = (408, 409, 425)
_OF_THE_QUESTION = (400, 413, 414, 422)
_NO_SCHEMA = (400, 404, 415, 422, 500, 501)
_NEW_LENGTH = "max_completion_tokens"
_OPTIONAL = ("temperature", "seed")
_REMEDIES = {
    401: "; check the key: --api-key-env names the environment variable that holds it",
    402: "; the account has no money left",
    403: "; the key may not use this model: choose another --model",
    404: "; check --base-url and the name of the model",
}


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    model_version: str = "",
    concurrency: int = CONCURRENCY,
    timeout: float = TIMEOUT,
    tries: int = TRIES,
) -> OpenAIServer:
    """Return a model behind a server.

    Args:
        name: of the model, as the server calls it.
        base_url: where the server is, up to `/v1`; by default what the environment variable
            `BASE_URL_NAME` says, else OpenAI's.
        api_key_env: the environment variable with the key; by default `KEY_NAME` for OpenAI itself
            and for a server that the environment names, and none for others.
        model_version: what tells it from another model of this name, where the user knows it.
        concurrency: how many questions are under way at once.
        timeout: seconds for one answer.
        tries: how often one question is asked.

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

    return OpenAIServer(name, connect, Limits(concurrency), address, model_version, tries)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


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
    """A language model behind a server; see `registry.LanguageModel`."""

    def __init__(
        self,
        name: str,
        connect: Callable[[], Client],
        limits: Limits,
        where: str,
        version: str,
        tries: int,
    ) -> None:
        self.name = name
        self._connect, self._limits, self._where = connect, limits, where
        self._connected: Client | None = None
        self._version, self._tries = version, tries
        # What this server turned out to want, and not to know.
        self._length = "max_tokens"
        self._structured: bool | None = None
        self._left_out: set[str] = set()
        self._taken: set[str] = set()
        self._lock = Lock()

    def version(self) -> str:
        """Return what the user says; a server tells its version only with an answer."""
        return self._version

    def answer(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        """Return the server's answer; waits and asks again as long as that may help."""
        return persist(partial(self._ask, messages, decoding), self._limits, self._tries)

    def _ask(self, messages: Sequence[Message], decoding: Decoding) -> Reply:

        structured = decoding.schema is not None and self._structured is not False
        try:
            try:
                reply = self._complete(messages, decoding, structured=structured)
            except StatusError as error:
                # One that has followed a schema before can; then the fault is another one.
                if not structured or self._structured or error.status not in _NO_SCHEMA:
                    raise
                reply = self._complete(messages, decoding, structured=False)
                self._do_without_schema(error)
        except StatusError as error:
            raise self._fault(error) from None
        except LostError as error:
            raise LostError(f"{self._where}: {error}") from None
        if structured and self._structured is None:
            self._structured = True
        return reply

    def _complete(
        self, messages: Sequence[Message], decoding: Decoding, *, structured: bool
    ) -> Reply:

        client = self._client()
        while True:  # until nothing is left that it may refuse by name
            request = self._request(messages, decoding, structured=structured)
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

    def _do_without_schema(self, error: StatusError) -> None:
        with self._lock:
            if self._structured is None:
                _log.warning("%s takes no JSON schema (%s); asks for free text", self._where, error)
            self._structured = False

    def _client(self) -> Client:
        with self._lock:
            self._connected = self._connected or self._connect()
        return self._connected

    def _request(
        self, messages: Sequence[Message], decoding: Decoding, *, structured: bool
    ) -> dict[str, Any]:
        form = {"name": "answer", "schema": decoding.schema, "strict": True}
        wanted = {"response_format": {"type": "json_schema", "json_schema": form}}
        chosen = {"temperature": decoding.temperature, "seed": decoding.seed}
        return {
            "model": self.name,
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            **{name: each for name, each in chosen.items() if name not in self._left_out},
            self._length: decoding.max_tokens,
            **(wanted if structured else {}),
        }

    def _fault(self, error: StatusError) -> Exception:
        """Return what is raised for a refusal, by whether it helps to ask again."""
        asked = seconds_asked(error.retry_after)
        said = f"{self._where}: {error}"
        if NO_MONEY in error.said:
            return WikibiasError(f"{said}{_REMEDIES[402]}")
        if error.status in _BUSY or asked:
            return BusyError(said, asked)
        if error.status in _LOST or error.status >= 500:
            return LostError(said)
        if error.status in _OF_THE_QUESTION:
            return RefusedError(said)
        return WikibiasError(f"{said}{_REMEDIES.get(error.status, '; check --base-url')}")
