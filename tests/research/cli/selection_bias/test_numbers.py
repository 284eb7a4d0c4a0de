"""Options of several numbers."""

from __future__ import annotations

import click
import pytest

from wikibias.research.cli.selection_bias.numbers import Numbers


def test_numbers_are_sorted_and_stand_once() -> None:
    assert Numbers(1, 200).convert("20, 2,8,2", None, None) == (2, 8, 20)


@pytest.mark.parametrize("value", ["", "2,", "two", "2;8", "0", "201", "2.5", "-1"])
def test_what_is_no_list_of_numbers(value: str) -> None:
    with pytest.raises(click.BadParameter):
        Numbers(1, 200).convert(value, None, None)
