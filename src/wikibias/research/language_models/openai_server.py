"""A language model behind a server that speaks OpenAI's protocol: hosted, vLLM, Ollama, llama.cpp.

Waits and retries are ours, not the client's: all workers share them.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_address
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wikibias.dumps.web.http import seconds_asked
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import how_to_install
from wikibias.research.language_models.limits import Limits
from wikibias.research.language_models.messages import Decoding, Message, RefusedError, Reply
from wikibias.research.language_models.registry import CONCURRENCY
from wikibias.research.language_models.reply_body import read_reply
from wikibias.research.language_models.retries import TRIES, BusyError, LostError, persist

if TYPE_CHECKING:
    from wikibias.research.language_models.openai_client import Client, StatusError

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
_log = logging.getLogger(__name__)


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
        from wikibias.research.language_models.openai_client import Client

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
        from wikibias.research.language_models.openai_client import StatusError

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
        from wikibias.research.language_models.openai_client import StatusError

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
        from wikibias.research.language_models.openai_client import NO_MONEY

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
