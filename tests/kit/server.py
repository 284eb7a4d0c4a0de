"""Servers on loopback for tests, and one of dumps, which can return errors on request."""

import hashlib
import json
import re
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

# Writes an answer to a request, as long as it likes; an OSError says that the client is gone.
Misbehaviour = Callable[["Handler"], None]


class Loopback(ThreadingHTTPServer):
    """A server on a free port."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that close the connection, and killed ones."""


class Quiet(BaseHTTPRequestHandler):
    """Answers requests without a word on standard error."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments: object) -> None:
        """Stay silent."""


S = TypeVar("S", bound=Loopback)


@contextmanager
def running(server: S) -> Iterator[S]:
    """Run a server during the `with` block."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


class Server(Loopback):
    """Serves `files` (path -> bytes) and an index of each folder, as Wikimedia's server does.

    `answers` holds other answers to the next requests for a path, or for "HEAD path": a status with
    headers, "cut" to break the connection in the middle, or a function that writes what it likes.
    `asked` holds the requests.
    """

    def __init__(self) -> None:
        super().__init__(Handler)
        self.files: dict[str, bytes] = {}
        self.answers: dict[str, deque[tuple[int, dict[str, str]] | str | Misbehaviour]] = {}
        self.closing = threading.Event()
        self.asked: list[tuple[str, str, str | None]] = []
        self.agents: set[str | None] = set()
        self.ranges = True
        self.slow = 0.0
        self.open, self.most_open = 0, 0

    def gets(self, name: str) -> list[str | None]:
        """Return the byte ranges of the requests for a file."""
        return [
            bytes_ for verb, path, bytes_ in self.asked if verb == "GET" and path.endswith(name)
        ]

    def add_history(
        self,
        wiki: str,
        date: str,
        files: dict[str, bytes],
        form: str = "7z",
        status: str = "done",
        job: str | None = None,
    ) -> None:
        """Add files to a history dump, or to another job of the same date."""
        path = f"/{wiki}/{date}/dumpstatus.json"
        listed = json.loads(self.files.get(path, b'{"version": "0.8", "jobs": {}}'))
        listed["jobs"][job or f"metahistory{form}dump"] = {
            "status": status,
            "updated": "2026-01-09 10:11:12",
            "files": {
                name: {
                    "size": len(content),
                    "url": f"/{wiki}/{date}/{name}",
                    "md5": hashlib.md5(content).hexdigest(),
                    "sha1": hashlib.sha1(content).hexdigest(),
                }
                for name, content in files.items()
            },
        }
        self.files[path] = json.dumps(listed).encode()
        self.files |= {f"/{wiki}/{date}/{name}": content for name, content in files.items()}

    def add_content(
        self, wiki: str, date: str, files: dict[str, bytes], *, success: bool = True
    ) -> None:
        """Add a dump of the Content File Exports."""
        folder = f"/other/mediawiki_content_history/{wiki}/{date}/xml/bzip2"
        sums = [f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in files.items()]
        self.files[f"{folder}/SHA256SUMS"] = ("\n".join(sums) + "\n").encode()
        if success:
            self.files[f"{folder}/_SUCCESS"] = b""
        self.files |= {f"{folder}/{name}": content for name, content in files.items()}


class Handler(Quiet):
    """Answers one request."""

    server: Server

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, *, with_body: bool) -> None:
        server = self.server
        with server.lock:
            server.asked.append((self.command, self.path, self.headers["Range"]))
            server.agents.add(self.headers["User-Agent"])
            server.open += 1
            todo = server.answers.get(self.path if with_body else f"HEAD {self.path}")
            wanted = todo.popleft() if todo else None
        try:
            if isinstance(wanted, tuple):
                self._send(wanted[0], b"", wanted[1])
            elif callable(wanted):
                self.close_connection = True
                with suppress(OSError):
                    wanted(self)
            else:
                self._serve(cut=wanted == "cut", with_body=with_body)
        finally:
            with server.lock:
                server.open -= 1

    def _serve(self, *, cut: bool, with_body: bool) -> None:
        content = self.server.files.get(self.path)
        if content is None and self.path.endswith("/"):
            content = self._index()
        if content is None:
            self._send(404, b"")
            return
        start, status, headers = 0, 200, {}
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers["Range"] or "")
        if wanted and self.server.ranges:
            start, status = int(wanted[1]), 206
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self._send(status, content[start:], headers, cut=cut, with_body=with_body)

    def _index(self) -> bytes | None:
        below = Counter(
            path.removeprefix(self.path).split("/")[0]
            for path in self.server.files
            if path.startswith(self.path)
        )
        links = [f'<a href="{name}/">{name}/</a>' for name in sorted(below)]
        return "\n".join(['<a href="../">../</a>', *links]).encode() if below else None

    def _send(
        self,
        status: int,
        body: bytes,
        headers: dict[str, str] | None = None,
        *,
        cut: bool = False,
        with_body: bool = True,
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if not with_body:
            return
        with suppress(OSError):
            half = len(body) // 2
            self.wfile.write(body[:half])
            self.wfile.flush()
            if self.server.slow:
                time.sleep(self.server.slow)
                # By now, finished requests are no longer counted as open.
                with self.server.lock:
                    self.server.most_open = max(self.server.most_open, self.server.open)
            if cut:
                self.close_connection = True
                self.connection.shutdown(2)
                return
            self.wfile.write(body[half:])


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n"


def dribbling(start: bytes = HEAD, piece: bytes = b"x", pause: float = 0.01) -> Misbehaviour:
    """Write a start and then pieces for ever, with a pause before each."""

    def answer(handler: Handler) -> None:
        handler.wfile.write(start)
        while not handler.server.closing.wait(pause):
            handler.wfile.write(piece)

    return answer


def flooding(start: bytes = HEAD, piece: bytes = b"x" * 100_000) -> Misbehaviour:
    """Write a start and then pieces for ever, as fast as they are taken."""
    return dribbling(start, piece, pause=0)


def silent(handler: Handler) -> None:
    """Accept a request and say nothing."""
    handler.server.closing.wait()


def saying(answer: bytes) -> Misbehaviour:
    """Write these bytes and close the connection."""

    def say(handler: Handler) -> None:
        handler.wfile.write(answer)

    return say


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server of dumps during the `with` block."""
    with running(Server()) as server:
        try:
            yield server
        finally:
            server.closing.set()
