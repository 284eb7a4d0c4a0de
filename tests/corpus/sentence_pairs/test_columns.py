"""Which columns hold the sides of a pair."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.corpus.sentence_pairs.columns import SIDES, columns_of, is_header

FILE = Path("pairs.tsv")


@pytest.mark.parametrize("sides", SIDES)
def test_known_names_are_found_in_any_place_and_case(sides: tuple[str, str]) -> None:
    names = ["other", sides[1].upper(), sides[0].title()]
    found = columns_of(FILE, names, None, None, None)
    assert (found.source, found.target) == (2, 1)


def test_a_page_groups_rather_than_a_revision() -> None:
    names = ["after_rev_id", "page_id", "source", "target"]
    assert columns_of(FILE, names, None, None, None).group == 1
    assert columns_of(FILE, names, None, None, "after_rev_id").group == 0


@pytest.mark.parametrize(
    ("cells", "wanted", "expected"),
    [
        (["source", "target"], (None, None), True),
        (["A mill.", "A barn."], (None, None), False),
        (["source", "target"], ("1", "2"), True),
        (["A mill.", "A barn."], ("1", "2"), False),
        (["vorher", "nachher"], ("vorher", "nachher"), True),
        (["A mill."], ("1", "2"), False),
    ],
)
def test_a_header_is_told_from_a_pair(
    cells: list[str], wanted: tuple[str | None, ...], expected: bool
) -> None:
    assert is_header(cells, wanted) is expected
