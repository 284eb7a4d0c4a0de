"""The action API of a wiki: what it tells of revisions, and what it may answer instead."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

import wiki_server
from wiki_server import Known, Misbehaviour, Wiki, cut, lagging, refusing, saying, telling, wiki_of
from wikibias.dumps.web import http, wiki_api
from wikibias.dumps.web.http import USER_AGENT, Web
from wikibias.dumps.web.wiki_api import RevisionAnswer, api_of, refuse_no_address, tell
from wikibias.errors import FetchError, UnreachableError, UsageError
from wikibias.records import LONGEST_TEXT

TEXTS = {number: f"text of {number}, été" for number in range(1, 9)}


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    """A wiki with eight revisions of two pages."""
    with wiki_of({n: Known(1 + n % 2, "Mill", text) for n, text in TEXTS.items()}) as running:
        yield running


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is waited between tries; nothing is really waited."""
    waited: list[float] = []
    monkeypatch.setattr(Web, "pause", lambda self, seconds: waited.append(seconds))
    return waited


def told(wiki: Wiki, *ids: int) -> dict[int, RevisionAnswer]:
    """Return what the wiki tells of revisions, by id."""
    found = list(tell(Web(), wiki.api, ids))
    assert len({one.id for one in found}) == len(found)
    return {one.id: one for one in found}


def test_texts_and_what_became_of_those_that_cannot_be_had(wiki: Wiki) -> None:
    wiki.hidden = {2}
    found = told(wiki, 1, 2, 3, 99)
    assert found == {
        1: RevisionAnswer(1, "ok", TEXTS[1]),
        2: RevisionAnswer(2, "suppressed"),
        3: RevisionAnswer(3, "ok", TEXTS[3]),
        99: RevisionAnswer(99, "deleted"),
    }


def test_it_asks_as_a_wiki_asks_of_a_guest(wiki: Wiki) -> None:
    told(wiki, 1, 2)
    (query,), (headers,) = wiki.queries, wiki.headers
    assert query == {
        "action": "query",
        "prop": "revisions",
        "revids": "1|2",
        "rvprop": "ids|content|sha1|timestamp",
        "rvslots": "main",
        "format": "json",
        "formatversion": "2",
        "maxlag": "5",
    }
    assert headers["User-Agent"] == USER_AGENT
    assert headers["Accept-Encoding"] == "gzip"


def test_an_answer_that_is_cut_short_is_asked_for_the_rest(wiki: Wiki) -> None:
    wiki.longest = 40
    assert {i: one.text for i, one in told(wiki, *TEXTS).items()} == TEXTS
    assert [query.get("rvcontinue") for query in wiki.queries] == [None, "2|3", "2|5", "2|7"]


def test_without_a_mark_the_rest_is_asked_for_anew(wiki: Wiki) -> None:
    def half(handler: wiki_server._Handler, ids: list[int]) -> None:
        answer = wiki.told({}, ids[: len(ids) // 2])
        handler.tell({"query": answer["query"]})

    wiki.answers.append(half)
    assert told(wiki, *TEXTS).keys() == TEXTS.keys()
    assert [query["revids"] for query in wiki.queries] == ["1|2|3|4|5|6|7|8", "5|6|7|8"]


def test_a_revision_of_which_nothing_is_said_is_left_out(wiki: Wiki) -> None:
    wiki.answers.extend([telling({"batchcomplete": True, "query": {"pages": []}})] * 3)
    assert told(wiki, 1) == {}
    assert len(wiki.queries) == 1


def test_a_mark_that_leads_nowhere_does_not_hold_it_for_ever(wiki: Wiki) -> None:
    marks = ({"continue": {"rvcontinue": str(n)}} for n in range(10_000))
    wiki.answers.extend(map(telling, marks))
    assert told(wiki, 1) == {}
    assert len(wiki.queries) < 500


@pytest.mark.parametrize(
    ("answer", "least"),
    [
        (lagging(5), 5),
        (refusing(429, {"Retry-After": "7"}), 7),
        (refusing(503), 1),
        (telling({"error": {"code": "ratelimited", "info": "Slow down."}}), 1),
        (cut, 1),
    ],
    ids=["maxlag", "429", "503", "ratelimited", "cut"],
)
def test_it_waits_where_the_wiki_is_busy(
    answer: Misbehaviour, least: float, wiki: Wiki, pauses: list[float]
) -> None:
    wiki.answers.append(answer)
    assert told(wiki, 1)[1].text == TEXTS[1]
    assert pauses == [least]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (saying(b"<!DOCTYPE html><title>Login</title>"), "answers with a web page"),
        (saying(b"nothing"), "no JSON"),
        (saying(b"[" * 100_000), "no JSON"),
        (saying(b'{"hello": 1}'), "what no API of a wiki does"),
        (telling({"error": {"code": "badtoken", "info": "a\x1bb"}}), r"badtoken \(a\\x1bb\)"),
        (refusing(404), "answers 404"),
        (refusing(403), "answers 403"),
    ],
    ids=["html", "text", "nested", "other", "error", "404", "403"],
)
def test_what_is_no_answer_is_one_clear_error(answer: Misbehaviour, said: str, wiki: Wiki) -> None:
    wiki.answers.append(answer)
    with pytest.raises(FetchError, match=said) as caught:
        told(wiki, 1)
    assert str(caught.value).startswith(f"{wiki.api}: ")
    assert "--api" in str(caught.value)


