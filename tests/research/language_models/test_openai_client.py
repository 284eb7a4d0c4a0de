"""What goes over the line, and how much of what comes back is read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from llm_server import Handler, LLMServer, cut, hang_up, llm_server, refuse, send, wait
from wikibias.errors import UnreachableError
from wikibias.research.language_models import openai_server
from wikibias.research.language_models.openai_server import Client, LostError, StatusError

REQUEST = {"model": "small", "messages": [{"role": "user", "content": "A mill stood here."}]}
KEY = "sk-never-shown-123"


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with llm_server() as server:
        yield server


def client(server: LLMServer, timeout: float = 5.0) -> Client:
    return Client(server.url, KEY, timeout, proxies=False, own=False)


def test_a_request_gets_its_answer(server: LLMServer) -> None:
    assert b"NOT BIASED." in client(server).complete(REQUEST)
    assert server.requests == [REQUEST]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_other_servers_learn_nothing_of_an_account(
    server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "secret-of-another")
    client(server).complete(REQUEST)
    assert "secret-of-another" not in str(server.headers)


def test_a_proxy_gets_nothing_meant_for_this_machine(
    server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert client(server).complete(REQUEST)


def test_a_refusal_says_why_but_never_the_key(server: LLMServer) -> None:
    server.next.append(refuse(401, f"wrong key:\n {KEY}\x1b[2J"))
    with pytest.raises(StatusError) as caught:
        client(server).complete(REQUEST)
    assert str(caught.value) == "HTTP 401: wrong key: ***\x1b[2J"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"error": {"message": "too long"}}', "too long"),
        (b'{"error": "no such model"}', "no such model"),
        (b'{"detail": "Not Found"}', "Not Found"),
        (b"<h1>Bad\nGateway</h1>", "<h1>Bad Gateway</h1>"),
        (b"", ""),
        (b"{}", ""),
        (b'{"error": {"message": "no", "code": "insufficient_quota"}}', "no (insufficient_quota)"),
        (b"[" * 100_000, "[" * 200),
    ],
)
def test_whatever_form_a_refusal_has(server: LLMServer, content: bytes, said: str) -> None:
    server.next.append(lambda handler: handler.send(400, content))
    with pytest.raises(StatusError) as caught:
        client(server).complete(REQUEST)
    assert (caught.value.status, caught.value.said) == (400, said)


def test_a_refusal_without_end_is_not_read_to_its_end(server: LLMServer) -> None:
    sent = 0

    def endless(handler: Handler) -> None:
        nonlocal sent
        handler.send_response(400)
        handler.send_header("Content-Length", str(10**9))
        handler.end_headers()
        for _ in range(10_000):
            handler.wfile.write(b"x" * 100_000)
            sent += 100_000

    server.next.append(endless)
    with pytest.raises(StatusError, match="HTTP 400"):
        client(server).complete(REQUEST)
    assert sent < 50_000_000


def test_a_redirect_is_not_followed(server: LLMServer) -> None:
    server.next.append(refuse(307, "elsewhere", Location=f"{server.url}/chat/completions"))
    with pytest.raises(StatusError, match="HTTP 307"):
        client(server).complete(REQUEST)
    assert len(server.requests) == 1


@pytest.mark.parametrize("misbehave", [cut, hang_up])
def test_a_cut_line_is_lost(server: LLMServer, misbehave: Any) -> None:
    server.next.append(misbehave)
    with pytest.raises(LostError, match="the line was cut"):
        client(server).complete(REQUEST)


def test_a_server_that_answers_too_late_is_not_waited_for(server: LLMServer) -> None:
    ours = client(server, timeout=0.3)
    ours.complete(REQUEST)
    server.next.append(wait(1.0))
    with pytest.raises(LostError, match=r"no whole answer within 0\.3 seconds"):
        ours.complete(REQUEST)


def test_a_slow_server_is_told_from_none(server: LLMServer) -> None:
    server.next.append(wait(1.0))
    with pytest.raises(UnreachableError, match=r"within 0\.3 seconds; give it longer with --timeo"):
        client(server, timeout=0.3).complete(REQUEST)


def test_a_byte_now_and_then_holds_nobody(server: LLMServer) -> None:
    def drip(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    server.next.append(drip)
    with pytest.raises(LostError, match="no whole answer within"):
        client(server, timeout=0.4).complete(REQUEST)


def test_an_answer_without_end_is_not_read(
    server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_server, "MOST_BYTES", 1_000_000)
    server.next.append(send(b" " * 2_000_000))
    with pytest.raises(LostError, match="more than 1 MB"):
        client(server).complete(REQUEST)


def test_nobody_at_the_address_is_told_as_such(server: LLMServer) -> None:
    ours = Client("http://127.0.0.1:9/v1", KEY, 5.0, proxies=False, own=False)
    with pytest.raises(UnreachableError, match="cannot be reached") as caught:
        ours.complete(REQUEST)
    assert "start the server, or check --base-url" in str(caught.value)
