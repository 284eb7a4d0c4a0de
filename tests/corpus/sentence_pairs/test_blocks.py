"""What an edit changed, line by line."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from wikibias.corpus.sentence_pairs.blocks import Blocks, blocks

LINES = st.lists(st.sampled_from(["", " ", "Elm", "Mill", "River", "Bridge"]), max_size=12)


def test_one_line_that_became_another() -> None:
    assert blocks("Elm\nMill\nRiver", "Elm\nThe mill\nRiver") == Blocks(
        (("Mill", "The mill"),), 0, 0
    )


def test_lines_of_one_place_are_paired_in_order() -> None:
    assert blocks("A\nB\nC\nEnd", "1\n2\nEnd") == Blocks((("A", "1"), ("B", "2")), 1, 0)


def test_a_blank_line_counts_for_nothing() -> None:
    assert blocks("Elm\n\nMill", "Elm\nMill") == Blocks((), 0, 0)
    assert blocks("Elm\n\nMill", "Elm\nBridge\nMill") == Blocks((), 0, 1)
    assert blocks("Elm\nBridge\nMill", "Elm\n  \nMill") == Blocks((), 1, 0)


@given(LINES, LINES)
def test_all_that_differs_is_told(before: list[str], after: list[str]) -> None:
    found = blocks("\n".join(before), "\n".join(after))
    written = [len([line for line in side if line.strip()]) for side in (before, after)]
    gone, come = found.deleted + len(found.changed), found.added + len(found.changed)
    assert written[0] - gone == written[1] - come
    if before == after:
        assert found == Blocks((), 0, 0)
    assert all(source.strip() and target.strip() for source, target in found.changed)


def test_a_hundred_thousand_lines_take_seconds_at_most() -> None:
    began = time.process_time()
    found = blocks(
        "\n".join(f"line {n}" for n in range(100_000)),
        "\n".join(f"line {n * 7 % 100_000}" for n in range(100_000)),
    )
    assert found.changed
    assert time.process_time() - began < 10
