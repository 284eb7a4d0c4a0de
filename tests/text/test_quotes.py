"""Marks of bold and italics."""

from __future__ import annotations

import pytest

from wikibias.text.tidying import without_quotes


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("'''Elm''' is ''a'' '''''tree'''''", "Elm is a tree"),
        ("l'''Iliade''", "l'Iliade"),
        ("a ''''b'''", "a 'b"),
        ("no marks, don't", "no marks, don't"),
    ],
)
def test_marks_go_and_apostrophes_stay(line: str, text: str) -> None:
    assert without_quotes(line) == text
