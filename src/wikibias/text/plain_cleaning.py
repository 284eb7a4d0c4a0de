"""Wikitext to about the text a reader sees, by patterns alone: of what no parser can read."""

from __future__ import annotations

import re

from wikibias.text.cleaning import Rules

_MARKUP = re.compile(r"[{}\[\]<>=|*#'&]++")


def plain_visible_text(wikitext: str, rules: Rules) -> str:
    """Return about the text a reader sees, one paragraph a line; never fails."""
    lines = (" ".join(_MARKUP.sub(" ", line).split()) for line in wikitext.split("\n"))
    return "\n".join(filter(None, lines))
