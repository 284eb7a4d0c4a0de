"""Patterns of users: what is refused, and that what is taken costs little on any text."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import cases
from wikibias.config.languages import load_language
from wikibias.config.patterns import LONGEST_SEARCHED, bounded_pattern, searched, word_pattern


@pytest.mark.parametrize("case", cases("bounded_patterns"))
def test_a_pattern_is_taken_or_refused(case: dict[str, Any]) -> None:
    if "refused" in case:
        with pytest.raises(ValueError, match=case["refused"]):
            bounded_pattern(case["pattern"])
    else:
        bounded_pattern(case["pattern"])


def test_a_long_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than"):
        bounded_pattern("a" * 1_001)
    with pytest.raises(ValueError, match=r"expression|too long"):
        bounded_pattern("(" * 400 + "a" + ")" * 400 + "*" * 2)


def test_letter_case_does_not_count_and_the_end_of_a_long_text_neither() -> None:
    pattern = bounded_pattern("pov")
    assert searched(pattern, "rm POV")
    assert not searched(pattern, " " * LONGEST_SEARCHED + "pov")


@given(st.text(alphabet="ab*+?{}()|.,2^$", max_size=24))
def test_what_is_taken_is_quick(pattern: str) -> None:
    try:
        found = bounded_pattern(pattern)
    except ValueError:
        return
    began = time.process_time()
    searched(found, "a" * LONGEST_SEARCHED)
    searched(found, "ab" * LONGEST_SEARCHED)
    assert time.process_time() - began < 5


def found(entries: tuple[str, ...], text: str) -> list[str]:
    return word_pattern(entries).findall(text.casefold())


@pytest.mark.parametrize(
    ("entry", "text", "hit"),
    [
        ("pov", "a POV, npov", ["pov"]),
        ("neutral*", "Neutrality, unneutral", ["neutrality"]),
        ("*中立", "不中立", ["中立"]),
        ("point of view", "his point of views, point of view", ["point of view"]),
        ("WP:NPV", "see wp:npv", ["wp:npv"]),
    ],
)
def test_an_entry(entry: str, text: str, hit: list[str]) -> None:
    assert found((entry,), text) == hit


def test_the_longest_entry_counts_and_none_is_no_pattern() -> None:
    assert found(("net", "net neutrality"), "net neutrality") == ["net neutrality"]
    assert word_pattern(()).search("any") is None


@pytest.mark.parametrize(
    ("lang", "other", "trap"),
    [
        ("en", "A neutral atom. Net neutrality", "the atomic bombings of PhD students"),
        ("fr", "un électron, la neutralité du net", "musique électronique, lions"),
        ("bg", "йоните са неутрални", "атомната бомба, район"),
        ("de", "Ionen; Netzneutralität", "Union der Nationen"),
        ("es", "los electrones", "correo electrónico, regiones"),
        ("it", "gli atomi e gli ioni", "la regione ionica, elettronica"),
        ("pt", "íons e nêutrons", "região eletrônica"),
        ("ru", "ионы и молекулы", "атомная бомба, район"),
        ("pl", "jony i cząsteczki", "bomba atomowa, rejon"),
        ("nl", "atomen en ionen", "regionen, atoombom"),
        ("vi", "nguyên tử trung hòa", "nguyên nhân, điện tử"),
    ],
)
def test_other_meanings_of_a_language(lang: str, other: str, trap: str) -> None:
    entries = load_language(lang).summaries["other_meaning"]
    assert found(entries, other)
    assert not found(entries, trap)


@given(st.lists(st.text(min_size=1)), st.text())
def test_any_list_can_be_looked_for(entries: list[str], text: str) -> None:
    found = word_pattern(tuple(entries)).findall(text.casefold())
    assert entries or not found


def test_a_long_text_is_read_in_linear_time() -> None:
    started = time.process_time()
    found(load_language("en").summaries["other_meaning"], "carbon neutral" * 50_000)
    assert time.process_time() - started < 5
