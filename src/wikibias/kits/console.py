"""Tables and documents on the terminal, where text of others draws nothing; alone knows rich."""

from __future__ import annotations

from typing import Any

from rich import console
from rich.text import Text

from wikibias.messages import printable


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
