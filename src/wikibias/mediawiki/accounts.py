"""Classifies accounts, and removes names of people from edit summaries."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from wikibias.mediawiki.namespaces import SPECIAL, USER, USER_TALK, Namespaces
from wikibias.records import EditorKind

# On nearly every wiki, the name of a bot ends in "bot", perhaps with a number after it.
_BOT = re.compile(r"(?:bot|Bot|BOT|бот|Бот|ボット)(?:[ _-]?(?:\d+|[IVX]+|NG))?$")
_PEOPLE_NAMED_BOT = re.compile(r"(?i)(?:talbot|abbot|cabot|turbot|robot)$")
# Temporary accounts, introduced in 2024: a tilde, the year, and a number.
_TEMPORARY = re.compile(r"~\d{4}-\d+")
_IP = re.compile(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|[.:]\w)"
    r"|(?<![\w.])(?<![0-9A-Fa-f]:)(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?!\w|[.:]\w)"
)
# MediaWiki cuts a summary at 255 bytes, perhaps inside a link.
_LINK = re.compile(r"\[\[([^\[\]|]*)(?:\|[^\[\]]*)?(?:\]\]|\]?$)")


def editor_kind(name: str | None, *, has_id: bool, hidden: bool) -> EditorKind:
    """Return the kind of an account, from a dump's <contributor> element.

    Only its name shows that an account is a bot, since dumps hold no user groups.
    """
    if hidden or name is None:
        return "hidden"
    if _TEMPORARY.match(name):
        return "temporary"
    if not has_id or _is_ip(name):
        return "ip"
    if _BOT.search(name) and not _PEOPLE_NAMED_BOT.search(name):
        return "bot"
    return "registered"


def without_names(comment: str, namespaces: Namespaces, names: Iterable[str] = ()) -> str:
    """Return an edit summary with links to users, IP addresses and `names` replaced.

    Other names without a link cannot be recognised and stay; see `docs/limitations.md`.
    """

    def hide(match: re.Match[str]) -> str:
        # The prefix of another wiki may come first: [[:en:User:...]].
        prefixes = match.group(1).split(":")[:-1]
        people = (USER, USER_TALK, SPECIAL)
        hit = any(namespaces.has(n, prefix) for prefix in prefixes for n in people)
        return "[[user]]" if hit else match.group(0)

    for name in sorted((n for n in names if n in comment), key=lambda n: (-len(n), n)):
        comment = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(user)", comment)
    return _IP.sub(lambda m: "(ip)" if _is_ip(m.group(0)) else m.group(0), _LINK.sub(hide, comment))


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
