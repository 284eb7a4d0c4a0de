"""Tables and documents on the terminal, where text of others draws nothing; alone knows rich."""

import os
from collections.abc import Iterable, Iterator
from typing import Any

from rich import box, console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from wikibias.errors import printable
from wikibias.kits import document as values

WIDTH = 118
"""How wide tables are where the output is no terminal."""
_WIDEST = 100  # characters of running text
_MOST_CHANGES = 30
_STYLES = {"strong": "bold", "quiet": "dim", "q": "italic", "note": "bold", "command": "bold"}
_SIDES = (("-", "red", ("[-", "-]")), ("+", "green", ("{+", "+}")))


class Console(console.Console):
    """Shows lines and tables as they are: no markup, no emoji, no control characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"highlight": False, "markup": False, "emoji": False, **options})

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; each text is one line, and shows the line breaks in it."""
        shown = (printable(each) if isinstance(each, str) else each for each in objects)
        super().print(*shown, **options)

    def on_broken_pipe(self) -> None:
        """Leave a closed pipe to the one rule for all commands, in `cli.ending`."""
        raise BrokenPipeError

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text of a cell, a title or a line."""
        return super().render_str(printable(text, keep="\n"), **options)


def show(*blocks: values.Block | values.Document, boxed: bool = False) -> None:
    """Show blocks of a document; what cannot be shown on a terminal, such as charts, is left out.

    Args:
        blocks: in order; of a section its title and its blocks.
        boxed: tables with lines.
    """
    terminal = Console()
    if not (terminal.is_terminal or boxed or "COLUMNS" in os.environ):
        terminal = Console(width=WIDTH)
    for place, block in enumerate(blocks):
        if place and isinstance(block, values.Section):
            terminal.print("")
        _show(terminal, block, boxed=boxed)
        if isinstance(block, values.Table) and not boxed:
            terminal.print("")


def rendered(markdown: str) -> str:
    """Return a text in Markdown as a terminal shows it, with its colours."""
    from rich.markdown import Markdown

    terminal = Console(force_terminal=True, width=min(console.Console().width, _WIDEST))
    with terminal.capture() as shown:
        terminal.print(Markdown(markdown, code_theme="ansi_dark", hyperlinks=False))
    return shown.get()


def _show(terminal: Console, block: values.Block | values.Document, *, boxed: bool) -> None:
    if isinstance(block, values.Document):
        terminal.print(_text(block.title, "bold"))
        for each in (block.lead, *block.sections) if block.lead else block.sections:
            _inner(terminal, each, boxed=boxed)
    elif isinstance(block, values.Section):
        terminal.print(_text(f"{block.title} {block.aside}".rstrip(), "bold"))
        for each in block.blocks:
            # Of what opens on demand only that is shown which was asked for.
            if block.kind in ("", "card") or (isinstance(each, values.Passage) and each.marked):
                _inner(terminal, each, boxed=boxed)
    elif isinstance(block, values.Table):
        _show_table(terminal, block, boxed=boxed)
    elif isinstance(block, values.Facts):
        _whole_links(terminal, block).print(_facts(block))
    else:
        for line in _lines(terminal, block):
            terminal.print(line)


def _inner(terminal: Console, block: values.Block, *, boxed: bool) -> None:
    if isinstance(block, values.Section):
        terminal.print("")
    _show(terminal, block, boxed=boxed)


def _lines(terminal: Console, block: values.Block) -> Iterator[Text | Padding]:
    if isinstance(block, str):
        yield _text(block)
    elif isinstance(block, values.Text):
        yield _line(block.inlines(), _STYLES.get(block.kind, ""))
    elif isinstance(block, values.Notes):
        yield from (_text(f"- {line}") for line in block.lines)
    elif isinstance(block, values.Quote):
        yield from _changes(terminal, block)
    elif isinstance(block, values.Passage):
        yield _indented(_pieces(terminal, block, "", "", ("", "")), 2)
        yield _indented(_line(block.caption, "dim"), 4)


def _show_table(terminal: Console, table: values.Table, *, boxed: bool) -> None:
    drawn = RichTable(box=box.HEAVY_HEAD if boxed else None)
    for column, name in enumerate(table.header):
        left = column < table.text_columns
        drawn.add_column(name, justify="left" if left else "right", overflow="fold")
    for place, row in enumerate(table.rows):
        if boxed and table.sums and place == len(table.rows) - table.sums:
            drawn.add_section()
        drawn.add_row(
            *(printable(_cell(cell)) for cell in row), style="bold" if place in table.marked else ""
        )
    if table.title:
        terminal.print(table.title, style="italic" if boxed else "bold")
    terminal.print(drawn, soft_wrap=boxed)
    if table.caption:
        terminal.print(table.caption, style="dim")


def _cell(cell: values.Cell) -> str:
    return cell if isinstance(cell, str) else cell.text


def _facts(block: values.Facts) -> Padding:
    grid = RichTable.grid(padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold")
    for name, value in block.pairs:
        grid.add_row(_text(name, "dim"), _text(_cell(value)))
    return Padding(grid, (0, 0, 0, 2), expand=False)


def _whole_links(terminal: Console, block: values.Facts) -> Console:
    """Return a console for facts: on their way to a file or a program no link is cut."""
    if terminal.is_terminal:
        return terminal
    names = max((len(name) for name, _ in block.pairs), default=0) + 4
    links = [len(_cell(value)) for _, value in block.pairs if _cell(value).startswith("http")]
    return Console(width=max(terminal.width, names + max(links, default=0)))


def _changes(terminal: Console, quote: values.Quote) -> Iterator[Padding]:
    for each in quote.changes[:_MOST_CHANGES]:
        if each.note:
            yield _indented(_text(each.note, "dim"), 2)
        for side, (sign, colour, marks) in zip((each.before, each.after), _SIDES, strict=True):
            for passage in side:
                yield _indented(_pieces(terminal, passage, f"{sign} ", colour, marks), 4)
                if passage.caption:
                    style = "bold" if passage.marked else "dim"
                    yield _indented(_line(passage.caption, style), 6)
    if left := len(quote.changes[_MOST_CHANGES:]):
        yield _indented(_text(f"and {left:,} more", "dim"), 2)


def _pieces(
    terminal: Console, passage: values.Passage, sign: str, colour: str, marks: tuple[str, str]
) -> Text:
    """Return the text of a passage; where no colour tells what changed, marks stand around it."""
    opening, closing = ("", "") if terminal.is_terminal and not terminal.no_color else marks
    line = _text(sign, colour)
    for piece in passage.pieces:
        if piece.changed:
            line.append_text(_text(f"{opening}{piece.text}{closing}", f"bold underline {colour}"))
        else:
            line.append_text(_text(piece.text, colour))
    return line


def _line(parts: values.Inline | Iterable[values.Inline], style: str) -> Text:
    of = [parts] if isinstance(parts, (str, values.Link, values.Styled)) else parts
    line = Text("", style)
    for part in of:
        told = part if isinstance(part, str) else part.text
        own = _STYLES.get(part.kind, "") if isinstance(part, values.Styled) else ""
        line.append_text(_text(told, own))
    return line


def _text(words: str, style: str = "") -> Text:
    return Text(printable(words), style)


def _indented(line: Text, by: int) -> Padding:
    return Padding(line, (0, 0, 0, by), expand=False)
