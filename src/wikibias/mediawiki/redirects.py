"""Recognises redirects in wikitext."""

from __future__ import annotations

import re
from collections.abc import Iterable


def redirect_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches the start of a redirect, given the words of all languages."""
    alternatives = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"\s*+(?:{alternatives})\s*+(?::\s*+)?\[\[", re.IGNORECASE)
