"""Requests to servers; `tests/cli/test_fetch.py` makes them to one that misbehaves."""

from collections import deque
from contextlib import suppress

import pytest

from server import serving
from wikibias.dumps.web import http
from wikibias.dumps.web.http import Backoff, Web
from wikibias.errors import FetchError, UnreachableError


def test_an_interrupt_ends_all_waiting() -> None:
    web = Web()
    web.stop()
    with pytest.raises(FetchError):
        web.pause(1000)


@pytest.mark.parametrize(
    ("location", "followed"),
    [
        ("/b", "https://example.org/b"),
        ("https://mirror.example.com/a", "https://mirror.example.com/a"),
        ("//mirror.example.com/a", "https://mirror.example.com/a"),
        ("http://example.org/a", None),
        ("file:///etc/passwd", None),
        ("ftp://example.org/a", None),
        ("https://[::1/", None),
    ],
)
def test_which_redirects_are_followed(location: str, followed: str | None) -> None:
    """Not from HTTPS to what anybody on the way can change."""
    if followed:
        assert http.redirected("https://example.org/a", location) == followed
        return
    with pytest.raises(FetchError, match="which is not followed"):
        http.redirected("https://example.org/a", location)


def test_a_redirect_is_followed() -> None:
    with serving() as server:
        server.files["/b"] = b"here"
        server.answers["/a"] = deque([(301, {"Location": "/b"})])
        assert Web().text(f"{server.url}/a") == "here"


def test_it_gives_up_after_several_tries() -> None:
    waited: list[float] = []
    backoff = Backoff(waited.append, "http://x")
    for _ in range(7):
        backoff.wait("busy")
    with pytest.raises(FetchError, match="http://x: busy; run the same command again later"):
        backoff.wait("busy")
    assert waited == [1, 2, 4, 8, 16, 32, 60]


@pytest.mark.parametrize(("step", "ends"), [(1, True), (1_000, True), (30_000, False)])
def test_only_progress_counts_the_tries_anew(step: int, ends: bool) -> None:
    """A server that sends a byte at each try would keep us for ever."""
    backoff, tries = Backoff(lambda seconds: None, "http://x"), 0
    with suppress(FetchError):
        for tries in range(30):
            backoff.reached(tries * step)
            backoff.wait("broke off")
    assert (tries < 29) is ends


def test_it_waits_as_long_as_the_server_asks_for_up_to_a_limit() -> None:
    waited: list[float] = []
    backoff = Backoff(waited.append, "http://x")
    backoff.wait("busy", 77)
    assert waited == [77]
    with pytest.raises(FetchError, match="asks to wait 1000000 minutes"):
        backoff.wait("busy", 1e300)


def test_each_wait_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    backoff = Backoff(lambda seconds: None, "http://x")
    backoff.wait("busy")
    backoff.wait("busy", 30)
    assert caplog.messages == [
        "Waits 1 s, then tries again (2 of 8): http://x: busy",
        "Waits 30 s, then tries again (3 of 8): http://x: busy",
    ]


def test_a_server_that_was_never_reached_is_given_up_soon() -> None:
    waited: list[float] = []
    backoff = Backoff(waited.append, "http://x/a")
    backoff.wait_unreached("x", "refused")
    with pytest.raises(
        UnreachableError, match=r"x cannot be reached \(refused\); check the network"
    ):
        backoff.wait_unreached("x", "refused")
    assert waited == [1]
