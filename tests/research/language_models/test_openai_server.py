"""A model behind a server: what is asked, and what each fault of the server leads to."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm_server import (
    Handler,
    LLMServer,
    Misbehaviour,
    completion,
    hang_up,
    llm_server,
    refuse,
    send,
    wait,
)
from wikibias.errors import UnreachableError, UsageError, WikibiasError
from wikibias.research.language_models import asking, openai_server
from wikibias.research.language_models.openai_server import (
    BASE_URL_NAME,
    KEY_NAME,
    LostError,
    OpenAIServer,
    StatusError,
    open_model,
    read_reply,
)

REQUEST = {"model": "small", "messages": [{"role": "user", "content": "A mill stood here."}]}
KEY = "sk-never-shown-123"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)
    monkeypatch.setattr(openai_server, "TRIES", 3)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with llm_server() as server:
        yield server


def client(server: LLMServer, timeout: float = 5.0) -> OpenAIServer:
    return OpenAIServer("small", server.url, KEY, timeout)


def test_a_proxy_gets_nothing_for_here(server: LLMServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert client(server).complete(REQUEST)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"error": {"message": "too long"}}', "too long"),
        (b'{"error": "no such model"}', "no such model"),
        (b'{"detail": "Not Found"}', "Not Found"),
        (b"<h1>Bad\nGateway</h1>", "<h1>Bad Gateway</h1>"),
        (b"", ""),
        (b"{}", ""),
        (b'{"error": {"message": "wrong key: %b"}}' % KEY.encode(), "wrong key: ***"),
        (b'{"error": {"message": "no", "code": "insufficient_quota"}}', "no (insufficient_quota)"),
        (b"[" * 100_000, "[" * 200),
    ],
)
def test_whatever_form_a_refusal_has_the_key_is_not_repeated(
    server: LLMServer, content: bytes, said: str
) -> None:
    server.next.append(lambda handler: handler.send(400, content))
    with pytest.raises(StatusError) as caught:
        client(server).complete(REQUEST)
    assert (caught.value.status, caught.value.message) == (400, said)


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


@pytest.mark.parametrize(
    ("at_once", "slowly"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        (b"HTTP/1.1 400 No\r\nContent-Length: 100\r\n\r\n", b" "),
    ],
)
def test_a_byte_now_and_then_holds_nobody(at_once: bytes, slowly: bytes, server: LLMServer) -> None:
    def drip(handler: Handler) -> None:
        handler.wfile.write(at_once)
        for _ in range(100):
            handler.wfile.write(slowly)
            handler.wfile.flush()
            time.sleep(0.05)
        whole.append(at_once)

    whole: list[bytes] = []
    server.always = drip
    with pytest.raises((LostError, UnreachableError), match=r"within 0\.4 seconds"):
        client(server, timeout=0.4).complete(REQUEST)
    assert not whole


def test_an_endless_answer_is_not_read(server: LLMServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_server, "MOST_BYTES", 1_000_000)
    server.always = send(b" " * 2_000_000)
    with pytest.raises(LostError, match="more than 1 MB"):
        client(server).complete(REQUEST)


def test_nobody_at_the_address_is_told_as_such(server: LLMServer) -> None:
    ours = OpenAIServer("small", "http://127.0.0.1:9/v1", KEY)
    with pytest.raises(UnreachableError, match="cannot be reached") as caught:
        ours.complete(REQUEST)
    assert "start the server, or check --base-url" in str(caught.value)


def body(content: Any, **more: Any) -> bytes:
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], **more}).encode()


def test_an_answer_is_read_with_what_the_server_tells_of_it() -> None:
    told = body(
        "BIASED.",
        model="small-2",
        system_fingerprint="fp_1",
        usage={"prompt_tokens": 90, "completion_tokens": 3},
    )
    assert read_reply(told) == asking.Reply("BIASED.", 90, 3, "stop", "small-2", "fp_1")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        (7, ""),
        ([{"type": "text", "text": "NOT "}, {"type": "text", "text": "BIASED"}, 3], "NOT BIASED"),
        ("a\x00b\x1b[31m", "a\x00b\x1b[31m"),
        ("half \ud800", "half ?"),
    ],
)
def test_whatever_an_answer_holds_it_is_text(content: Any, text: str) -> None:
    assert read_reply(body(content)).text == text
    choice = {"message": {"content": None, "refusal": "I cannot."}}
    assert read_reply(json.dumps({"choices": [choice]}).encode()).text == "I cannot."
    long = read_reply(body("x" * 1_000_000 + "</think>BIASED")).text
    assert " [cut: 1,000,014 characters] " in long
    assert long.endswith("</think>BIASED")
    assert len(long) < asking.LONGEST_ANSWER + 50


@pytest.mark.parametrize("number", [-1, 10**30, "3", None, True, 2.5])
def test_odd_counts_of_tokens_count_as_not_told(number: Any) -> None:
    usage = {"prompt_tokens": number, "completion_tokens": number}
    reply = read_reply(body("x", usage=usage))
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (b"", "answers with nothing"),
        (b" \n", "answers with nothing"),
        (b'{"choices": [{"mess', r"no whole JSON \(19 bytes\)"),
        (b"<html>It works!</html>", "a web page, not JSON; check --base-url"),
        (b"\xff\xfe\x00", "no whole JSON"),
        (b"[" * 100_000, "no whole JSON"),
        (b"[]", "JSON that holds no answer"),
        (b'{"choices": []}', "JSON that holds no answer"),
        (b'{"choices": {"0": 1}}', "JSON that holds no answer"),
        (b'{"error": "overloaded"}', "JSON that holds no answer: overloaded"),
        (b'{"error": {"message": "full", "code": 502}}', "JSON that holds no answer: full"),
    ],
)
def test_what_is_no_answer_is_asked_for_again(told: bytes, said: str) -> None:
    with pytest.raises(LostError, match=said):
        read_reply(told)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["choices", "message", "content", "usage"]), inner)
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_json_breaks_the_reader(found: Any) -> None:
    with suppress(LostError):
        read_reply(json.dumps(found).encode())


MESSAGES = (asking.Message("system", "Judge."), asking.Message("user", "A mill stood here."))


def send_error(status: int, said: str, code: str) -> Misbehaviour:
    content = json.dumps({"error": {"message": said, "code": code}}).encode()
    return lambda handler: handler.send(status, content)


def model(server: LLMServer, **options: Any) -> OpenAIServer:
    return open_model("small", base_url=server.url, **options)


def test_a_question_carries_messages_and_decoding(server: LLMServer) -> None:
    reply = model(server).answer(MESSAGES, asking.Decoding(max_tokens=9, seed=4))
    assert (reply.text, reply.finish, reply.model) == ("NOT BIASED.", "stop", "small")
    assert (reply.tokens_in, reply.tokens_out) == (5, 2)
    assert server.requests == [
        {
            "model": "small",
            "messages": [
                {"role": "system", "content": "Judge."},
                {"role": "user", "content": "A mill stood here."},
            ],
            "temperature": 0.0,
            "seed": 4,
            "max_tokens": 9,
        }
    ]


@pytest.mark.parametrize(
    "misbehave",
    [
        refuse(429), refuse(500), refuse(502), refuse(503), refuse(529), refuse(408), hang_up,
    ],
)  # fmt: skip
def test_what_passes_is_asked_again(server: LLMServer, misbehave: Any) -> None:
    server.next.extend([misbehave, misbehave])
    assert model(server).answer(MESSAGES, asking.Decoding()).text == "NOT BIASED."
    assert len(server.requests) == 3


def test_retry_after_is_waited_for(server: LLMServer) -> None:
    ours = model(server)
    ours.answer(MESSAGES, asking.Decoding())  # a server that has answered once is waited for
    server.next.append(refuse(429, Retry_After="1"))
    ours.answer(MESSAGES, asking.Decoding())
    refused, again = server.times[-2:]
    assert again - refused >= 0.9


@pytest.mark.parametrize(
    ("misbehave", "said", "kind", "tries"),
    [
        (refuse(401, "bad key"), "HTTP 401: bad key; check the key: --api-key-env", None, 1),
        (refuse(404, "no model"), "HTTP 404: no model; check --base-url", None, 1),
        (refuse(307), "HTTP 307: no; check --base-url", None, 1),
        (refuse(400, "too long"), "HTTP 400: too long", asking.NoAnswerError, 1),
        (refuse(413), "HTTP 413", asking.NoAnswerError, 1),
        (
            send_error(429, "your quota", "insufficient_quota"),
            r"HTTP 429: your quota \(insufficient_quota\); the account has no money left",
            *(None, 1),
        ),
        (refuse(500, "broken"), r"HTTP 500: broken", asking.NoAnswerError, 4),
        (refuse(503, "busy", Retry_After="0.01"), "HTTP 503: busy", None, 4),
        (wait(0.5), r"within 0\.2 seconds; check --base-url", UnreachableError, 1),
        (refuse(429, "slow down"), "HTTP 429: slow down", None, 4),
    ],
)
def test_a_fault_is_told_at_once_or_when_it_stays(
    server: LLMServer, misbehave: Any, said: str, kind: type[Exception] | None, tries: int
) -> None:
    """What is no fault of one question alone ends all."""
    server.always = misbehave
    with pytest.raises(kind or WikibiasError, match=said) as caught:
        client(server, timeout=0.2).answer(MESSAGES, asking.Decoding())
    assert isinstance(caught.value, asking.NoAnswerError) == (kind is asking.NoAnswerError)
    assert len(server.requests) == tries


def refusing(server: LLMServer, **words: str) -> None:
    """Have a server refuse requests with some keys."""

    def answer(handler: Handler) -> None:
        request = json.loads(handler.body)
        for name, said in words.items():
            if name in request:
                refuse(400, said)(handler)
                return
        handler.send(200, completion("BIASED", request))

    server.always = answer


def test_what_is_refused_is_left_out(server: LLMServer, caplog: pytest.LogCaptureFixture) -> None:
    refusing(
        server,
        max_tokens="Unsupported: 'max_tokens'; use 'max_completion_tokens' instead",
        temperature="Unsupported value: 'temperature' does not support 0 with this model.",
        seed='{"loc": ["body", "seed"], "msg": "extra inputs are not permitted"}',
    )
    ours = model(server)
    for _ in range(3):
        reply = ours.answer(MESSAGES, asking.Decoding(max_tokens=7))
        assert (reply.text, reply.left_out) == ("BIASED", "temperature,seed")
    assert len(server.requests) == 6
    assert server.requests[-1]["max_completion_tokens"] == 7
    assert [each.split(" (")[0].split("/v1 ")[1] for each in caplog.messages] == [
        "takes no such temperature", "takes no such seed",
    ]  # fmt: skip


def test_what_a_server_has_taken_is_kept_whatever_a_sentence_says(server: LLMServer) -> None:
    ours = model(server)
    assert ours.answer(MESSAGES, asking.Decoding()).left_out == ""
    server.next.append(refuse(400, "content filter: the seed was sown at a low temperature"))
    with pytest.raises(asking.NoAnswerError, match="the seed was sown"):
        ours.answer(MESSAGES, asking.Decoding())
    assert ours.answer(MESSAGES, asking.Decoding()).left_out == ""
    assert len(server.requests) == 3


class TestKeys:
    def test_it_is_in_the_environment_and_told_in_no_error(
        self, server: LLMServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MY_KEY", " sk-1 \n")
        server.always = send(b'{"error": {"message": "no credit for sk-1"}}')
        with pytest.raises(asking.NoAnswerError, match=r"no answer: no credit for \*\*\*"):
            model(server, api_key_env="MY_KEY").answer(MESSAGES, asking.Decoding())
        assert server.headers[0]["authorization"] == "Bearer sk-1"

    def test_that_of_openai_and_its_account_stay_there(
        self, server: LLMServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in (KEY_NAME, "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
            monkeypatch.setenv(name, "secret-of-openai")
        model(server).answer(MESSAGES, asking.Decoding())
        client(server).complete(REQUEST)
        assert "secret-of-openai" not in json.dumps(server.headers)

    def test_that_of_the_environment_goes_to_the_server_of_the_environment(
        self, server: LLMServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(BASE_URL_NAME, server.url)
        monkeypatch.setenv(KEY_NAME, "sk-1")
        open_model("small").answer(MESSAGES, asking.Decoding())
        monkeypatch.delenv(KEY_NAME)
        open_model("small").answer(MESSAGES, asking.Decoding())
        sent = [each["authorization"] for each in server.headers]
        assert sent[0] == "Bearer sk-1"
        assert "sk-1" not in sent[1]

    def test_openai_itself_wants_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv(KEY_NAME, raising=False)
        monkeypatch.delenv(BASE_URL_NAME, raising=False)
        with pytest.raises(UsageError, match=f"no key in the environment variable {KEY_NAME}"):
            open_model("gpt")

    def test_one_of_odd_letters(self, server: LLMServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MY_KEY", "sk-é")
        with pytest.raises(UsageError, match="no key has") as caught:
            model(server, api_key_env="MY_KEY")
        assert "sk-" not in str(caught.value)

    def test_it_goes_unencrypted_only_with_a_warning(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setenv("MY_KEY", "sk-1")
        open_model("small", base_url="http://gpu.example/v1", api_key_env="MY_KEY")
        assert caplog.messages == ["The key goes to gpu.example unencrypted; use https where the "
                                   "server can"]  # fmt: skip


@pytest.mark.parametrize(
    ("url", "said"),
    [
        *((url, "no address such as") for url in ("127.0.0.1:8080", "ftp://a/v1", "http://", "")),
        ("http://[::1", "no address such as"),
        ("https://user:sk-1@example.org/v1", "into an environment variable"),
    ],
)
def test_an_address_that_is_none_is_refused_and_its_key_not_repeated(url: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        open_model("small", base_url=url)
    assert "sk-1" not in str(caught.value)
