"""Marks that stand for markup."""

from __future__ import annotations

import unicodedata

from wikibias.text import marks


def test_no_text_holds_them() -> None:
    assert all(unicodedata.category(mark) == "Cn" for mark in marks.ALL)
    assert len(set(marks.ALL)) == len(marks.ALL)
    assert marks.without_marks("a".join(marks.ALL)) == "a" * (len(marks.ALL) - 1)
