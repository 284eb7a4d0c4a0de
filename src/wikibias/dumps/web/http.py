"""Requests to servers: waiting, trying again, and an end to connections that are too slow."""

from __future__ import annotations

import logging
import re
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.exceptions import ProxyError, SSLError
from urllib3.exceptions import HTTPError, InvalidHeader, NewConnectionError
from urllib3.util import Retry

from wikibias import __version__
from wikibias.errors import FetchError, UnreachableError, UsageError

# Seconds of waiting over which the rate is measured; as long as a socket may be silent. The head of
# an answer, and a single read, may take as long.
WINDOW = 30.0
# Bytes a second. A modem had more; a gigabyte would take eleven days.
LEAST_RATE = 1000


class Pace:
    """Watches one request and its answer; cuts its connection where it is too slow.

    `fault` says why it was cut off, or is empty.
    """

    def __init__(self, limit: float | None = None) -> None:
        """Begin to watch; with `limit`, the whole answer may take no more seconds than that."""
        self.fault = ""
        self._limit = limit
        self._begun = time.monotonic()
        self._since: float | None = None
        self._waited, self._arrived = 0.0, 0
        self._socket: socket.socket | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def take(self, connection: socket.socket) -> None:
        """Watch a connection, on which the head of the answer is awaited now."""
        self._socket, self._since = connection, time.monotonic()
        if self.fault:
            self.cut(self.fault)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Measure the time that the server needs, without that in which nobody waits for it."""
        begun = self._since = time.monotonic()
        try:
            yield
        finally:
            self._since = None
            self._waited += time.monotonic() - begun

    def is_too_slow(self, size: int) -> bool:
        """Count bytes of the answer; return whether it was cut off, or they come too slowly."""
        self._arrived += size
        if self._waited >= WINDOW:
            if size and self._arrived < LEAST_RATE * WINDOW:
                self.fault = f"the server sends less than {LEAST_RATE:,} bytes a second"
            self._waited, self._arrived = 0.0, 0
        return bool(self.fault)

    def cut(self, fault: str) -> None:
        """Shut the connection down, also while another thread waits for it."""
        self.fault = fault
        if self._socket is not None:
            with suppress(OSError):  # it may be closed already
                # Not the method of a TLS socket, which would not end the read of another thread.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def end(self) -> None:
        """Watch no longer."""
        self._ended.set()

    @property
    def has_ended(self) -> bool:
        """Whether nobody watches any longer."""
        return self._ended.is_set()

    def _watch(self) -> None:
        while not self._ended.wait(WINDOW / 20):
            now, since = time.monotonic(), self._since
            if self._limit is not None and now - self._begun > self._limit:
                self.cut(
                    f"the server takes more than {self._limit:.0f} seconds for this small file"
                )
                return
            if since is not None and now - since > WINDOW:
                self.cut(f"the server takes more than {WINDOW:.0f} seconds to answer")
                return


TRIES = 8
# A wrong address should fail soon.
TRIES_AT_FIRST = 4
# Without a network, a server that nobody has reached yet will not answer soon.
TRIES_UNREACHED = 2
_LONGEST_BACKOFF, _LONGEST_WAIT = 60, 900
GOES_ON = "run the same command again later: it goes on where it stopped"
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Backoff:
    """Waits before each retry of one file; gives up after several without progress.

    `pause` waits, and `remedy` is what to do in the end.
    """

    pause: Callable[[float], None]
    url: str
    most: int = TRIES
    remedy: str = GOES_ON
    _tries: int = field(default=0, init=False)
    _furthest: int = field(default=0, init=False)

    def reached(self, at: int) -> None:
        """Count the retries from 0 again if clearly more of the file than before has arrived.

        So much is what the least rate gives in one window: some bytes at each try would hold us.
        """
        if at >= self._furthest + LEAST_RATE * WINDOW:
            self._furthest, self._tries = at, 0

    def wait(self, reason: str, asked: float = 0.0) -> None:
        """Wait before a retry, at least as many seconds as the server asked for.

        Raises:
            FetchError: there were too many retries, or the server asks for too long a wait.
        """
        self._tries += 1
        if self._tries >= self.most or asked > _LONGEST_WAIT:
            # A server may ask for thousands of years.
            minutes = f"{min(asked / 60, 1e6):.0f} minutes"
            wait = f", and asks to wait {minutes}" if asked > _LONGEST_WAIT else ""
            raise FetchError(f"{self.url}: {reason}{wait}; {self.remedy}")
        seconds = max(asked, min(2.0 ** (self._tries - 1), _LONGEST_BACKOFF))
        which = f"{self._tries + 1} of {self.most}"
        _log.warning(
            "Waits %.0f s, then tries again (%s): %s: %s", seconds, which, self.url, reason
        )
        self.pause(seconds)

    def wait_unreached(self, server: str, reason: str) -> None:
        """Wait before a retry where the server has never been reached.

        Raises:
            UnreachableError: there were some retries.
        """
        self.most = min(self.most, TRIES_UNREACHED)
        if self._tries + 1 >= self.most:
            raise UnreachableError(
                f"{server} cannot be reached ({reason}); check the network, the proxy "
                "(HTTPS_PROXY) and the address"
            )
        self.wait(reason)


# Wikimedia asks clients of its dumps, and of its wikis, to name themselves.
USER_AGENT = f"wikibias/{__version__} (https://doi.org/10.26615/978-954-452-056-4_006)"
_BLOCK = 1 << 16
# Seconds for a connection to be made, and between two bytes.
_TIMEOUT = 30
# Seconds for the first connection to a server, which takes one at most where there is a network.
_TIMEOUT_AT_FIRST = 5
# The servers that this process has reached: one that is then gone may come back.
_reached: set[str] = set()
_BUSY = (429, 500, 502, 503, 504)
_REDIRECTS = 5
# A list of files, or of checksums, in bytes and seconds: that of enwiki has about a megabyte.
MOST_OF_A_LIST = 16_000_000
TIME_OF_A_LIST = 120.0
_NO_LIST = "which no list of a dump has; try another mirror (--base-url)"
# The window of gzip, for zlib.
_GZIP = 31
_LONGEST_REASON = 200
_SIZE = re.compile(r"[0-9]{1,15}")
BROKE_OFF = "the connection broke off"
# The request that this thread makes.
_asking: ContextVar[Pace] = ContextVar("asking")


class BrokenOffError(Exception):
    """An answer ends before its end, or is too slow; the message says which."""


class Answer(AbstractContextManager["Answer"]):
    """The answer of a server; as a context manager it closes the connection, read or not."""

    def __init__(self, response: requests.Response, pace: Pace) -> None:
        self._response, self._pace = response, pace
        self.url, self.status, self.headers = response.url, response.status_code, response.headers

    def __exit__(self, *error: object) -> None:
        self._pace.end()
        self._response.close()

    @property
    def place(self) -> str | None:
        """The address that the server redirects to."""
        return self.headers["location"] if self._response.is_redirect else None

    @property
    def is_too_slow(self) -> bool:
        """Whether it was cut off."""
        return bool(self._pace.fault)

    def blocks(self) -> Iterator[bytes]:
        """Yield the body as it is sent, and as the server stores it: it is not decompressed.

        Raises:
            BrokenOffError: the connection broke off, or is too slow.
        """
        raw: Any = self._response.raw
        while True:
            try:
                with self._pace.waiting():
                    block = raw.read1(_BLOCK, decode_content=False)
            except (HTTPError, OSError, ValueError) as error:
                raise BrokenOffError(self._pace.fault or BROKE_OFF) from error
            if self._pace.is_too_slow(len(block)):
                raise BrokenOffError(self._pace.fault)
            if not block:
                return
            yield block

    def body(self, most: int, too_long: str) -> bytes:
        """Return the whole body, unpacked where it comes as gzip.

        Raises:
            BrokenOffError: as `blocks`, or its gzip is damaged.
            FetchError: it has more than `most` bytes; `too_long` says what of that.
        """
        is_packed = self.headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip")
        unpacker = zlib.decompressobj(_GZIP) if is_packed else None
        body = bytearray()
        for block in self.blocks():
            try:
                body += unpacker.decompress(block, most + 1) if unpacker else block
            except zlib.error as error:
                raise BrokenOffError("its gzip is damaged") from error
            if len(body) > most:
                url = self.url.partition("?")[0]
                raise FetchError(f"{url}: more than {most / 1e6:.0f} MB, {too_long}")
        if unpacker and not unpacker.eof:
            raise BrokenOffError(BROKE_OFF)
        return bytes(body)

    def accepted(self) -> Answer:
        """Return this answer if it holds what was asked for.

        Raises:
            FetchError: it does not.
        """
        if self.status in (200, 206):
            return self
        raise FetchError(f"{self.url}: {self.described()}")

    def described(self) -> str:
        """Say what the server answers, with the reason that it gives."""
        reason = (self._response.reason or "")[:_LONGEST_REASON]
        return f"the server answers {self.status} {reason}".rstrip()


class Web:
    """A session with servers; `stop()` ends what other threads do with it."""

    def __init__(self) -> None:
        self._session = _Session()
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, _Adapter())
        # Sizes, ranges and checksums are those of the bytes as the server stores them.
        self._session.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "identity"})
        self._stopping = threading.Event()
        self._paces: set[Pace] = set()
        self._lock = threading.Lock()

    def stop(self) -> None:
        """End all waiting and downloading in other threads, each by a FetchError."""
        self._stopping.set()
        for pace in list(self._paces):
            pace.cut("stopped")

    def pause(self, seconds: float) -> None:
        """Wait before a retry.

        Raises:
            FetchError: `stop()` was called, before or meanwhile.
        """
        if self._stopping.wait(seconds):
            raise FetchError("stopped")

    def text(self, url: str) -> str | None:
        """Return a list or another small text file, or None when the server has none of that name.

        Raises:
            FetchError: the server cannot be reached, refuses, is too slow, or sends too much.
        """
        backoff = Backoff(self.pause, url, remedy="try again later")
        while True:
            with self.request("GET", url, backoff, limit=TIME_OF_A_LIST) as answer:
                if answer.status == 404:
                    return None
                try:
                    body = answer.accepted().body(MOST_OF_A_LIST, _NO_LIST)
                    return body.decode("utf-8", "replace")
                except BrokenOffError as error:
                    if answer.is_too_slow:
                        raise FetchError(f"{url}: {error}; try again later") from error
                    reason = str(error)
            backoff.wait(reason)

    def size(self, url: str) -> int:
        """Return the size of a file.

        Raises:
            FetchError: the server cannot be reached, or does not tell.
        """
        backoff = Backoff(self.pause, url, TRIES_AT_FIRST, "try again later")
        with self.request("HEAD", url, backoff) as answer:
            length = answer.accepted().headers.get("Content-Length", "")
        if not _SIZE.fullmatch(length):
            raise FetchError(f"{url}: the server does not tell the size of the file")
        return int(length)

    def request(
        self,
        method: str,
        url: str,
        backoff: Backoff,
        start: int = 0,
        limit: float | None = None,
        *,
        packed: bool = False,
    ) -> Answer:
        """Return the answer for the bytes from `start` on; retry while the server is busy.

        The whole answer may take `limit` seconds. With `packed`, it may come as gzip.

        Raises:
            FetchError: there is no answer, or it leads nowhere; or `stop()` was called.
        """
        headers = {"Range": f"bytes={start}-"} if start else {}
        headers |= {"Accept-Encoding": "gzip"} if packed else {}
        place = url
        for _ in range(_REDIRECTS + 1):
            answer = self._answer(method, place, headers, backoff, limit)
            if answer.place is None:
                return answer
            with answer:
                place = redirected(answer.url, answer.place)
        raise FetchError(f"{url}: the server redirects more than {_REDIRECTS} times")

    def _answer(
        self, method: str, url: str, headers: dict[str, str], backoff: Backoff, limit: float | None
    ) -> Answer:
        server = _server(url)
        while True:
            pace = Pace(limit)
            try:
                answer = Answer(self._ask(method, url, headers, pace), pace)
            except (requests.ConnectionError, requests.Timeout) as error:
                reason = pace.fault or _reason(error)
                if server not in _reached and _is_without_answer(error):
                    backoff.wait_unreached(server, reason)
                else:
                    backoff.wait(reason)
                continue
            except (requests.RequestException, HTTPError, ValueError) as error:
                raise FetchError(f"{url}: {_reason(error)}") from error
            _reached.add(server)
            if answer.status not in _BUSY:
                return answer
            with answer:
                asked = seconds_asked(answer.headers.get("Retry-After"))
            backoff.wait(answer.described(), asked)

    def _ask(self, method: str, url: str, headers: dict[str, str], pace: Pace) -> requests.Response:
        with self._lock:
            self._paces = {known for known in self._paces if not known.has_ended} | {pace}
        if self._stopping.is_set():
            raise FetchError("stopped")
        before = _asking.set(pace)
        try:
            with pace.waiting():
                known = _server(url) in _reached
                timeout = (_TIMEOUT if known else _TIMEOUT_AT_FIRST, _TIMEOUT)
                return self._session.request(
                    method, url, headers=headers, stream=True, timeout=timeout
                )
        except BaseException:
            pace.end()
            raise
        finally:
            _asking.reset(before)


class _Session(requests.Session):
    """Leaves redirects to us: to follow one, requests would read its whole body into memory."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class _Adapter(HTTPAdapter):
    """Lets the pace of a request cut its connection from the moment when it waits for an answer."""

    def get_connection_with_tls_context(self, *arguments: Any, **options: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*arguments, **options)
        pool.ConnectionCls = _watched(pool.ConnectionCls)
        return pool


