"""Markdown and YAML front matter, in which text of others makes no markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from wikibias.messages import printable

_MARKUP = re.compile(r"[\\`*\[\]|~$&<>@]|(?<!\w)_|_(?!\w)|(?<=:)//|(?<=www)\.")


def text(content: str) -> str:
    r"""Return text for a line or a cell: `\*` in place of `*`, and no address becomes a link."""
    return _MARKUP.sub(_escaped, printable(content))


def code(content: str) -> str:
    """Return text in backticks, for a line or a cell of a table."""
    shown = printable(content).replace("`", "'").replace("|", "\\|")
    # Some programs that show Markdown know no code in tables.
    return f"`{shown.replace('<', '&lt;')}`"


def _escaped(found: re.Match[str]) -> str:
    # Entities where a backslash would not keep an address or a name from becoming a link.
    return f"&#{ord(found[0][0])};" * len(found[0]) if found[0] in "<>&@//." else f"\\{found[0]}"


# Words that YAML does not take for anything but text; `no` would be false, for one.
_PLAIN = re.compile(
    r"(?!(?:no|on|off|yes|null|true|false|y|n|nan|inf)\Z)[a-z][a-z0-9._/-]*", re.ASCII
)
# What YAML does not allow even in quotes; and HTML and links, because a program that does not know
# the block shows it as Markdown.
_ESCAPED = re.compile(r"[<>&\]\ufffe\uffff]")


def front_matter(data: Mapping[str, Any]) -> str:
    """Return the block with its lines of dashes; of texts, lists and mappings of these."""
    return "\n".join(["---", *_lines(data), "---"]) + "\n"


def _lines(value: Mapping[str, Any] | list[Any]) -> Iterator[str]:
    pairs = (
        [(f"{_scalar(key)}:", each) for key, each in value.items()]
        if isinstance(value, Mapping)
        else [("-", each) for each in value]
    )
    for mark, each in pairs:
        if isinstance(each, Mapping | list) and each:
            inner = [f"  {line}" for line in _lines(each)]
            # The first line of a list's item stands behind its dash.
            yield from [f"- {inner[0][2:]}", *inner[1:]] if mark == "-" else [mark, *inner]
        else:
            yield f"{mark} {_scalar(each)}"


def _scalar(value: object) -> str:
    """Return a text as it is or in quotes; a number, a truth value or what is empty as in JSON."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value):
        return value
    quoted = json.dumps(printable(value), ensure_ascii=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
