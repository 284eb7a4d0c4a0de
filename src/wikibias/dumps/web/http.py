"""Downloads over HTTP: retries busy servers and broken connections, resumes by byte range.

urllib3's `Retry` repeats requests only, not what is left of a body, and its waits cannot be
interrupted from another thread; docs/experiments.md has the comparison.
"""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import requests
from urllib3.exceptions import InvalidHeader
from urllib3.util import Retry

from wikibias import __version__
from wikibias.dumps.web.remote import Remote
from wikibias.errors import FetchError
from wikibias.storage.atomic import disk_errors

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# dumps.wikimedia.org asks clients to name themselves.
USER_AGENT = f"wikibias/{__version__} (https://doi.org/10.26615/978-954-452-056-4_006)"
PARTIAL = ".part"
_BLOCK = 1 << 16
_TIMEOUT = 30
_BUSY = (429, 500, 502, 503, 504)
_TRIES = 8
# A wrong address should fail soon.
_TRIES_AT_FIRST = 4
_LONGEST_BACKOFF, _LONGEST_WAIT = 60, 900


class Web:
    """A session with servers; `stop()` ends what other threads do with it."""

    def __init__(self) -> None:
        self._session = requests.Session()
        # Sizes, ranges and checksums are those of the bytes as the server stores them.
        self._session.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "identity"})
        self._stopping = threading.Event()

    def stop(self) -> None:
        """End all waiting and downloading in other threads, each by a FetchError."""
        self._stopping.set()

    def pause(self, seconds: float) -> None:
        """Wait before a retry.

        Raises:
            FetchError: `stop()` was called, before or meanwhile.
        """
        if self._stopping.wait(seconds):
            raise FetchError("stopped")

    def text(self, url: str) -> str | None:
        """Return a small text file, or None when the server has none of that name.

        Raises:
            FetchError: the server cannot be reached, or refuses.
        """
        with self.request("GET", url, _Backoff(self, url)) as response:
            return None if response.status_code == 404 else _accepted(response).text

    def size(self, url: str) -> int:
        """Return the size of a file.

        Raises:
            FetchError: the server cannot be reached, or does not tell.
        """
        with self.request("HEAD", url, _Backoff(self, url, _TRIES_AT_FIRST)) as response:
            length = _accepted(response).headers.get("Content-Length", "")
        if not length.isdigit():
            raise FetchError(f"{url}: the server does not tell the size of the file")
        return int(length)

    def request(
        self, method: str, url: str, backoff: _Backoff, start: int = 0
    ) -> requests.Response:
        """Return the response for the bytes from `start` on; retry while the server is busy."""
        headers = {"Range": f"bytes={start}-"} if start else {}
        while True:
            try:
                response = self._session.request(
                    method, url, headers=headers, stream=True, timeout=_TIMEOUT
                )
            except (requests.ConnectionError, requests.Timeout) as error:
                backoff.wait(_reason(error))
                continue
            except requests.RequestException as error:
                raise FetchError(f"{url}: {_reason(error)}") from error
            if response.status_code not in _BUSY:
                return response
            response.close()
            backoff.wait(_status(response), response.headers.get("Retry-After"))

    def blocks(self, url: str, backoff: _Backoff, start: int = 0) -> Generator[tuple[int, bytes]]:
        """Yield blocks of a file with their offsets: from `start`, or from 0 if the server must.

        The blocks may end before the file does: where the connection broke.
        """
        with (
            self.request("GET", url, backoff, start) as response,
            suppress(requests.RequestException),
        ):
            at = start if _accepted(response).status_code == 206 else 0
            for block in response.iter_content(_BLOCK):
                if self._stopping.is_set():
                    raise FetchError("stopped")
                yield at, block
                at += len(block)
                backoff.reached(at)

    def download(self, remote: Remote, target: Path, report: Callable[[int], None]) -> None:
        """Download a file, or what is missing of it, and rename it when its checksum is right.

        Raises:
            FetchError: the file cannot be had, or has a wrong checksum.
            DiskError: it cannot be written.
        """
        partial = target.with_name(target.name + PARTIAL)
        # What an earlier run left may belong to another file; then download all of it again.
        for _ in range(2):
            self._complete(remote, partial, report)
            if checksum(partial, remote.algorithm) == remote.checksum:
                with disk_errors(target):
                    partial.replace(target)
                return
            partial.unlink()
        raise FetchError(
            f"{remote.url}: the {remote.algorithm} checksum is wrong, twice in a row; "
            "try again later or another mirror (--base-url)"
        )

    def _complete(self, remote: Remote, partial: Path, report: Callable[[int], None]) -> None:
        backoff = _Backoff(self, remote.url)
        with disk_errors(partial):
            partial.touch()
        while (have := partial.stat().st_size) < remote.size:
            report(have)
            place = have
            with disk_errors(partial):
                file = partial.open("r+b")
            with file:
                for place, block in self.blocks(remote.url, backoff, have):
                    with disk_errors(partial):
                        file.seek(place)
                        file.write(block)
                        file.truncate()
                        file.flush()
                    report(place + len(block))
            if partial.stat().st_size < remote.size:
                backoff.wait("the connection broke off")
        report(remote.size)


