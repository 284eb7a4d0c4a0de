"""Text of others within Markdown: it makes no markup, no HTML and no row of a table."""

from __future__ import annotations

import re

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
