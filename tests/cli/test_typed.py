"""The command line as it was typed."""

import click
import pytest

from wikibias.kits.command import typed

LINE = ["extract", "--shard", "1/2", "--restart", "--shard=2/2", "a dump.xml", "--quiet"]


@pytest.mark.parametrize(
    ("values", "flags", "kept"),
    [
        ((), (), LINE),
        (("--shard",), ("--restart",), ["extract", "a dump.xml", "--quiet"]),
        (("--shar",), ("--rest",), LINE),
    ],
)
def test_options_are_left_out_with_their_values(
    values: tuple[str, ...], flags: tuple[str, ...], kept: list[str]
) -> None:
    with click.Context(click.Command("wikibias"), obj={"arguments": LINE}):
        assert typed(values=values, flags=flags) == ["wikibias", *kept]
