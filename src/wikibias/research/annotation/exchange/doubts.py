"""What is odd in files that come back: counted, each with the place where it is first seen."""

from __future__ import annotations

from dataclasses import dataclass, field

from wikibias.messages import counted, printable

_MOST_LINES = 20
_LONGEST = 60  # characters


@dataclass(slots=True)
class Doubts:
    """Counts what was odd, of each kind."""

    _seen: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)

    def add(self, noun: str, what: str, place: str, value: object = None) -> None:
        """Note something odd.

        Args:
            noun: what is counted, in the singular.
            what: what is odd about it, and what becomes of it.
            place: where it is, such as "sheet.csv:3".
            value: what stands there.
        """
        count, first = self._seen.get((noun, what), (0, ""))
        if not count:
            first = place if value is None else f"{place} {brief(value)}"
        self._seen[noun, what] = (count + 1, first)

    def lines(self) -> list[str]:
        """Return a line for each kind, in the order in which they came up."""
        lines = [
            f"{counted(count, noun)} {what}; the first: {first}"
            for (noun, what), (count, first) in self._seen.items()
        ]
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"and {len(lines) - _MOST_LINES:,} more kinds of doubt"]
        return lines


def brief(value: object) -> str:
    """Return a value of others within a message: quoted, on one line, cut where it is long."""
    text = printable(" ".join(str(value).split()))
    return f"'{text[:_LONGEST]}{'...' if len(text) > _LONGEST else ''}'"