def page(**slot: object) -> dict[str, object]:
    """Return what an answer says of a page with one revision."""
    return {"revisions": [{"revid": 1, "slots": {"main": slot}}]}


@pytest.mark.parametrize(
    ("query", "known"),
    [
        ({"pages": 7, "badrevids": "x"}, None),
        ({"pages": [None, {"revisions": [3, {"revid": "1"}, {"revid": True}]}]}, None),
        ({"pages": {"5": page(content=7)}}, None),
        ({"badrevids": [{"revid": 2}]}, None),
        ({"pages": [page(content="a\ud800b")]}, RevisionAnswer(1, "ok", "a?b")),
        ({"pages": [page(textmissing=True)]}, RevisionAnswer(1, "lost")),
    ],
)
def test_values_of_another_form_are_passed_over_and_odd_texts_told(
    query: object, known: RevisionAnswer | None, wiki: Wiki
) -> None:
    wiki.answers.append(saying(json.dumps({"batchcomplete": True, "query": query}).encode()))
    assert told(wiki, 1) == ({1: known} if known else {})


def test_what_a_wiki_sends_is_bounded(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    wiki.known[1].text = "x" * (LONGEST_TEXT + 1)
    assert told(wiki, 1) == {1: RevisionAnswer(1, "too long")}
    monkeypatch.setattr(wiki_api, "MOST_OF_AN_ANSWER", 100_000)
    with pytest.raises(FetchError, match="which no API answers"):
        told(wiki, 1)


def test_what_comes_a_bit_at_a_time_is_soon_asked_for_again(
    wiki: Wiki, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def drip(begun: bytes, again: bytes, handler: wiki_server._Handler, _: list[int]) -> None:
        handler.wfile.write(begun)
        with suppress(OSError):
            while True:
                time.sleep(0.02)
                handler.wfile.write(again)

    monkeypatch.setattr(http, "WINDOW", 0.2)
    go_on, ok = b"HTTP/1.1 100 Go\r\n\r\n", b"HTTP/1.1 200 OK\r\n"
    for begun, again in ((ok + b"X: ", b"x"), (go_on, go_on), (ok + b"\r\n{", b" ")):
        wiki.answers.append(partial(drip, begun, again))
    assert told(wiki, 1)[1].text == TEXTS[1]
    assert pauses == [1, 2, 4]


@pytest.mark.usefixtures("pauses")
def test_nobody_at_the_address() -> None:
    with wiki_of({}) as gone:
        api = gone.api
    with pytest.raises(UnreachableError, match="cannot be reached"):
        list(tell(Web(), api, [1]))


@pytest.mark.parametrize("wiki", ["https://fr.wikipedia.org/w", "http://wiki.example"])
def test_the_address_follows_from_that_of_a_diff(wiki: str) -> None:
    assert api_of(f"{wiki}/index.php?diff=2&oldid=1") == f"{wiki}/api.php"


@pytest.mark.parametrize("diff", ["", "index.php?diff=2", "https://wiki.example/x"])
def test_without_an_address_it_has_to_be_given(diff: str) -> None:
    with pytest.raises(UsageError, match="--api"):
        api_of(diff)


@pytest.mark.parametrize("api", ["", "wiki.example/w/api.php", "ftp://a/b", "http://[", "http://"])
def test_an_address_that_is_none(api: str) -> None:
    with pytest.raises(UsageError, match=r"https://WIKI/w/api\.php"):
        refuse_no_address(api)
