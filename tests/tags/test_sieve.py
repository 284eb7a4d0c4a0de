"""The sieve finds what a search for the pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchers import FRAGMENTS, MATCHERS, NAMES, TAGSETS, in_xml
from wikibias.tags.prefilter import NEAR, Sieve, beginnings_pattern

PATTERNS = {lang: re.compile(pattern) for lang, pattern in NAMES.items()}
SIEVES = {
    lang: Sieve(PATTERNS[lang], beginnings_pattern(tagset, MATCHERS[lang].namespaces))
    for lang, tagset in TAGSETS.items()
}
CALLED = {
    lang: sorted({*tagset.by_key(), *tagset.wrappers_by_key(), "x", "Template:", "T"})
    for lang, tagset in TAGSETS.items()
}


def first(lang: str, chunk: bytes, start: int, end: int) -> int:
    """Return where the pattern matches first, found by searching for it."""
    found = PATTERNS[lang].search(chunk, start, end)
    return -1 if found is None else found.start()


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_it_finds_the_first_match_of_the_pattern(data: st.DataObject) -> None:
    lang = data.draw(st.sampled_from(sorted(NAMES)))
    name = st.sampled_from(CALLED[lang])
    written = st.one_of(name, name.map(str.upper), st.text(max_size=3))
    call = st.tuples(st.sampled_from(["{{", "{{ ", "{<!---->{", "{{{", "{{:\n"]), written)
    part = st.one_of(call.map("".join), st.sampled_from([*FRAGMENTS, "}}", "|", "word "]))
    chunk = in_xml("".join(data.draw(st.lists(part, max_size=12))))
    chunk = chunk[: data.draw(st.integers(0, len(chunk)))]
    start = data.draw(st.integers(0, len(chunk)))
    # Around where another search begins.
    if data.draw(st.booleans()):
        chunk = (
            chunk[:start] + b"x" * (NEAR - data.draw(st.integers(0, len(chunk)))) + chunk[start:]
        )
    end = data.draw(st.integers(start, len(chunk) + 1))
    assert SIEVES[lang].first(chunk, start, end) == first(lang, chunk, start, end)


@pytest.mark.parametrize("far", [0, NEAR - 15, NEAR - 12, NEAR, 400_000])
def test_it_finds_a_match_however_far_away(far: int) -> None:
    chunk = b"{{stub}} {| " + b"x" * far + b"{{POV}} {{NPOV}}"
    assert SIEVES["en"].first(chunk, 0, len(chunk)) == chunk.index(b"{{POV")
    assert SIEVES["en"].first(chunk, 3, chunk.index(b"}} {{NPOV")) == -1
