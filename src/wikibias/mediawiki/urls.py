"""Builds the URLs of diffs."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

# A host and a port. Not "en.wikipedia.org@evil.example", which looks like another host.
_HOST = re.compile(r"[\w.-]+(?::[0-9]{1,5})?|\[[0-9a-fA-F:.]+\](?::[0-9]{1,5})?")


def diff_url(base: str, before: int | None, after: int) -> str:
    """Return the URL of a diff, given the wiki's base URL from its dump; "" if that is no URL."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc):
        return ""
    root, script, _ = parts.path.partition("index.php")
    path = quote(root + script, safe="/%~!$'()*+,;=:@") if script else "/w/index.php"
    wikimedia = parts.netloc.endswith((".wikipedia.org", ".wikimedia.org"))
    scheme = "https" if wikimedia else parts.scheme
    older = "" if before is None else f"&oldid={before}"
    return f"{scheme}://{parts.netloc}{path}?diff={after}{older}"
