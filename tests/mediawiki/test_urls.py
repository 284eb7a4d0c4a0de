"""URLs of diffs."""

from __future__ import annotations

import pytest

from wikibias.mediawiki.titles import diff_url


@pytest.mark.parametrize(
    ("base", "url"),
    [
        (
            "http://en.wikipedia.org/wiki/Main_Page",
            "https://en.wikipedia.org/w/index.php?diff=7&oldid=6",
        ),
        ("http://wiki.example/index.php/Main", "http://wiki.example/index.php?diff=7&oldid=6"),
        ("https://wiki.example/Main", "https://wiki.example/w/index.php?diff=7&oldid=6"),
        ("https://wiki.example:8080/Main", "https://wiki.example:8080/w/index.php?diff=7&oldid=6"),
        ("http://[2001:db8::1]/x", "http://[2001:db8::1]/w/index.php?diff=7&oldid=6"),
        (
            'http://a.example/"><b>/index.php',
            "http://a.example/%22%3E%3Cb%3E/index.php?diff=7&oldid=6",
        ),
        ("javascript:alert(1)", ""),
        ("data:text/html,<script>", ""),
        ("file:///etc/passwd", ""),
        ("https://en.wikipedia.org@evil.example/wiki/A", ""),
        ('https://evil.example"onclick="x/wiki/A', ""),
        ("https://evil.example\x1b/wiki", ""),
        ("https://[::1/wiki", ""),
        ("https:///wiki", ""),
        ("", ""),
    ],
)
def test_the_url_of_a_diff(base: str, url: str) -> None:
    assert diff_url(base, 6, 7) == url


def test_a_new_page_has_no_older_revision() -> None:
    assert diff_url("https://wiki.example/wiki/A", None, 7).endswith("?diff=7")
