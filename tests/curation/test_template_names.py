"""The templates that a wikitext calls, by title."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casefiles import cases
from matchers import FRAGMENTS
from wikibias.curation.template_names import TemplateNames
from wikibias.mediawiki.titles import TEMPLATE, Namespaces

NAMES = TemplateNames(Namespaces.of({TEMPLATE: "Modèle", 100: "Portail"}))


@pytest.mark.parametrize("case", cases("names"))
def test_names_that_a_wikitext_calls(case: dict[str, Any]) -> None:
    assert sorted(NAMES.of(case["text"])) == sorted(case["names"])


# What may stand in a name, or end it, or make another name of it.
SIGNS = "{{ { }} } [[ ]] [ ] | # : < > &#35; &lt a Template: safesubst: #if: DEFAULTSORT:".split()
WORDS = st.sampled_from([*FRAGMENTS, *SIGNS, *SIGNS, "\n", " ", "a" * 99, "\n" + " " * 198])
TEXTS = st.lists(WORDS, max_size=20).map("".join)


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_names_are_those_that_the_parser_finds(text: str) -> None:
    assert NAMES.of(text) == NAMES.parsed(text)


@settings(max_examples=500, deadline=None)
@given(TEXTS, TEXTS)
def test_a_piece_that_can_tell_calls_the_same_whatever_follows(piece: str, rest: str) -> None:
    piece += "\n"
    told = NAMES.of_piece(piece, is_last=False)
    if told is not None:
        assert told == NAMES.parsed(piece)
        assert told | NAMES.parsed(rest) == NAMES.parsed(piece + rest)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_the_last_piece_calls_what_the_parser_finds(piece: str) -> None:
    assert NAMES.of_piece(piece, is_last=True) in (None, NAMES.parsed(piece))


@pytest.mark.parametrize(
    "text",
    [
        "{{POV}} {{cite|title=[[Mill]]}} {{{1|x}}} {{DEFAULTSORT:{{PAGENAME}}}} {{a[[b]]|c}}\n",
        "{{Infobox\n| name = Mill <ref>{{cite}}</ref>\n",
    ],
)
def test_usual_pieces_can_tell(text: str) -> None:
    assert NAMES.of_piece(text, is_last=False) == NAMES.parsed(text)


def test_names_are_told_where_a_namespace_has_an_impossible_name() -> None:
    names = TemplateNames(Namespaces.of({TEMPLATE: "a[b", 100: "#if"}))
    for text in ("{{a[b:POV}}", "{{a[b:#x", "{{#if:POV|x}}"):
        assert names.of(text) == names.parsed(text)
