"""Which characters can stand for a letter of a name: all that folding makes equal to it."""

from __future__ import annotations

import sys
import unicodedata

from wikibias.tags.prefilter import folded, unusual, unusual_within, usual

CHARACTERS = [
    chr(n)
    for n in range(sys.maxunicode + 1)
    if unicodedata.category(chr(n)) not in ("Cn", "Co", "Cs")
]


def test_titles_that_are_equal_are_equal_when_folded() -> None:
    by_case: dict[str, str] = {}
    by_capital: dict[str, str] = {}
    for x in CHARACTERS:
        assert by_case.setdefault(x.casefold(), folded(x)) == folded(x)
        assert by_capital.setdefault(x.upper(), folded(x)) == folded(x)
        assert folded(unicodedata.normalize("NFC", x)) == folded(x)
        assert folded(unicodedata.normalize("NFD", x)) == folded(x)


def test_every_character_is_known_by_what_it_becomes() -> None:
    for x in CHARACTERS:
        fold = folded(x)
        if fold != x:
            assert x in {*usual(fold), *unusual_within([tuple(fold)])}, hex(ord(x))


def test_a_letter_is_written_in_either_case() -> None:
    assert usual("p") == ("P", "p")
    assert usual("s") == ("S", "s")
    assert {"ſ", "ﬆ"} <= set(unusual("s", ["stub"]).whole)
    assert usual("п") == ("П", "п")
    assert usual("ك") == ("ك",)


def test_a_letter_with_a_mark_may_be_written_in_two() -> None:
    found = unusual(folded("é"), [folded("évasif")])
    assert found.whole == ()
    assert set(found.parts) == {"e", "E"}
    assert "\u0301" in found.marks


def test_letters_may_be_written_together() -> None:
    assert "ﬁ" in unusual("f", ["fiction"]).whole
    assert "ß" in unusual("s", ["strasse"]).whole
    assert "é" not in unusual("e", ["essay"]).parts


def test_a_syllable_may_be_written_in_parts() -> None:
    assert set(unusual(folded("관"), [folded("관점")]).parts) == {"ᄀ", "과"}
