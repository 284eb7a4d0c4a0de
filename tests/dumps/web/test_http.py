"""Requests to servers; `tests/cli/test_fetch.py` makes them to one that misbehaves."""

from __future__ import annotations

from collections import deque

import pytest

from server import serving
from wikibias.dumps.web import http
from wikibias.dumps.web.http import Web
from wikibias.errors import FetchError


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
