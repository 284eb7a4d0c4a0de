"""Who may talk to the page: what other sites in the same browser, and other machines, may not."""

from __future__ import annotations

import pytest

from wikibias.research.annotation.labelling.server import Guard, is_loopback

LOCAL, OPEN = Guard("127.0.0.1"), Guard("0.0.0.0", "secret")
JSON = {"x-wikibias": "1", "content-type": "application/json"}


@pytest.mark.parametrize("host", ["127.0.0.1:8740", "localhost:9000", "[::1]:1", "127.0.0.1"])
def test_this_machine_is_served_also_through_a_tunnel(host: str) -> None:
    assert LOCAL.refusal("GET", {"host": host}, None) is None


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8740", "", "[", "a@b"])
def test_a_name_that_only_leads_here_is_refused(host: str) -> None:
    refusal = LOCAL.refusal("GET", {"host": host}, None)
    assert refusal is not None
    assert refusal.status == 421


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


@pytest.mark.parametrize(("token", "fits"), [("secret", True), ("Secret", False), (None, False)])
def test_other_machines_need_the_token(token: str | None, fits: bool) -> None:
    assert (OPEN.refusal("GET", {"host": "any.example"}, token) is None) is fits
    assert (OPEN.refusal("POST", {"host": "a", **JSON}, token) is None) is fits


def test_a_token_is_made_where_others_can_reach_the_page() -> None:
    assert Guard.of("127.0.0.1").token is None
    one, other = Guard.of("0.0.0.0"), Guard.of("192.0.2.1")
    assert one.token
    assert other.token
    assert one.token != other.token
    assert one.cookie != other.cookie


@pytest.mark.parametrize(
    ("host", "yes"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("LocalHost", True),
     ("0.0.0.0", False), ("::", False), ("192.0.2.1", False), ("example.org", False)],
)  # fmt: skip
def test_loopback_is_known(host: str, yes: bool) -> None:
    assert is_loopback(host) is yes
