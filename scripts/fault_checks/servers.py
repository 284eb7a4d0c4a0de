"""A server on this machine that misbehaves on request."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

from server import Loopback, Quiet, running

STATUS = "/enwiki/20260101/dumpstatus.json"
# Sends a whole response.
Answer = Callable[[BaseHTTPRequestHandler], None]


def listed(form: str, content: bytes, sha1: str) -> bytes:
    """Return what stands at `STATUS` of a wiki that has one dump, of some form."""
    file = {"size": len(content), "url": f"/enwiki/20260101/d.xml.{form}", "sha1": sha1}
    job = {"status": "done", "updated": "2026-01-09 10:11:12", "files": {f"d.xml.{form}": file}}
    return json.dumps({"version": "0.8", "jobs": {f"metahistory{form}dump": job}}).encode()


def endless(begin: bytes, block: bytes) -> Answer:
    """Return an answer that begins so and then goes on for ever with the same block."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(begin)
        while True:
            handler.wfile.write(block)

    return answer


def dripping(content: bytes, pause: float = 1.0) -> Answer:
    """Return an answer that sends a byte a second."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        if handler.command == "HEAD":
            return
        for byte in content:
            handler.wfile.write(bytes([byte]))
            time.sleep(pause)

    return answer


def refusing(status: int, reason: str) -> Answer:
    """Return an answer with a status and a reason of its own."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(f"HTTP/1.1 {status} {reason}\r\nContent-Length: 0\r\n\r\n".encode())

    return answer


@contextmanager
def serving(answers: Mapping[str, Answer | bytes]) -> Iterator[str]:
    """Serve these paths while the block lasts, and give the URL; all others are not found."""

    class Handler(Quiet):
        def do_GET(self) -> None:  # noqa: N802 (the name is given)
            found = answers.get(self.path.partition("?")[0])
            try:
                if callable(found):
                    found(self)
                    return
                body = found or b""
                self.send_response(200 if found is not None else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)
            except OSError:  # the client has gone
                self.close_connection = True

        do_HEAD = do_GET  # noqa: N815 (the name is given)

    with running(Loopback(Handler)) as server:
        yield server.url
