"""A server on this machine that misbehaves on request."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Sends a whole response.
Answer = Callable[[BaseHTTPRequestHandler], None]


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

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Stay silent."""

        def do_GET(self) -> None:
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

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
