"""Reads the search spaces of grid searches from `configs/grids/*.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.config.resources import folder
from wikibias.errors import UsageError
from wikibias.kits.checked import TomlFile, shown
from wikibias.messages import nearest
from wikibias.models.constants import CHOICES

# No model can be trained with a larger number, nor a nan; nobody waits for more combinations.
_LARGEST = 1e12
_MOST = 1_000_000
Parameters = dict[str, Any]
"""One value for each parameter of the space."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A model's name, the metric to choose by, and the values to try of each parameter."""

    model: str
    choose: str
    space: Mapping[str, Sequence[Any]]

    @property
    def size(self) -> int:
        """The number of parameter combinations in the space."""
        return prod(len(values) for values in self.space.values())

    def combinations(self) -> list[Parameters]:
        """Return all parameter combinations, the last parameter changing fastest."""
        return [
            dict(zip(self.space, values, strict=True)) for values in product(*self.space.values())
        ]

    def sample(self, count: int, seed: int) -> list[Parameters]:
        """Return `count` combinations, drawn without replacement, in the order of the space."""
        everything = self.combinations()
        if count >= len(everything):
            return everything
        drawn = np.random.default_rng(seed).choice(len(everything), count, replace=False)
        return [everything[i] for i in sorted(drawn)]


def names() -> list[str]:
    """Return the models that have a space in `configs/grids`."""
    return sorted(path.stem for path in (folder("configs") / "grids").glob("*.toml"))


def read_grid(model: str, path: Path | None = None, choose: str | None = None) -> Grid:
    """Read a space: `configs/grids/<model>.toml`, or the user's own file.

    Raises:
        UsageError: there is none for this model, or the file is wrong; the message names the key.
    """
    if path is None:
        if model not in names():
            raise UsageError(
                f"no grid for model {model!r}{nearest(model, names())} (your own: --grid-file FILE)"
            )
        path = folder("configs") / "grids" / f"{model}.toml"
    table = TomlFile.read(path).table
    for key in table:
        if key not in {"model", "choose", "space"}:
            raise UsageError(
                f"{path}: unknown key {key!r}{nearest(key, ['model', 'choose', 'space'])}"
            )
    space = _checked(path, table.get("space"))
    grid = Grid(str(table.get("model", model)), str(table.get("choose", "f1")), space)
    if grid.model != model:
        raise UsageError(f"{path}: is a grid for {grid.model!r}, not for {model!r}")
    if choose is not None:
        grid = replace(grid, choose=choose)
    if grid.choose not in CHOICES:
        raise UsageError(f"cannot choose by {grid.choose!r}{nearest(grid.choose, CHOICES)}")
    return grid


def _checked(path: Path, space: object) -> dict[str, list[Any]]:
    """Return a space that has the form of one.

    Raises:
        UsageError: it is no table of lists of plain values, or too large.
    """
    if not isinstance(space, dict) or not space:
        raise UsageError(f"{path}: needs a table [space] with a list of values per parameter")
    for key, values in space.items():
        if not isinstance(values, list) or not values:
            raise UsageError(f"{path}: space.{key} must be a list of values, not {shown(values)}")
        for value in values:
            number = isinstance(value, (int, float)) and abs(value) <= _LARGEST
            if not isinstance(value, str) and not number:
                raise UsageError(
                    f"{path}: space.{key} holds {shown(value)}; give texts, numbers, true or false"
                )
    if prod(map(len, space.values())) > _MOST:
        raise UsageError(f"{path}: more than {_MOST:,} combinations; give fewer values")
    return space
