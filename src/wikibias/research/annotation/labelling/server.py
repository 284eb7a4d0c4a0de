"""The labelling page as a web application, and who may talk to it."""

from __future__ import annotations

import asyncio
import re
import secrets
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from wikibias.errors import DiskError, UsageError, WikibiasError
from wikibias.kits.files import ascii_json, from_json
from wikibias.kits.html import render, stylesheet
from wikibias.research.annotation.labelling import rounds
from wikibias.research.language_models.asking import is_loopback

HEADER = "x-wikibias"
"""Set by the page on each request that changes something."""
LARGEST_BODY = 200_000  # bytes
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""Of every answer."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A status and a sentence, for who is refused."""

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides by the head of a request.

    Attributes:
        host: what the server listens on.
        token: what each request must bring as a cookie; None on loopback.
    """

    host: str
    token: str | None = None

    @classmethod
    def of(cls, host: str) -> Guard:
        """Return the guard of a host, with a new token where others can reach it."""
        return cls(host, None if is_loopback(host) else secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token; that of another server is another."""
        return f"wikibias-{sha256((self.token or '').encode()).hexdigest()[:12]}"

    def refusal(self, method: str, headers: Mapping[str, str], token: str | None) -> Refusal | None:
        """Return why a request is refused, or None.

        Args:
            method: GET, or another, which may change something.
            headers: by name in small letters.
            token: what the request brings.
        """
        host = headers.get("host", "")
        if self.token is None and not is_loopback(_host_name(host)):
            return Refusal(421, "This page is served to its own machine only.")
        given = (token or "").encode(errors="surrogatepass")
        if self.token is not None and not secrets.compare_digest(given, self.token.encode()):
            return Refusal(403, "Open the address that the command printed, with its token.")
        return None if method in ("GET", "HEAD") else _refused_change(headers)


def _refused_change(headers: Mapping[str, str]) -> Refusal | None:
    origin = headers.get("origin")
    if origin is not None and origin.partition("//")[2].lower() != headers.get("host", "").lower():
        return Refusal(403, "The request comes from another site.")
    if headers.get(HEADER) is None:
        return Refusal(403, "The request does not come from the page.")
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return Refusal(415, "Only JSON is taken.")
    return None


# The whole header, or what stands behind a local name would make it that of another site. The port
# may be another one, that of a tunnel.
_HOST = re.compile(r"(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?", re.ASCII | re.IGNORECASE)


def _host_name(host: str) -> str:
    """Return the name in a `Host` header; nothing of one that holds anything else."""
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]) if found else ""


_PACKAGE = __package__ or ""
_SCRIPTS = Path(__file__).parent / "templates"


def labelling_app(work: rounds.Round, guard: Guard, tell: Callable[[str], None]) -> ASGIApp:
    """Return the application of a round of labelling; `tell` is called with what goes wrong.

    Its requests are answered one after another, in one thread: only one writes to the store.
    """
    pages = _Pages(work, tell)
    routes = [
        Route("/", pages.start),
        Route("/label", pages.label),
        Route("/label.css", pages.style),
        Route("/label.js", pages.script),
        Route("/marks.js", pages.script),
        Route("/api/state", pages.state),
        Route("/api/answer", pages.answer, methods=["POST"]),
        Route("/api/undo", pages.undo, methods=["POST"]),
    ]
    return _Guarded(Starlette(routes=routes), guard)


