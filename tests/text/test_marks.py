"""Marks that stand for markup."""

from __future__ import annotations

import unicodedata

from wikibias.text import tidying


def test_no_text_holds_them() -> None:
    assert all(unicodedata.category(mark) == "Cn" for mark in tidying.ALL)
    assert len(set(tidying.ALL)) == len(tidying.ALL)
    assert tidying.without_marks("a".join(tidying.ALL)) == "a" * (len(tidying.ALL) - 1)
