"""Fields of dataclasses that are settings, and in words what they allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from wikibias.config.declaration import (
    Count,
    Ge,
    Le,
    NonEmpty,
    Setting,
    allowed,
    bounds,
    declared,
    inside,
    keys_of,
    required,
)


@dataclass(frozen=True)
class Bridge:
    """Two settings and a field that is none."""

    spans: Annotated[Count, Setting("How many spans.", "--spans")]
    built: int
    names: Annotated[tuple[str, ...], Setting("Its names.")] = ()
    next: Mapping[Literal["up", "down"], str] | None = None


def test_only_marked_fields_are_settings() -> None:
    spans, names = declared(Bridge)
    assert (spans.name, spans.setting.option, required(spans)) == ("spans", "--spans", True)
    assert (names.name, names.default, required(names)) == ("names", (), False)


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (bool, "true or false"),
        (Count, "a whole number from 0 to 1,000,000,000"),
        (Annotated[int, Ge(1)] | None, "a whole number of 1 or more"),
        (Annotated[float, Ge(0), Le(1)], "a number from 0 to 1"),
        (NonEmpty, "a text that is not empty"),
        (tuple[NonEmpty, ...], "a list of texts that are not empty"),
        (Literal["page", "tag"], '"page" or "tag"'),
        (Mapping[str, tuple[str, ...]], "a table of lists of texts"),
        (Bridge, "a table"),
    ],
)
def test_what_a_type_allows(hint: Any, words: str) -> None:
    assert allowed(hint) == words


def test_bounds_through_none() -> None:
    assert bounds(Annotated[int, Ge(1)] | None) == (1, None)
    assert bounds(Annotated[float, Ge(0), Le(1)]) == (0, 1)
    assert bounds(str) == (None, None)


def test_what_stands_inside_a_type() -> None:
    assert inside(Bridge, "built") is int
    assert inside(Bridge, "width") is None
    assert inside(tuple[str, ...], 3) is str
    assert inside(Mapping[str, int], "any") is int
    assert keys_of(Bridge) == ("spans", "built", "names", "next")
    assert keys_of(inside(Bridge, "next")) == ("up", "down")
    assert keys_of(Mapping[str, int]) == ()
