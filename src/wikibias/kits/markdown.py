"""Markdown and YAML front matter, in which text of others makes no markup."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from wikibias.kits.charts import Drawing
from wikibias.kits.document import (
    Block,
    Cell,
    Document,
    Facts,
    Inline,
    Link,
    Notes,
    Passage,
    Section,
    Styled,
    Table,
    Text,
)
from wikibias.messages import printable

_BACKTICKS = re.compile(r"`([^`\n]+)`")
_ADDRESS = "%/:?#[]@!$&'()*+,;=~"
_MARKUP = re.compile(r"[\\`*\[\]|~$&<>@]|(?<!\w)_|_(?!\w)|(?<=:)//|(?<=www)\.")


def markdown(document: Document, data: Mapping[str, Any] | None = None) -> str:
    """Return a document as Markdown, a line for each paragraph; of charts what one sees.

    Args:
        document: what to write.
        data: a YAML block at the head.
    """
    head = f"{front_matter(data)}\n" if data else ""
    blocks = [f"# {text(document.title)}", *([_inline(document.lead)] if document.lead else [])]
    blocks += [each for block in document.sections for each in _blocks(block, 2)]
    return head + "\n\n".join(blocks) + "\n"


def _blocks(block: Block, level: int) -> Iterator[str]:
    if isinstance(block, str):
        yield _inline(block)
    elif isinstance(block, Text):
        if block.kind == "command":
            lines = "".join(part for part in block.inlines() if isinstance(part, str))
            content = printable(lines, keep="\n").replace("```", "")
            yield f"```{block.lang}\n{content}\n```"
        else:
            yield "".join(map(_inline, block.inlines()))
    elif isinstance(block, Section):
        yield f"{'#' * level} {text(f'{block.title} {block.aside}'.rstrip())}"
        for each in block.blocks:
            yield from _blocks(each, level + 1)
    elif isinstance(block, Table):
        yield from filter(None, [_inline(block.title), _table(block), _inline(block.caption)])
    elif isinstance(block, Notes):
        yield "\n".join(f"- {_inline(line)}" for line in block.lines)
    elif isinstance(block, Facts):
        yield "\n".join(f"- {text(name)}: {_inline(value)}" for name, value in block.pairs)
    elif isinstance(block, Passage):
        yield f"> {text(''.join(piece.text for piece in block.pieces))}"
    elif isinstance(block, Drawing):
        yield f"{text(block.title)}: {text(block.alt)}"
    else:
        raise TypeError(f"Markdown has no form for {type(block).__name__}")


def _table(table: Table) -> str:
    marks = ["---" if n < table.text_columns else "---:" for n in range(len(table.header))]
    lines = [map(_cell, table.header), marks, *(map(_cell, row) for row in table.rows)]
    return "\n".join(f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines)


def _cell(cell: Cell) -> str:
    return _inline(cell).replace("\n", " ")


def _inline(part: Inline) -> str:
    """Return a part of a line; text in backticks is code, addresses in links lead there."""
    if isinstance(part, Link):
        return (
            f"[{text(part.text)}](<{quote(part.url, safe=_ADDRESS)}>)"
            if part.url
            else text(part.text)
        )
    if isinstance(part, Styled):
        return f"**{text(part.text)}**" if part.kind == "strong" else text(part.text)
    split = enumerate(_BACKTICKS.split(part))
    return "".join(code(piece) if place % 2 else text(piece) for place, piece in split)


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
