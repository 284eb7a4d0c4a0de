"""Documents as values: sections of paragraphs, tables, facts, figures, quotes and notes.

A page, a card and what a command shows are the same document: `kits.html` makes a page of it,
`kits.console` shows it on the terminal, and `markdown` writes it as Markdown, with a head in YAML.
In neither does text of others make markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from wikibias.errors import printable
from wikibias.kits.charts import Drawing

_SPAN = re.compile(r"([0-9]{1,9}):([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads to an address; only to one of the web."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Styled:
    """A text by its kind: "" as it is, "strong", "quiet", or "q" (quoted)."""

    text: str
    kind: str


Inline = str | Link | Styled
Cell = str | Link


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. In its plain texts, backticks enclose code.

    Attributes:
        parts: a text, or several parts in a row.
        kind: "note" stands in a box, "quiet" stands back, "command" is a line as it was typed.
        lang: the language of its text, as browsers name it; of a command, that of the code.
    """

    parts: Inline | Sequence[Inline]
    kind: Literal["", "note", "quiet", "command"] = ""
    lang: str = ""

    def inlines(self) -> Sequence[Inline]:
        """Return its parts."""
        return [self.parts] if isinstance(self.parts, (str, Link, Styled)) else self.parts


@dataclass(frozen=True, slots=True)
class Notes:
    """A list of remarks, in a box where they warn. In them, backticks enclose code."""

    lines: Sequence[str]
    boxed: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values."""

    pairs: Sequence[tuple[str, Cell]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text cells; the first `text_columns` are flush left, and the first names the row.

    Attributes:
        header: the name of each column.
        rows: the cells.
        text_columns: how many columns hold text, not numbers.
        prose: the first columns hold running text, which needs room, and no names of rows.
        title: what it is about, shown above it.
        stacks: on a phone each row stands as a block, with the name of the column at each cell.
        sums: how many of the last rows sum up, under a line.
        caption: what stands below it.
        marked: the rows that stand out.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    text_columns: int = 1
    prose: bool = False
    title: str = ""
    stacks: bool = False
    sums: int = 0
    caption: str = ""
    marked: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and whether it changed."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of somebody else, in pieces.

    Attributes:
        pieces: of the text.
        caption: what is known of it, shown below.
        marked: it stands out among others.
        lang: its language, as browsers name it.
    """

    pieces: Sequence[Piece]
    caption: Inline | Sequence[Inline] = ""
    marked: bool = False
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """Two sides of a change, either of which may be empty; `note` says how they relate."""

    before: Sequence[Passage]
    after: Sequence[Passage]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Changes in two columns, or one above the other where there is no room.

    Attributes:
        changes: in order.
        lang: the language of the texts, as browsers name it.
        sides: the names of the two columns.
    """

    changes: Sequence[Change]
    lang: str = ""
    sides: tuple[str, str] = ("removed", "added")


@dataclass(slots=True)
class Section:
    """A part of a document under a heading.

    Attributes:
        title: the heading.
        blocks: what stands in it, in order; a text alone is a paragraph.
        id: its anchor; by default its number.
        aside: what stands quietly behind the heading.
        kind: "folded" opens on demand, "open" may be closed, "card" stands beside other cards.
    """

    title: str
    blocks: list[Block] = field(default_factory=list)
    id: str = ""
    aside: str = ""
    kind: Literal["", "folded", "open", "card"] = ""


@dataclass(slots=True)
class Document:
    """A page, a card, or what a command shows.

    Attributes:
        title: its heading.
        lead: what stands below the heading.
        sections: the content; blocks may stand outside of sections.
        contents: whether the page begins with links to its sections.
        generator: what kind of page it is, for `html.is_page`.
    """

    title: str
    lead: str = ""
    sections: Sequence[Block] = ()
    contents: bool = False
    generator: str = "wikibias"


def change(before: Sequence[Piece], after: Sequence[Piece], note: str = "") -> Change:
    """Return a change of one text; either side may be empty."""
    left, right = ((Passage(each),) if each else () for each in (before, after))
    return Change(left, right, note)


def pieces(text: str, spans: str) -> tuple[Piece, ...]:
    """Cut a text into pieces by the spans that changed, such as "12:18 30:34".

    Spans that do not fit the text, or overlap an earlier one, do not count.
    """
    found, at = [], 0
    for start, end in sorted((int(a), int(b)) for a, b in _SPAN.findall(spans)):
        if at <= start < end <= len(text):
            found += [Piece(text[at:start], False), Piece(text[start:end], True)]
            at = end
    return tuple(piece for piece in [*found, Piece(text[at:], False)] if piece.text)


Interval = Mapping[str, float | None]
"""`value` with the ends `low` and `high` of its confidence interval; None where not defined."""


def number(value: float | None) -> str:
    """Format a score with three decimals, without the sign of one that is rounded to 0."""
    return "–" if value is None else f"{round(value, 3) + 0.0:.3f}"


def p_value(p: float) -> str:
    """Format the p-value of a test."""
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def with_interval(entry: Interval) -> str:
    """Format a score with its confidence interval."""
    if entry["value"] is None:
        return "–"
    return f"{number(entry['value'])} [{number(entry['low'])}, {number(entry['high'])}]"


Block = str | Text | Notes | Facts | Table | Quote | Passage | Drawing | Section
"""What stands in a section."""


def drawings(blocks: Iterable[Block]) -> Iterator[Drawing]:
    """Yield the figures of a document or a section, in order."""
    for block in blocks:
        if isinstance(block, Drawing):
            yield block
        elif isinstance(block, Section):
            yield from drawings(block.blocks)


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
    if isinstance(part, Link) and part.url:
        return f"[{text(part.text)}](<{quote(part.url, safe=_ADDRESS)}>)"
    if isinstance(part, Styled) and part.kind == "strong":
        return f"**{text(part.text)}**"
    if not isinstance(part, str):
        return text(part.text)
    return "".join(code(piece) if is_code else text(piece) for piece, is_code in in_code(part))


def in_code(text: str) -> list[tuple[str, bool]]:
    """Return the pieces of a text, and which of them stand in backticks."""
    return [(piece, bool(place % 2)) for place, piece in enumerate(_BACKTICKS.split(text))]


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
