"""Byte patterns: the same matches with google-re2 and `re`, and which references are odd."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.dumps.xml.patterns import ODD, compiled


@given(st.binary(max_size=20))
def test_patterns_match_raw_bytes_as_re_does(content: bytes) -> None:
    pattern = rb"[\x80-\xff]+|[^a-z\n]x|&(?:lt|gt);"
    ours, theirs = compiled(pattern).search(content), re.compile(pattern).search(content)
    assert (ours and ours.span()) == (theirs and theirs.span())


@pytest.mark.parametrize("escape", [b"&lt;", b"&gt;", b"&amp;", b"&quot;", b"&#039;"])
def test_an_escape_of_mediawiki_is_not_odd(escape: bytes) -> None:
    assert ODD.search(b"a " + escape + b" b") is None


@pytest.mark.parametrize("reference", [b"&apos;", b"&#39;", b"&#x7b;", b"&nbsp;", b"&lt ", b"& b"])
def test_any_other_reference_is_odd(reference: bytes) -> None:
    found = ODD.search(b"a &amp; " + reference + b" b")
    assert found is not None
    assert found.start() == 8