class _Guarded:
    """Refuses what the guard refuses, before anything else looks at it."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app, self._guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if scope["type"] == "http":
            answer = self._answer_to(Request(scope, receive))
            await (answer or self._app)(scope, receive, with_headers)

    def _answer_to(self, request: Request) -> Response | None:
        """Return the answer to who is refused, or brings the token; None where the page answers."""
        given = request.query_params.get("token")
        held = request.cookies.get(self._guard.cookie)
        refusal = self._guard.refusal(request.method, request.headers, given or held)
        if refusal is not None:
            # Who is refused keeps no connection either.
            return PlainTextResponse(f"{refusal.why}\n", refusal.status, {"connection": "close"})
        if given is None or self._guard.token is None:
            return None
        # The address stays in the history of the browser, so the token leaves it for a cookie.
        response = RedirectResponse("/", 303)
        response.set_cookie(self._guard.cookie, self._guard.token, httponly=True, samesite="lax")
        return response


class _Pages:
    """Answers requests."""

    def __init__(self, work: rounds.Round, tell: Callable[[str], None]) -> None:
        self._work, self._tell = work, tell

    async def start(self, _: Request) -> Response:
        """Tell what to do, and ask who annotates."""
        return self._start()

    def _start(self, name: str = "", refused: str = "") -> Response:
        asked = {"names": self._work.names, "longest": rounds.LONGEST_NAME, "name": name}
        return self._page("start.html.j2", 422 if refused else 200, **asked, refused=refused)

    async def label(self, request: Request) -> Response:
        """Show the page for labelling, which asks for its items itself."""
        given = request.query_params.get("as", "")
        if not given.strip():
            return RedirectResponse("/", 303)
        try:
            name = self._annotator(request)
        except UsageError as error:
            said = str(error)
            return self._start(rounds.possible_name(given), f"{said[:1].upper()}{said[1:]}.")
        return self._page("label.html.j2", annotator=name, longest=rounds.LONGEST_COMMENT)

    async def style(self, _: Request) -> Response:
        """Give the rules of both pages."""
        return Response(stylesheet(_PACKAGE, "label.css"), media_type="text/css")

    async def script(self, request: Request) -> Response:
        """Give a script of the page; its route names it."""
        content = (_SCRIPTS / request.url.path[1:]).read_bytes()
        return Response(content, media_type="text/javascript")

    async def state(self, request: Request) -> Response:
        """Give the next item of an annotator."""
        return self._answer_or_error(lambda: self._work.state(self._annotator(request)))

    async def answer(self, request: Request) -> Response:
        """Keep an answer."""
        return await self._change(
            request, lambda name, reply: self._work.answer(name, reply.place, reply)
        )

    async def undo(self, request: Request) -> Response:
        """Take the last answer back."""
        return await self._change(request, lambda name, reply: self._work.undo(name, reply.place))

    async def _change(
        self, request: Request, change: Callable[[str, rounds.Reply], dict[str, Any]]
    ) -> Response:
        """Answer with the state after a change."""
        content = b""
        try:
            async for chunk in request.stream():
                content += chunk
                if len(content) > LARGEST_BODY:  # than any answer can have
                    return _json({"error": "That is too much text."}, 413)
        except ClientDisconnect:
            return _json({"error": "That is half an answer."}, 400)
        return self._answer_or_error(lambda: change(self._annotator(request), _reply(content)))

    def _annotator(self, request: Request) -> str:
        return self._work.check_annotator(request.query_params.get("as", ""))

    def _page(self, template: str, status: int = 200, **context: Any) -> Response:
        asked = self._work.guidelines
        about = [text for text in asked.about.split("\n\n") if text.strip()]
        whole = {"guidelines": asked, "about": about, "t": lambda text: asked.page.get(text, text)}
        shown = render(_PACKAGE, template, whole | context)
        return Response(shown, status, media_type="text/html")

    def _answer_or_error(self, ask: Callable[[], dict[str, Any]]) -> Response:
        """Answer with what is found, or with one line about what is wrong."""
        try:
            return _json(ask())
        except DiskError as error:
            self._tell(str(error))
            return _json({"error": f"Not saved: {error}"}, 507)
        except UsageError as error:
            return _json({"error": str(error)}, 422)
        except WikibiasError as error:
            self._tell(str(error))
            return _json({"error": str(error)}, 500)


def _reply(content: bytes) -> rounds.Reply:
    try:
        return rounds.read_reply(from_json(content))
    except (ValueError, RecursionError) as error:
        raise UsageError("that is no JSON") from error


def _json(content: dict[str, Any], status: int = 200) -> Response:
    # In ASCII: halves of characters, which a task file may hold, are not for UTF-8.
    return Response(ascii_json(content), status, media_type="application/json")


_SOON = 2  # seconds, for requests that are being answered when it ends
_MOST_AT_ONCE = 200  # connections
_MOST_SILENT = 50  # of them; the others are left to who has asked, and was not refused
_LONGEST_HEAD = 5  # seconds, from the connection or the last answer to the end of the headers
_ALL = ("0.0.0.0", "::")  # noqa: S104 (named, not listened on)


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Give a socket that listens; any free port where 0 is asked for.

    Raises:
        UsageError: the host is none of this machine, or the port is taken.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.create_server(address[:2], family=family)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host} port {port} ({error.strerror or error}); give another "
            "--port, such as 0 for any that is free, or another --host"
        ) from error
    with found:
        yield found


def address_of(found: socket.socket, guard: Guard) -> str:
    """Return what to open in a browser, with the token where one is needed."""
    port = found.getsockname()[1]
    host = socket.gethostname() if guard.host in _ALL else guard.host
    named = f"[{host}]" if ":" in host else host
    token = "" if guard.token is None else f"?token={guard.token}"
    return f"http://{named}:{port}/{token}"


class _Punctual(H11Protocol):
    """Ends a connection that does not ask in time, or the oldest where too many do not ask."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()
        every = self.connections
        silent = [each for each in every if isinstance(each, _Punctual) and each.cycle is None]
        if len(silent) > _MOST_SILENT:
            oldest = min(silent, key=lambda each: each._ends.when())
            every.discard(oldest)  # it is told only later that it was lost
            oldest.transport.abort()

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ends.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._ends = self.loop.call_later(_LONGEST_HEAD, self._end_without, self.cycle)

    def _end_without(self, last: RequestResponseCycle | None) -> None:
        if self.cycle is last:  # nothing was asked since
            self.transport.abort()


def serve_until_interrupted(app: Any, found: socket.socket) -> None:
    """Answer requests until Ctrl-C or `kill`."""
    config = uvicorn.Config(
        app,
        http=_Punctual,
        lifespan="off",
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SOON,
        limit_concurrency=_MOST_AT_ONCE,
    )
    # uvicorn ends first, then hands the signal on: `kill` is to end it as Ctrl-C does.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[found])
    finally:
        signal.signal(signal.SIGTERM, before)
