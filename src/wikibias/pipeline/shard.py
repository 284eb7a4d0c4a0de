"""A share of the parts of a run, so that jobs of any scheduler can work on one result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wikibias.errors import UsageError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shard:
    """The parts `number`, `number` + `of`, `number` + 2 `of`, ... of a run, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard of a text such as "3/16".

        Raises:
            UsageError: it is no such text.
        """
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip(), re.ASCII)
        number, of = map(int, found.groups()) if found else (0, 0)
        if not 1 <= number <= of:
            raise UsageError(
                f"--shard {text}: not a shard; give its number and how many there are, such as 3/16"
            )
        return cls(number, of)

    def of_parts(self, parts: Sequence[T]) -> Sequence[T]:
        """Return the parts of this shard, in order."""
        return parts[self.number - 1 :: self.of]