@cache
def _watched(kind: type) -> type:
    def getresponse(self: Any) -> Any:
        _asking.get().take(self.sock)
        return kind.getresponse(self)  # type: ignore[attr-defined]

    name = "Watched"
    return kind if kind.__name__ == name else type(name, (kind,), {"getresponse": getresponse})


def redirected(url: str, location: str) -> str:
    """Return the address that a server redirects to.

    Raises:
        FetchError: it is none, or leads from HTTPS to what anybody on the way can change.
    """
    try:
        place = urljoin(url, location)
        before, after = urlsplit(url), urlsplit(place)
        usable = after.scheme in ("http", "https") and after.hostname
    except ValueError:
        usable = False
    if not usable or (before.scheme, after.scheme) == ("https", "http"):
        raise FetchError(
            f"{url}: the server redirects to {location[:_LONGEST_REASON]}, which is not followed; "
            "give the address of the file itself"
        )
    return place


def seconds_asked(retry_after: str | None) -> float:
    """Return the wait that a Retry-After header asks for, as seconds or as a date."""
    try:
        return max(0.0, Retry().parse_retry_after(retry_after)) if retry_after else 0.0
    except (InvalidHeader, ValueError, OverflowError):
        return 0.0


def _server(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError as error:
        raise UsageError(f"{url} is no address: {error}") from None


def _is_without_answer(error: Exception) -> bool:
    """Return whether no connection was made: no network, no such name, nobody there, no trust."""
    if isinstance(error, (requests.ConnectTimeout, ProxyError, SSLError)):
        return True
    causes = error.args[0] if error.args else None
    return isinstance(getattr(causes, "reason", None), NewConnectionError)


def _reason(error: Exception) -> str:
    """Return the innermost cause, the shortest and clearest."""
    inner: BaseException = error
    while (cause := inner.__cause__ or inner.__context__) is not None:
        inner = cause
    reason = getattr(inner, "strerror", None) or str(inner) or type(inner).__name__
    return str(reason).strip()[:_LONGEST_REASON]