class _Backoff:
    """Waits before each retry, longer each time; gives up after several without progress."""

    def __init__(self, web: Web, url: str, most: int = _TRIES) -> None:
        self._web = web
        self._url = url
        self._most = most
        self._tries = 0
        self._furthest = 0

    def reached(self, at: int) -> None:
        """Count the retries from 0 again if more of the file than before has arrived."""
        if at > self._furthest:
            self._furthest, self._tries = at, 0

    def wait(self, reason: str, retry_after: str | None = None) -> None:
        """Wait before a retry, at least as long as the server asks for.

        Raises:
            FetchError: there were too many retries, or the server asks for too long a wait.
        """
        self._tries += 1
        asked = _seconds(retry_after)
        if self._tries >= self._most or asked > _LONGEST_WAIT:
            wait = f", and asks to wait {asked / 60:.0f} minutes" if asked > _LONGEST_WAIT else ""
            raise FetchError(
                f"{self._url}: {reason}{wait}; run the same command again later: "
                "it goes on where it stopped"
            )
        self._web.pause(max(asked, min(2.0 ** (self._tries - 1), _LONGEST_BACKOFF)))


def checksum(path: Path, algorithm: str) -> str:
    """Return the checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def _seconds(retry_after: str | None) -> float:
    """Return the wait that a Retry-After header asks for, as seconds or as a date."""
    try:
        return max(0.0, Retry().parse_retry_after(retry_after)) if retry_after else 0.0
    except InvalidHeader:
        return 0.0


def _accepted(response: requests.Response) -> requests.Response:
    if response.status_code in (200, 206):
        return response
    response.close()
    raise FetchError(f"{response.url}: {_status(response)}")


def _status(response: requests.Response) -> str:
    return f"the server answers {response.status_code} {response.reason or ''}".rstrip()


def _reason(error: Exception) -> str:
    """Return the innermost cause, the shortest and clearest."""
    inner: BaseException = error
    while (cause := inner.__cause__ or inner.__context__) is not None:
        inner = cause
    return (getattr(inner, "strerror", None) or str(inner) or type(inner).__name__).strip()


class RemoteStream(io.RawIOBase):
    """A file on a server as a raw stream, resumed by byte range where a connection broke."""

    def __init__(self, url: str) -> None:
        self._blocks: Generator[tuple[int, bytes]] | None = None
        self._web = Web()
        self._url = url
        self._size = self._web.size(url)
        self._backoff = _Backoff(self._web, url)
        self._at = 0
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """Return True, for io.BufferedReader."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill `buffer` and return how many bytes were read; 0 at the end of the file.

        Raises:
            FetchError: the connection broke for good, or the server cannot resume.
        """
        view = memoryview(buffer).cast("B")
        while not self._left and self._at < self._size:
            self._fill()
        count = min(len(view), len(self._left))
        view[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def close(self) -> None:
        """Close the connection, read to the end or not."""
        if self._blocks is not None:
            self._blocks.close()
        super().close()

    def _fill(self) -> None:
        if self._blocks is None:
            self._blocks = self._web.blocks(self._url, self._backoff, self._at)
        place, block = next(self._blocks, (self._at, b""))
        if place != self._at:
            raise FetchError(f"{self._url}: the server cannot go on where the connection broke")
        if not block:
            self._blocks = None
            self._backoff.wait("the connection broke off")
        self._at += len(block)
        self._left = memoryview(block)
