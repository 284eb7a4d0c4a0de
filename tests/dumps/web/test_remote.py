"""What counts as a URL."""

import pytest

from wikibias.dumps.web.remote import is_url


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("https://example.org/a.xml.bz2", True),
        ("http://127.0.0.1:80/a.xml", True),
        ("https.xml", False),
        ("-", False),
        ("ftp://example.org/a.xml", False),
    ],
)
def test_only_http_is(path: str, expected: bool) -> None:
    assert is_url(path) is expected
