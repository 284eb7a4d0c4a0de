"""The server: where it listens, what it shows, and how it ends."""

import http.client
import json
import os
import signal
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from labelling_server import Reply, ask, serving
from wikibias.errors import UsageError
from wikibias.research.annotation.answer_store import AnswerStore, answer_store
from wikibias.research.annotation.labelling.rounds import Round
from wikibias.research.annotation.labelling.server import (
    LARGEST_BODY,
    Guard,
    address_of,
    labelling_app,
    listening,
)
from wikibias.research.annotation.tasks import Task, load_guidelines
from wikibias.research.language_models.asking import is_loopback

HOSTILE = "<script>alert(1)</script> & \"quoted\" 'single' \u202e {{ 7 * 7 }} \ud800"
TASKS = [Task(item="s1", text="The mill is fine."), Task(item="s2", text=HOSTILE, section=HOSTILE)]
BIASED = {"bias": "biased"}
LOCAL, OPEN = Guard("127.0.0.1"), Guard("0.0.0.0", "secret")


@dataclass
class Page:
    """An application with its store, and what it told the terminal."""

    store: AnswerStore
    names: tuple[str, ...] = ()
    guard: Guard = field(default_factory=lambda: Guard("127.0.0.1"))
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        work = Round(TASKS, load_guidelines("bias"), self.store, names=self.names)
        self.app = labelling_app(work, self.guard, self.told.append)

    def get(self, address: str, **headers: str) -> Reply:
        return ask(self.app, address, headers=headers)

    def post(self, what: str, said: Any, *, name: str = "mila", **headers: str) -> Reply:
        return ask(self.app, f"/api/{what}?as={name}", json.dumps(said).encode(), headers)

    def to_the_end(self) -> None:
        state = self.get("/api/state?as=mila").json
        while state["place"] is not None:
            state = self.post("answer", {"place": state["place"], "answers": BIASED}).json


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    with answer_store(tmp_path / "a.db") as found:
        yield found


@pytest.fixture
def page(store: AnswerStore) -> Page:
    return Page(store)


@pytest.mark.parametrize(
    "address", ["/", "/label?as=mila", "/label.css", "/label.js", "/marks.js", "/none"]
)
def test_every_answer_forbids_what_the_page_does_not_need(page: Page, address: str) -> None:
    headers = page.get(address).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"


def test_the_pages_run_only_the_script_of_their_own(page: Page) -> None:
    for address in ("/", "/label?as=mila"):
        text = page.get(address).text
        assert "<style" not in text
        assert "style=" not in text
        assert text.count("<script") == text.count('<script src="/label.js"')
        assert "http" not in text


def test_answers_are_kept(page: Page, store: AnswerStore) -> None:
    page.to_the_end()
    assert {row["item"]: row["bias"] for row in store.rows()} == {"s1": "biased", "s2": "biased"}
    state = page.post("undo", {"place": None}).json
    assert state["done"] == 1
    assert len(store.rows()) == 1


def test_hostile_texts_and_names_are_data_on_the_way_to_the_page(page: Page) -> None:
    state = page.get("/api/state?as=mila").json
    while "script" not in state["item"]["text"]:
        state = page.post("answer", {"place": state["place"], "answers": BIASED}).json
    assert state["item"]["text"] == HOSTILE.replace("\u202e", "\ufffd").replace("\ud800", "\ufffd")
    assert "<script>alert" not in page.get("/label?as=mila").text
    text = page.get("/label?as=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%22").text
    assert "<img" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;&#34;" in text


def test_without_a_name_the_page_asks_for_one(page: Page) -> None:
    reply = page.get("/label?as=")
    assert (reply.status, reply.headers["location"]) == (303, "/")
    assert page.get("/api/state?as=").status == 422


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("%00", ""),
        ("a" * 61, "a" * 60),
        ("a%0Ab|", "ab"),
        ("x%3Cb%3E%E2%80%AE%22", "x&lt;b&gt;&#34;"),
        ("x" * 10_000, "x" * 60),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_in_a_line(page: Page, name: str, left: str) -> None:
    reply = page.get(f"/label?as={name}")
    assert reply.status == 422
    assert "The name of an annotator must have 1 to 60 characters" in reply.text
    assert f' value="{left}"' in reply.text
    assert page.get(f"/api/state?as={name}").status == 422


def test_annotators_who_are_named_are_listed_and_no_others_let_in(store: AnswerStore) -> None:
    page = Page(store, names=("mila", "ivan & co"))
    text = page.get("/").text
    assert '<a class="go" href="/label?as=ivan%20%26%20co" dir="auto">ivan &amp; co</a>' in text
    assert "<form" not in text
    refused = page.get("/label?as=ada")
    assert refused.status == 422
    assert "The annotators are mila, ivan &amp; co." in refused.text


