"""Who may talk to the labelling page: only pages that it served itself, and only who has the token.

A page of any other site that is open in the same browser can send requests to this machine, too.
Three things keep it out. A name that its owner lets point to this machine is no name of ours (DNS
rebinding). A request that changes something must come from a page of ours (`Origin`) and have a
header that no other site may set without asking first, which is refused.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

HEADER = "x-wikibias"
"""Set by the page on each request that changes something."""
LARGEST_BODY = 200_000  # bytes
_OWN_NAMES = {"localhost"}
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
        if self.token is None and not _is_own_name(_name_of(host), self.host):
            return Refusal(421, "This page is served to its own machine only.")
        if self.token is not None and not _same(token or "", self.token):
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


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches a host."""
    if host.lower() in _OWN_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _name_of(host: str) -> str:
    """Return the name in a `Host` header. Its port may be another one, that of a tunnel."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_own_name(name: str, host: str) -> bool:
    return is_loopback(name) or name == host.lower()


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(errors="surrogatepass"), token.encode())
