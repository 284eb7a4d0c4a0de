"""Shows a rewrite on the terminal: what is gone in red, what has come in green."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from wikibias.kits.console import Console
from wikibias.kits.document import pieces
from wikibias.messages import printable

# Sign, colour, and what marks a change where no colour tells it.
_SIDES = (
    ("text", "source", "- ", "red", "[-", "-]"),
    ("rewrite", "target", "+ ", "green", "{+", "+}"),
)


def show_diff(answer: Mapping[str, Any]) -> None:
    """Show a sentence and its rewrite, one below the other; one that is unchanged once."""
    console = Console(soft_wrap=True)
    if answer["text"] == answer["rewrite"]:
        console.print(Text(f"  {printable(answer['text'])}"))
        return
    coloured = console.is_terminal and not console.no_color
    for side, spans, sign, colour, opening, closing in _SIDES:
        line = Text(sign, colour)
        places = " ".join(edit[spans] for edit in answer["edits"] if edit[spans])
        for piece in pieces(answer[side], places):
            shown = printable(piece.text)
            if piece.changed:
                marked = shown if coloured else f"{opening}{shown}{closing}"
                line.append(marked, f"bold underline {colour}")
            else:
                line.append(shown, colour)
        console.print(line)
