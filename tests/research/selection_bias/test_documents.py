"""Some of the documents keep what is known of them."""

from __future__ import annotations

from wikibias.research.selection_bias.documents import Documents


def test_those_of_some_rows_in_their_order() -> None:
    whole = Documents("c", ["a", "b", "c"], {"label": ["x", "y", "z"]}, ["p", "p", "q"], "en", 9)
    some = whole.chosen([2, 0])
    assert len(some) == 2
    assert some == Documents("c", ["c", "a"], {"label": ["z", "x"]}, ["q", "p"], "en", 9)
    assert Documents("c", ["a"]).chosen([]) == Documents("c", [])
