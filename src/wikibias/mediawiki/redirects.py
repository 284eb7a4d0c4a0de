"""The wikitext of a redirect."""

from __future__ import annotations

import re
from collections.abc import Iterable


def redirect_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of a redirect's wikitext, from the redirect words of all languages."""
    alternatives = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"\s*(?:{alternatives})\s*:?\s*\[\[", re.IGNORECASE)
