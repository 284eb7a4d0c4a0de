"""Redirects are recognised in all languages."""

from __future__ import annotations

import pytest

from growth import slow
from hostile_texts import Kind
from wikibias.config.mediawiki_facts import load_mediawiki
from wikibias.mediawiki.titles import redirect_pattern


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#REDIRECT [[A]]", True),
        ("  #redirect:[[A#b]]\n{{R from merge}}", True),
        ("#REDIRECTION [[A]]", True),
        ("#виж [[А]]", True),
        ("#пренасочване [[А]]", True),
        ("#WEITERLEITUNG [[A]]", True),
        ("# REDIRECT [[A]]", False),
        ("Text #REDIRECT [[A]]", False),
        ("#REDIRECT A", False),
        ("#REDIRECT \n : \t[[A]]", True),
        ("#REDIRECT : : [[A]]", False),
    ],
)
def test_redirects_of_any_language(text: str, expected: bool) -> None:
    pattern = redirect_pattern(load_mediawiki().redirect_words)
    assert bool(pattern.match(text)) is expected


def test_no_text_takes_more_than_its_share_of_time() -> None:
    spaces = [
        Kind("spaces before", " "),
        Kind("spaces behind", " ", before="#REDIRECT"),
        Kind("spaces behind a colon", " ", before="#REDIRECT:", after="x"),
    ]
    assert slow(redirect_pattern(load_mediawiki().redirect_words).match, spaces, 20_000) == {}