def test_no_other_site_can_answer(page: Page, store: AnswerStore) -> None:
    said = {"place": 0, "answers": BIASED}
    assert page.post("answer", said, host="evil.example").status == 421
    assert page.post("answer", said, origin="http://evil.example").status == 403
    for what in ("answer", "undo"):  # not for links
        assert page.get(f"/api/{what}?as=mila").status == 405
    assert store.answered("mila") == set()


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'"x"', b"\xff", b"[" * 100_000, b'{"place": "0"}', b'{"place": 0}']
)
def test_what_is_no_answer_is_refused(page: Page, store: AnswerStore, body: bytes) -> None:
    reply = ask(page.app, "/api/answer?as=mila", body)
    assert reply.status == 422
    assert "\n" not in reply.json["error"]
    assert store.answered("mila") == set()


def test_a_body_without_end_is_not_read_to_its_end(page: Page) -> None:
    reply = ask(page.app, "/api/answer?as=mila", b"x" * (3 * LARGEST_BODY))
    assert (reply.status, reply.json) == (413, {"error": "That is too much text."})


def test_a_full_disk_is_said_on_the_page_and_the_terminal(page: Page, store: AnswerStore) -> None:
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    said = {"place": 0, "answers": BIASED, "comment": "é" * 5000}
    replies = [page.post("answer", said, name=f"m{number}") for number in range(9)]
    failed = [reply for reply in replies if reply.status == 507]
    assert failed
    assert failed[0].json["error"].startswith("Not saved: cannot write")
    assert len(page.told) == len(failed)


class TestAToken:
    def test_is_needed_for_everything(self, store: AnswerStore) -> None:
        page = Page(store, guard=OPEN)
        for address in ("/", "/label?as=mila", "/api/state?as=mila", "/label.js"):
            assert page.get(address).status == 403
            assert page.get(address, cookie=f"{OPEN.cookie}=other").status == 403
        assert page.get("/?token=other").status == 403
        assert page.post("answer", {"place": 0, "answers": BIASED}).status == 403

    def test_goes_from_the_address_into_a_cookie(self, store: AnswerStore) -> None:
        page = Page(store, guard=OPEN)
        reply = page.get("/?token=secret", host="lab.example:8740")
        assert (reply.status, reply.headers["location"]) == (303, "/")
        cookie = reply.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        held = reply.headers["set-cookie"].partition(";")[0]
        assert page.get("/", host="lab.example:8740", cookie=held).status == 200
        said = {"place": 0, "answers": BIASED}
        assert page.post("answer", said, host="lab.example:8740", cookie=held).json["taken"]


JSON = {"x-wikibias": "1", "content-type": "application/json"}


@pytest.mark.parametrize(
    ("hosts", "status"),
    [
        (["127.0.0.1:8740", "localhost:9000", "[::1]:1", "127.0.0.1"], None),  # through a tunnel
        (["evil.example", "127.0.0.1.evil.example:8740", "", "[", "a@b"], 421),
    ],
)
def test_only_this_machine_is_served(hosts: list[str], status: int | None) -> None:
    for host in hosts:
        refusal = LOCAL.refusal("GET", {"host": host}, None)
        assert (refusal and refusal.status) == status, host


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**JSON, "origin": "http://localhost:8740"}, None),
        (JSON, None),
        ({**JSON, "origin": "http://evil.example"}, 403),
        ({**JSON, "origin": "http://localhost:9999"}, 403),
        ({**JSON, "origin": "null"}, 403),
        ({"content-type": "application/json"}, 403),
        ({"x-wikibias": "1", "content-type": "text/plain"}, 415),
        ({"x-wikibias": "1"}, 415),
    ],
)
def test_only_the_page_itself_changes_anything(headers: dict[str, str], status: int | None) -> None:
    refusal = LOCAL.refusal("POST", {"host": "localhost:8740", **headers}, None)
    assert (refusal and refusal.status) == status


def test_a_token_is_made_where_others_can_reach_the_page() -> None:
    assert Guard.of("127.0.0.1").token is None
    open_to_all = [Guard.of("0.0.0.0"), Guard.of("192.0.2.1")]
    assert len({guard.token for guard in open_to_all} - {None, ""}) == 2
    assert len({guard.cookie for guard in open_to_all}) == 2


def test_loopback_is_known() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "LocalHost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.0.2.1", "example.org")))


@pytest.mark.parametrize("guard", [LOCAL, OPEN])
def test_any_free_port_is_found_for_0_and_the_address_holds_the_token(guard: Guard) -> None:
    with listening("127.0.0.1", 0) as found:
        port = found.getsockname()[1]
        host, token = (socket.gethostname(), "?token=secret") if guard is OPEN else (LOCAL.host, "")
        assert address_of(found, guard) == f"http://{host}:{port}/{token}"


def test_a_port_that_is_taken_is_said_in_a_line() -> None:
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match="give another --port"), listening("127.0.0.1", port):
            pass


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_it_answers_and_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text('{"item": "s1", "text": "The mill is fine."}\n')
    with serving(tmp_path, "tasks.jsonl", "--port", "0") as server:
        connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=10)
        connection.request("GET", "/")
        reply = connection.getresponse()
        assert reply.status == 200
        assert reply.getheader("server") is None
        code, said = server.end(signal.SIGTERM)  # with the connection still open
        connection.close()
    assert code == 0
    assert said.splitlines() == [
        "Answers go to tasks.db at once. Ctrl-C ends.",
        "0 answers by 0 annotators in tasks.db.",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tasks.db", "tasks.jsonl"]
