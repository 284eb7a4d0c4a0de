"""Builds the URLs of diffs."""

from __future__ import annotations

from urllib.parse import urlsplit


def diff_url(base: str, before: int | None, after: int) -> str:
    """Return the URL of a diff, given the wiki's base URL from its dump; "" if that is no URL."""
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return ""
    root, script, _ = parts.path.partition("index.php")
    path = root + script if script else "/w/index.php"
    wikimedia = parts.netloc.endswith((".wikipedia.org", ".wikimedia.org"))
    scheme = "https" if wikimedia else parts.scheme
    older = "" if before is None else f"&oldid={before}"
    return f"{scheme}://{parts.netloc}{path}?diff={after}{older}"
