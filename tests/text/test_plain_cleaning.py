"""Cleaning by patterns alone."""

from __future__ import annotations

from wikibias.text.plain_cleaning import plain_visible_text
from wikis import rules


def test_markup_vanishes() -> None:
    assert plain_visible_text("== A ==\n'''mill''' is [[b]]", rules("en")) == "A\nmill is b"
