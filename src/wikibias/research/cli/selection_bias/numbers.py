"""An option of several numbers, parted by commas."""

from __future__ import annotations

from typing import Any

import click


class Numbers(click.ParamType["tuple[int, ...]"]):
    """Whole numbers of a range, parted by commas; sorted, each once."""

    name = "numbers"

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what --help shows for a value."""
        return "N,N,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the numbers; fail where one is none, or out of range."""
        if isinstance(value, tuple):
            return value
        try:
            found = {int(part) for part in str(value).split(",")}
        except ValueError:
            self.fail(f"{value!r} is no list of whole numbers, such as 2,8,20.", param, ctx)
        if not all(self._least <= each <= self._most for each in found):
            self.fail(f"{value!r}: each must be from {self._least} to {self._most}.", param, ctx)
        return tuple(sorted(found))
