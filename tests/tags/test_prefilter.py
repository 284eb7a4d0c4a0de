"""The prefilter matches every text in which the exact matcher finds a tag."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casefiles import cases
from matchers import LOCAL, MATCHERS, NAMES, PATTERNS, TAGSETS, WRAPPERS, in_xml
from wikibias.dumps.xml.patterns import compiled
from wikibias.tags.prefilter import names_pattern


@pytest.fixture(params=["re2", "re"])
def engine(request: pytest.FixtureRequest) -> Callable[[bytes], Any]:
    """Return the function that compiles a pattern with one of the two libraries."""
    if request.param == "re":
        return re.compile
    pytest.importorskip("re2")
    return compiled


@pytest.mark.parametrize("case", cases("calls"))
def test_every_case_with_a_tag_matches(
    case: dict[str, Any], engine: Callable[[bytes], Any]
) -> None:
    lang = case.get("lang", "en")
    if lang in NAMES and case["tags"]:
        assert engine(NAMES[lang]).search(in_xml(case["text"]))


def test_a_text_without_such_names_does_not_match() -> None:
    text = in_xml("{{Infobox|name=POV}} A village. {{stub}} [[POV]]")
    assert PATTERNS["en"].search(text) is None
    assert PATTERNS["en"].search(in_xml("{{POV}}"))
    assert WRAPPERS["en"].search(in_xml("{{POV}}")) is None
    assert WRAPPERS["en"].search(in_xml("{{Multiple issues|POV=May}}"))


def test_a_pattern_is_made_once_for_thousands_of_parts() -> None:
    assert names_pattern(TAGSETS["en"]) is names_pattern(TAGSETS["en"])


SPACES = [" ", "_", "  ", "\u00a0", "\u2003", "&nbsp;", "&#32;", "&#x20;", "\u3000", " _ ", "\r\n"]
NOISE = ["<!-- x -->", "<!-- a -- b -->", "<!---->", "\u200e", "\u202c", "<!-- | }} -->"]
BEFORE = ["", " ", "\n", "_", ":", "msg:", "raw: ", "safesubst:", "\u00a0", "<!-- | -->"]
AFTER = [
    "}}",
    "|x}}",
    " }}",
    "\n|a=b\n}}",
    "#x}}",
    "<!-- x -->}}",
    "|",
    "",
    "\n",
    "}",
    "_}}",
    "{{x}}",
]


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, str]:
    """Return a language, and a call of one of its tags in an unusual spelling."""
    lang = draw(st.sampled_from(sorted(NAMES)))
    tagset = TAGSETS[lang]
    name = draw(st.sampled_from(sorted({*tagset.by_key(), *tagset.wrappers_by_key()})))
    spelt = []
    for letter in name:
        forms = {letter, letter.upper(), letter.lower(), letter.title()}
        odd = {"s": "ſ", "k": "\u212a", "å": "\u212b"}.get(letter.lower())
        forms |= {odd} if odd else set()
        forms |= {"e\u0301"} if letter in "éÉ" else set()
        forms |= {"&eacute;"} if letter == "é" else set()
        forms |= {"и\u0306"} if letter == "й" else set()
        spelt.append(draw(st.sampled_from(SPACES if letter == " " else sorted(forms))))
    if draw(st.booleans()):
        spelt.insert(draw(st.integers(0, len(spelt))), draw(st.sampled_from(NOISE)))
    prefix = draw(
        st.sampled_from(["", "Template:", "template : ", ":TEMPLATE:", LOCAL.get(lang, "T") + ":"])
    )
    braces = draw(st.sampled_from(["{{", "{{{", "{<!-- x -->{", "x{{y|{{", "{{{{"]))
    start = draw(st.sampled_from(BEFORE))
    return lang, braces + start + prefix + "".join(spelt) + draw(st.sampled_from(AFTER))


@settings(max_examples=1500, deadline=None)
@given(calls())
def test_there_are_no_false_negatives(call: tuple[str, str]) -> None:
    lang, text = call
    if MATCHERS[lang].tags(text):
        assert PATTERNS[lang].search(in_xml(text))
