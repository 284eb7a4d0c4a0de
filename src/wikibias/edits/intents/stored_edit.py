"""An edit of which a table holds the lines that it changed, and not the two texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from wikibias.edits.intents.edit_parts import Edit, Line
from wikibias.edits.intents.markup_names import MarkupNames
from wikibias.records import ChangedLine


class StoredEdit(Edit):
    """An edit of whose page nothing is known but the changed lines; its facts are the same.

    What the lines say of the whole page, such as how many references it has more, they say as well
    as the texts: the rest of both is the same.
    """

    def __init__(self, lines: Sequence[ChangedLine], summary: str, names: MarkupNames) -> None:
        super().__init__(None, lambda: summary, names)
        self._stored = tuple(lines)

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The lines that it changed, in order."""
        return [Line(line.before, line.after, self._names) for line in self._stored]

    @cached_property
    def edited_lines(self) -> Sequence[Line]:
        """Those that stand on both sides."""
        return [line for line in self.lines if line.action == "edited"]

    @cached_property
    def changed_lines(self) -> tuple[ChangedLine, ...]:
        """The same, each with the heading that it stands under."""
        return self._stored

    @cached_property
    def references(self) -> tuple[int, int]:
        """How many references and citation templates the lines have, before and after."""
        before, after = 0, 0
        for line in self.lines:
            before, after = before + line.references[0], after + line.references[1]
        return before, after
